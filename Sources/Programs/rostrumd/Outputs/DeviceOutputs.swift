// SPDX-License-Identifier: Apache-2.0

import ALSAOutput
import AudioSession
import PulseOutput
import SoftwareOutputs

/// What `--output` can name on this machine.
struct DeviceOutputs: OutputProvider {
    func outputs(named name: String) -> [any AudioOutput] {
        let (kind, argument) = Self.split(name)
        switch (kind, argument) {
        case ("auto", nil): return [PulseOutput(sink: nil), ALSAOutput(pcm: nil)]
        case ("pulse", _): return [PulseOutput(sink: argument)]
        case ("alsa", _): return [ALSAOutput(pcm: argument)]
        case ("wav", .some(let path)) where !path.isEmpty: return [RenderOutput(wavPath: path)]
        case ("null", nil): return [NullOutput()]
        case ("null", "fast"): return [RenderOutput()]
        default: return []
        }
    }

    /// Renders take sound as fast as it comes and are no place to listen.
    static func isRender(_ name: String) -> Bool {
        name.hasPrefix("wav:") || name == "null:fast"
    }

    /// At the first colon; a path may hold more of them.
    private static func split(_ name: String) -> (String, String?) {
        guard let colon = name.firstIndex(of: ":") else { return (name, nil) }
        return (String(name[..<colon]), String(name[name.index(after: colon)...]))
    }
}

// SPDX-License-Identifier: Apache-2.0

import ALSAOutput
import AudioSession
import PulseOutput
import SoftwareOutputs

/// The outputs that `--output` can name on this machine.
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

    /// Returns `true` for outputs that render: they take sound as fast as it comes, and nobody listens to them.
    static func isRender(_ name: String) -> Bool {
        name.hasPrefix("wav:") || name == "null:fast"
    }

    /// Splits a name at the first colon; a path may contain more of them.
    private static func split(_ name: String) -> (String, String?) {
        guard let colon = name.firstIndex(of: ":") else { return (name, nil) }
        return (String(name[..<colon]), String(name[name.index(after: colon)...]))
    }
}

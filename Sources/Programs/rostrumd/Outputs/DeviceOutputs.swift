// SPDX-License-Identifier: Apache-2.0

import ALSAOutput
import AudioSession
import PulseOutput
import SessionProtocol
import SoftwareOutputs

/// The outputs that `--output` can name on this machine.
struct DeviceOutputs: OutputProvider {
    func outputs(named name: String) -> [any AudioOutput] {
        switch try? OutputExpression(name) {
        case .auto: [PulseOutput(sink: nil), ALSAOutput(pcm: nil)]
        case .pulse(let sink): [PulseOutput(sink: sink)]
        case .alsa(let pcm): [ALSAOutput(pcm: pcm)]
        case .wav(let path): [RenderOutput(wavPath: path)]
        case .null(fast: false): [NullOutput()]
        case .null(fast: true): [RenderOutput()]
        case nil: []
        }
    }

    /// Returns `true` for outputs that render: they take sound as fast as it comes, and nobody listens to them.
    static func isRender(_ name: String) -> Bool { (try? OutputExpression(name))?.isRender == true }
}

// SPDX-License-Identifier: Apache-2.0

import CSpeechWarp

/// The filters that make cepstra of sound, for several lengths of the speaker's vocal tract.
///
/// Unchecked: the filters are immutable after they were made.
final class CepstralBank: @unchecked Sendable {
    private let bank: OpaquePointer?
    let warps: [Float]

    /// Filters for the voice that is synthesised, which is the measure of all others.
    static let spoken = CepstralBank(warps: [1])
    /// Filters for readers, from long vocal tracts to short ones.
    static let recorded = CepstralBank(warps: [0.85, 0.9, 0.95, 1, 1.06, 1.12, 1.18, 1.25, 1.33])

    init(warps: [Float]) {
        self.warps = warps
        bank = cspeech_bank_create(warps, warps.count)
    }

    deinit { cspeech_bank_free(bank) }

    /// Returns the cepstra of each step, warp by warp, and the energies of the steps.
    ///
    /// - Parameter samples: Sound at 16 kHz; what is missing at its end is silence.
    func cepstra(of samples: [Float], steps: Int) -> (cepstra: [Float], energies: [Float]) {
        var energies = [Float](repeating: 0, count: steps)
        var cepstra = [Float](repeating: 0, count: warps.count * steps * SpeechFrames.cepstra)
        let needed = steps == 0 ? 0 : (steps - 1) * SpeechFrames.step + SpeechFrames.window
        guard let bank, steps > 0 else { return (cepstra, energies) }
        if samples.count >= needed {
            cspeech_cepstra(bank, samples, steps, &cepstra, &energies)
        } else {
            let padded = samples + [Float](repeating: 0, count: needed - samples.count)
            cspeech_cepstra(bank, padded, steps, &cepstra, &energies)
        }
        return (cepstra, energies)
    }
}

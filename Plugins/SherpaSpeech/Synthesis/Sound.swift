// SPDX-License-Identifier: Apache-2.0

/// The sound of a passage, from its first to its last audible sample, with a short margin on either side.
struct Sound: Sendable {
    /// Mono, 16 bits.
    var samples: [Int16]

    /// The greatest sample that counts as silence: -50 dB.
    ///
    /// A voice's own silence lies below.
    private static let silence: UInt16 = 104

    /// The frames of margin: five milliseconds, within which the sound fades in or out.
    static func margin(at sampleRate: Int) -> Int { sampleRate / 200 }

    /// Takes over what a model generated, or returns `nil` if it is no sound.
    init?(_ generated: [Float], sampleRate: Int) {
        guard generated.allSatisfy(\.isFinite) else { return nil }
        let all = generated.map { Int16(($0.clamped * 32767).rounded()) }
        let isSound = { (sample: Int16) in sample.magnitude > Self.silence }
        guard let first = all.firstIndex(where: isSound), let last = all.lastIndex(where: isSound) else {
            samples = []
            return
        }
        let margin = Self.margin(at: sampleRate)
        let (start, end) = (first - margin, last + 1 + margin)
        var kept = [Int16](repeating: 0, count: max(0, -start))
        kept += all[max(0, start)..<min(all.count, end)]
        kept += [Int16](repeating: 0, count: max(0, end - all.count))
        for index in 0..<margin {
            kept[index] = Int16(Int(kept[index]) * index / margin)
            let mirrored = kept.count - 1 - index
            kept[mirrored] = Int16(Int(kept[mirrored]) * index / margin)
        }
        samples = kept
    }
}

extension Float {
    fileprivate var clamped: Float { min(max(self, -1), 1) }
}

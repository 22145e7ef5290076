// SPDX-License-Identifier: Apache-2.0

/// The head of a waveform data file, version 2, as `audiowaveform` writes and reads it.
///
/// Six numbers of four bytes each, little endian: the version; flags, of which bit 0 means 8 bits; frames per second;
/// frames per peak; the number of peaks; channels. The minimum and the maximum of each peak follow, two bytes each.
public struct WaveformHeader: Sendable, Hashable {
    public var sampleRate: Int
    public var framesPerPeak: Int
    public var count: Int

    public static let size = 24
    /// The bytes of one peak behind the head.
    public static let peakSize = 4

    public init(sampleRate: Int, framesPerPeak: Int, count: Int) {
        self.sampleRate = sampleRate
        self.framesPerPeak = framesPerPeak
        self.count = count
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for number in [2, 0, sampleRate, framesPerPeak, count, 1] {
            PeakBytes.put(UInt32(clamping: number), to: &bytes)
        }
        return bytes
    }

    /// Parses a head; `nil` for another version, for 8 bits and for several channels, which are not written here.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size else { return nil }
        let numbers = (0..<6).map { PeakBytes.number(bytes, at: 4 * $0, UInt32.self) }
        guard numbers[0] == 2, numbers[1] == 0, (1_000...384_000).contains(numbers[2]),
            (1...1 << 20).contains(numbers[3]), numbers[5] == 1
        else { return nil }
        (sampleRate, framesPerPeak, count) = (Int(numbers[2]), Int(numbers[3]), Int(numbers[4]))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The lowest and the highest sample and the RMS of one stretch of a track, in samples of 16 bits.
public struct WirePeak: Sendable, Hashable {
    public var minimum: Int16
    public var maximum: Int16
    public var rms: UInt16

    public init(minimum: Int16, maximum: Int16, rms: UInt16) {
        self.minimum = minimum
        self.maximum = maximum
        self.rms = rms
    }

    /// `true` if there can be samples with these numbers.
    public var isPlausible: Bool {
        minimum <= maximum && rms <= max(minimum.magnitude, maximum.magnitude)
    }
}

extension WireWriter {
    /// Appends the peaks, of which there must be at most `Limits.peaks`.
    mutating func put(peaks: [WirePeak]) {
        put(UInt32(peaks.count))
        for peak in peaks {
            put(peak.minimum)
            put(peak.maximum)
            put(peak.rms)
        }
    }
}

extension WireReader {
    mutating func peaks() throws(WireError) -> [WirePeak] {
        let count = try integer(UInt32.self)
        guard count <= Limits.peaks else { throw WireError("\(count) peaks, which is too many") }
        var peaks: [WirePeak] = []
        peaks.reserveCapacity(Int(count))
        for _ in 0..<count {
            let peak = WirePeak(minimum: try integer(), maximum: try integer(), rms: try integer())
            guard peak.isPlausible else { throw WireError("an impossible peak") }
            peaks.append(peak)
        }
        return peaks
    }
}

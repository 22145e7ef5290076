// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// Numbers as bytes, little endian.
enum PeakBytes {
    static func put<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Reads a number; the bytes must be there.
    static func number<T: FixedWidthInteger>(_ bytes: [UInt8], at offset: Int, _: T.Type = T.self) -> T {
        bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }

    /// The bytes of one peak: minimum, maximum, RMS.
    static let peakSize = 6

    static func put(_ peaks: some Sequence<Peak>, to bytes: inout [UInt8]) {
        for peak in peaks {
            put(peak.minimum, to: &bytes)
            put(peak.maximum, to: &bytes)
            put(peak.rms, to: &bytes)
        }
    }

    static func peaks(_ bytes: [UInt8], at offset: Int, count: Int) -> [Peak] {
        (0..<count).map { index in
            let place = offset + index * peakSize
            return Peak(
                minimum: number(bytes, at: place), maximum: number(bytes, at: place + 2),
                rms: number(bytes, at: place + 4))
        }
    }

    /// Returns a checksum that detects accidents, not attacks: FNV-1a over words of eight bytes.
    static func checksum(_ bytes: ArraySlice<UInt8>, from start: UInt64) -> UInt64 {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325 ^ start
        func mix(_ word: UInt64) {
            value = (value ^ word) &* 0x100_0000_01B3
            // Multiplication alone never carries the high bits of a word to the low ones.
            value ^= value >> 32
        }
        bytes.withUnsafeBytes { raw in
            var place = 0
            while place + 8 <= raw.count {
                mix(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
                place += 8
            }
            while place < raw.count {
                mix(UInt64(raw[place]))
                place += 1
            }
        }
        mix(UInt64(bytes.count))
        return value
    }
}

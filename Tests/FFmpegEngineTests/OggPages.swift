// SPDX-License-Identifier: Apache-2.0

/// The pages of an Ogg file (RFC 3533).
enum OggPages {
    /// Returns the same stream under another serial number, with correct checksums.
    static func renumbered(_ file: [UInt8]) -> [UInt8] {
        var bytes = file
        var place = 0
        while place + 27 <= bytes.count {
            let segments = Int(bytes[place + 26])
            let table = bytes[place + 27..<place + 27 + segments]
            let end = place + 27 + segments + table.reduce(0) { $0 + Int($1) }
            bytes[place + 14] ^= 1
            for index in place + 22..<place + 26 { bytes[index] = 0 }
            let sum = checksum(bytes[place..<end])
            for index in 0..<4 { bytes[place + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
            place = end
        }
        return bytes
    }

    private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
        page.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
                value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04c1_1db7
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Text as UTF-8 bytes that is read scalar by scalar.
///
/// A byte that is not part of valid UTF-8 reads as U+FFFD, so that no place is out of step with the bytes.
struct ScalarText {
    let bytes: [UInt8]

    /// The scalar at a place and its number of bytes.
    @inline(__always)
    func scalar(at place: Int, before end: Int) -> (scalar: Unicode.Scalar, size: Int) {
        let byte = bytes[place]
        if byte < 0x80 { return (Unicode.Scalar(byte), 1) }
        return longScalar(at: place, before: end)
    }

    private static let invalid = (scalar: Unicode.Scalar(0xFFFD as UInt16) ?? " ", size: 1)

    private func longScalar(at place: Int, before end: Int) -> (scalar: Unicode.Scalar, size: Int) {
        let byte = bytes[place]
        let size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard byte >= 0xC2, byte < 0xF5, place + size <= end else { return Self.invalid }
        var value = UInt32(byte) & (size == 2 ? 0x1F : size == 3 ? 0x0F : 0x07)
        for next in place + 1..<place + size {
            guard bytes[next] & 0xC0 == 0x80 else { return Self.invalid }
            value = value << 6 | UInt32(bytes[next] & 0x3F)
        }
        // A value that fewer bytes can write is none, so that what is copied stays valid.
        guard value >= (size == 2 ? 0x80 : size == 3 ? 0x800 : 0x1_0000), let scalar = Unicode.Scalar(value) else {
            return Self.invalid
        }
        return (scalar, size)
    }

    /// The scalar that ends at a place and its number of bytes; `nil` at the start.
    func scalar(endingAt place: Int, notBefore start: Int) -> (scalar: Unicode.Scalar, size: Int)? {
        guard place > start else { return nil }
        var first = place - 1
        while first > start, place - first < 4, bytes[first] & 0xC0 == 0x80 { first -= 1 }
        let (scalar, size) = scalar(at: first, before: place)
        return first + size == place ? (scalar, size) : Self.invalid
    }

    /// The bytes of a range as a string; what is not UTF-8 becomes U+FFFD.
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The nearest place at or before one that does not cut a scalar.
    func scalarStart(_ place: Int, notBefore start: Int) -> Int {
        var place = place
        var steps = 0
        while place > start, place < bytes.count, steps < 3, bytes[place] & 0xC0 == 0x80 {
            place -= 1
            steps += 1
        }
        return place
    }
}

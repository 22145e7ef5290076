// SPDX-License-Identifier: Apache-2.0

/// An encoder for messages, little endian.
package struct WireWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func put<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func put(_ value: Double) { put(value.bitPattern) }
    package mutating func put(_ value: Bool) { put(UInt8(value ? 1 : 0)) }

    /// Appends a string, which is cut between characters if it is longer than `limit` bytes.
    package mutating func put(_ value: String, limit: Int = Limits.string) {
        var text = value.utf8.prefix(limit)
        // A byte of the form 10xxxxxx behind the cut means that the cut splits a character.
        while text.endIndex < value.utf8.endIndex, !text.isEmpty, value.utf8[text.endIndex] & 0xC0 == 0x80 {
            text = text.dropLast()
        }
        put(UInt32(text.count))
        bytes.append(contentsOf: text)
    }

    package mutating func put(_ bytes: [UInt8]) {
        put(UInt32(bytes.count))
        self.bytes += bytes
    }

    package mutating func put(_ value: String?, limit: Int = Limits.string) {
        put(value != nil)
        if let value { put(value, limit: limit) }
    }

    package mutating func put<T: FixedWidthInteger>(_ value: T?) {
        put(value != nil)
        if let value { put(value) }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// An error in the content of a message.
public struct WireError: Error, Sendable, Hashable {
    public var what: String
    package init(_ what: String) { self.what = what }
}

/// A decoder for messages.
///
/// It returns or throws for any bytes, and never traps.
package struct WireReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws(WireError) -> T {
        let size = MemoryLayout<T>.size
        guard rest.count >= size else { throw WireError("a message that ends early") }
        var value = T.zero
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: rest.prefix(size)) }
        rest = rest.dropFirst(size)
        return T(littleEndian: value)
    }

    package mutating func double() throws(WireError) -> Double { Double(bitPattern: try integer()) }

    package mutating func bool() throws(WireError) -> Bool {
        switch try integer(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw WireError("a Boolean that is neither 0 nor 1")
        }
    }

    /// Returns the next string, with U+FFFD for bytes that are not UTF-8, because names come from files.
    package mutating func string(limit: Int = Limits.string) throws(WireError) -> String {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw WireError("a string of \(count) bytes") }
        guard rest.count >= count else { throw WireError("a string that ends early") }
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    package mutating func bytes(limit: Int) throws(WireError) -> [UInt8] {
        let count = Int(try integer(UInt32.self))
        guard count <= limit, rest.count >= count else { throw WireError("\(count) bytes, which is too many") }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    package mutating func optionalString(limit: Int = Limits.string) throws(WireError) -> String? {
        try bool() ? try string(limit: limit) : nil
    }

    package mutating func optionalInteger<T: FixedWidthInteger>(_: T.Type = T.self) throws(WireError) -> T? {
        try bool() ? try integer() : nil
    }

    package mutating func list<T>(_ element: (inout WireReader) throws(WireError) -> T) throws(WireError) -> [T] {
        let count = Int(try integer(UInt32.self))
        guard count <= Limits.batch else { throw WireError("a batch of \(count)") }
        var result: [T] = []
        for _ in 0..<count { result.append(try element(&self)) }
        return result
    }

    package func finish() throws(WireError) {
        guard rest.isEmpty else { throw WireError("a message with \(rest.count) bytes too many") }
    }
}

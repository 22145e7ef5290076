// SPDX-License-Identifier: Apache-2.0

/// A splitter of a byte stream into lines, whatever pieces it arrives in.
public struct LineFramer: Sendable {
    /// The error for a line that exceeds the limit, so that a line without an end cannot fill the memory.
    public struct TooLong: Error, Sendable, Hashable {}

    /// The maximum size in bytes of a line from a client.
    public static let requestLimit = 1 << 20

    private let limit: Int
    private var partial: [UInt8] = []
    private var overflowed = false

    /// Creates a framer; `limit` counts the bytes of a line without its newline.
    public init(limit: Int = LineFramer.requestLimit) { self.limit = limit }

    /// `true` if the bytes so far end in the middle of a line.
    public var isInsideLine: Bool { !partial.isEmpty }

    /// Takes the next bytes and returns the lines that they complete, without newlines and without empty lines.
    ///
    /// Lines before one that is too long are still returned; the next call throws.
    public mutating func receive(_ bytes: some Collection<UInt8>) throws(TooLong) -> [[UInt8]] {
        if overflowed { throw TooLong() }
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: JSONLine.newline) {
            guard append(rest[..<end]) else { return try stop(lines) }
            rest = rest[rest.index(after: end)...]
            if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
            if !partial.isEmpty { lines.append(partial) }
            partial.removeAll(keepingCapacity: false)
        }
        guard append(rest) else { return try stop(lines) }
        return lines
    }

    private mutating func append(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count <= limit - partial.count else { return false }
        partial.append(contentsOf: bytes)
        return true
    }

    private mutating func stop(_ lines: [[UInt8]]) throws(TooLong) -> [[UInt8]] {
        overflowed = true
        partial = []
        if lines.isEmpty { throw TooLong() }
        return lines
    }

    /// `true` if a line was too long; no more lines are returned.
    public var isOverflowed: Bool { overflowed }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The words of a passage of a text, with those around it.
///
/// The words are kept as they were, so that a quote outlives its text. They also say where it is when that has changed.
public struct ClipQuote: Sendable, Hashable {
    /// The most bytes of a quote.
    public static let longest = 1 << 16

    public var text: String
    /// The bytes in front of the passage, at most ``TextContext/reach``.
    public var before: [UInt8]
    /// The bytes behind it.
    public var after: [UInt8]
    /// The size of the reading text, in bytes; 0 if it is not known.
    public var size: Int64

    public init(text: String, before: [UInt8] = [], after: [UInt8] = [], size: Int64 = 0) {
        self.text = text
        self.before = before
        self.after = after
        self.size = size
    }

    /// Reads the words of a passage; `nil` if it is empty or too long, or cannot be read.
    ///
    /// May wait for a file system.
    public init?(_ range: Range<Int64>, in document: TextDocument) {
        let reach = Int64(TextContext.reach)
        guard !range.isEmpty, range.lowerBound >= 0, range.count <= Self.longest,
            let size = TextBytes.size(of: document.text.rawValue), range.upperBound <= size,
            let bytes = TextBytes.read(
                document.text.rawValue, from: max(0, range.lowerBound - reach),
                count: Int(min(reach, range.lowerBound)) + range.count + Int(reach))
        else { return nil }
        let head = Int(min(reach, range.lowerBound))
        guard bytes.count >= head + range.count else { return nil }
        self.init(
            text: String(decoding: bytes[head..<head + range.count], as: UTF8.self), before: Array(bytes[..<head]),
            after: Array(bytes[(head + range.count)...]), size: size)
    }

    /// Returns where the passage is in a text, whatever has become of that; `nil` if its words are not there.
    ///
    /// May wait for a file system.
    public func passage(at range: Range<Int64>, in document: TextDocument) -> Range<Int64>? {
        let words = Array(text.utf8)
        guard !words.isEmpty else { return nil }
        if TextBytes.read(document.text.rawValue, from: range.lowerBound, count: words.count) == words {
            return range.lowerBound..<range.lowerBound + Int64(words.count)
        }
        let first = TextContext(
            position: range.lowerBound, size: size, before: before, after: Array(words.prefix(TextContext.reach)))
        let last = TextContext(
            position: range.upperBound, size: size, before: Array(words.suffix(TextContext.reach)), after: after)
        guard let start = first.place(in: document.text.rawValue), start.match.isCertain,
            let end = last.place(in: document.text.rawValue), end.match.isCertain, start.position < end.position
        else { return nil }
        // Ends that were found in two places, or around much that was put in between, are not this passage.
        guard end.position - start.position <= Int64(2 * words.count + TextContext.reach) else { return nil }
        return start.position..<end.position
    }
}

extension Clip {
    /// The bytes of the reading text of a quote.
    public var textRange: Range<Int64> {
        start.position.units..<max(start.position.units, end.position.units)
    }
}

extension ClipBounds {
    /// Creates the bounds of a passage of a text, of any length; `nil` if it is empty.
    public init?(ofText range: Range<Int64>) {
        guard !range.isEmpty else { return nil }
        start = MediaPosition(track: 0, units: range.lowerBound)
        end = MediaPosition(track: 0, units: range.upperBound)
    }
}

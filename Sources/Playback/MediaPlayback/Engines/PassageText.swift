// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// A passage of text behind a place, in which the next sentence is found.
///
/// Lengths are in bytes of the document, whatever its coding.
struct PassageText {
    private static let capacity = 4096
    private let bytes: [UInt8]
    private let coding: TextCoding
    /// The offset of the first letter that begins here: the place may lie within one.
    private let first: Int
    /// `true` if the document continues behind the passage.
    private let isCut: Bool

    /// - Parameter first: the number of bytes in front of the first whole letter.
    init(_ bytes: [UInt8], _ coding: TextCoding = .bytes, from first: Int = 0, isCut: Bool = false) {
        self.bytes = bytes
        self.coding = coding
        self.first = min(first, bytes.count)
        self.isCut = isCut
    }

    /// Reads a passage; `nil` if there is nothing to read.
    ///
    /// May wait for a file system.
    init?(_ source: TrackSource, from position: Int64, upTo capacity: Int = Self.capacity) {
        guard position >= 0 else { return nil }
        let file: Int32
        switch source {
        case .file(let path):
            var status = stat()
            file = gnu_open_file(path, O_NONBLOCK, &status)
            guard file >= 0 else { return nil }
        case .descriptor(let shared, _): file = shared.rawValue
        case .url, .served: return nil
        }
        defer { if case .file = source { close(file) } }
        guard let bytes = Self.read(file, from: position, upTo: capacity),
            let beginning = Self.read(file, from: 0, upTo: Self.capacity)
        else { return nil }
        let coding = TextCoding(ofDocument: beginning)
        let inLetter = Int(position) % coding.width
        self.init(
            bytes, coding, from: inLetter == 0 ? 0 : coding.width - inLetter, isCut: bytes.count == capacity)
    }

    private static func read(_ file: Int32, from position: Int64, upTo capacity: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: capacity)
        let count = pread(file, &bytes, bytes.count, off_t(position))
        guard count > 0 else { return nil }
        bytes.removeLast(capacity - count)
        return bytes
    }

    /// The number of bytes until the next sentence begins; all of them if none ends here.
    var sentence: Int {
        let end = sentenceEnd(from: first)
        return end < bytes.count ? end : whole
    }

    /// The number of bytes until the next paragraph begins; all of them if none ends here.
    var paragraph: Int {
        var index = first
        while index < bytes.count {
            var next = index
            var lines = 0
            while next < bytes.count, isSpace(next) {
                if unit(next) == 10 { lines += 1 }
                next += coding.width
            }
            if lines > 1, index > first { return min(next, bytes.count) }
            index = max(next, index + coding.width)
        }
        return whole
    }

    /// The number of sentences that begin here; `nil` if the document has more text than the passage holds.
    var sentenceCount: Int? { isCut ? nil : sentences(upTo: bytes.count) }

    /// Returns the number of sentences that begin before `end`.
    func sentences(upTo end: Int) -> Int {
        var (index, count) = (first, 0)
        while index < end {
            let next = min(sentenceEnd(from: index), end)
            if stride(from: index, to: next, by: coding.width).contains(where: { !isSpace($0) }) { count += 1 }
            index = next
        }
        return count
    }

    private func sentenceEnd(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let end = index + stop(index)
            // A blank line ends a heading, which has no full stop.
            let isBlankLine = unit(index) == 10 && unit(index + coding.width) == 10
            if end > index || isBlankLine {
                var next = max(end, index + coding.width)
                let isWide = end > index && unit(index) > 0x7F
                if isWide || isBlankLine || next >= bytes.count || isSpace(next) {
                    while next < bytes.count, isSpace(next) { next += coding.width }
                    return min(next, bytes.count)
                }
            }
            index += coding.width
        }
        return bytes.count
    }

    /// The length of the passage; if the document continues, it ends before the last letter, which may be cut.
    private var whole: Int {
        guard isCut else { return bytes.count }
        let last = first + max(0, bytes.count - first - 1) / coding.width * coding.width
        return stride(from: last, through: first, by: -coding.width)
            .first { coding.beginsLetter(unit($0)) } ?? bytes.count
    }

    /// Returns the code unit that begins at a byte; 0 if it is not whole.
    private func unit(_ index: Int) -> UInt32 { coding.unit(of: bytes, at: index) }

    private func isSpace(_ index: Int) -> Bool {
        let unit = unit(index)
        return unit == 32 || (9...13).contains(unit)
    }

    /// Returns the length of the stop that begins here (a full stop, or its like); 0 if none does.
    private func stop(_ index: Int) -> Int {
        let unit = unit(index)
        if unit == 0x2E || unit == 0x21 || unit == 0x3F { return coding.width }
        if unit < 0x80 { return 0 }
        if coding.width > 1 { return [0x3002, 0xFF01, 0xFF1F, 0x0964, 0x104B].contains(unit) ? coding.width : 0 }
        let wide: [[UInt8]] = [
            [0xE3, 0x80, 0x82], [0xEF, 0xBC, 0x81], [0xEF, 0xBC, 0x9F], [0xE0, 0xA5, 0xA4], [0xE1, 0x81, 0x8B],
        ]
        return wide.contains { bytes[index...].starts(with: $0) } ? 3 : 0
    }
}

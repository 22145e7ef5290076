// SPDX-License-Identifier: Apache-2.0

/// The words of a line of a subtitle, without tags.
struct CueText {
    /// A stretch of the text: bytes of the source, or a character that an entity stands for.
    enum Piece {
        case plain(Range<Int>)
        case decoded(String, Range<Int>)
    }

    private(set) var pieces: [Piece] = []
    /// A dash in front says that another one speaks.
    private(set) var isNewSpeaker = false
    /// The words, by which lines are compared.
    private(set) var words: [Substring] = []

    private static let entities: [String: String] = [
        "&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": " ", "&quot;": "\"", "&apos;": "'", "&#39;": "'",
        "&lrm;": "", "&rlm;": "",
    ]
    /// The longest tag, in bytes; a `<` without an end is a sign.
    private static let longestTag = 200

    init(_ bytes: [UInt8], in range: Range<Int>) {
        var index = range.lowerBound
        var run = index
        var plain = ""
        func skip(to next: Int, _ text: String?, _ pieces: inout [Piece]) {
            if run < index {
                pieces.append(.plain(run..<index))
                plain += String(decoding: bytes[run..<index], as: UTF8.self)
            }
            if let text, !text.isEmpty {
                pieces.append(.decoded(text, index..<next))
                plain += text
            }
            index = next
            run = next
        }
        while index < range.upperBound {
            switch bytes[index] {
            case 0x3C:
                let end = Self.end(0x3E, bytes, index, range.upperBound)
                if let end, Self.isTag(bytes, index + 1) { skip(to: end, nil, &pieces) } else { index += 1 }
            case 0x7B:
                let end = Self.end(0x7D, bytes, index, range.upperBound)
                if let end, index + 1 < end, bytes[index + 1] == 0x5C {
                    skip(to: end, nil, &pieces)
                } else {
                    index += 1
                }
            case 0x26:
                let end = Self.end(0x3B, bytes, index, min(range.upperBound, index + 8))
                if let end, let text = Self.entities[String(decoding: bytes[index..<end], as: UTF8.self)] {
                    skip(to: end, text, &pieces)
                } else {
                    index += 1
                }
            default: index += 1
            }
        }
        skip(to: range.upperBound, nil, &pieces)
        dropDash(bytes)
        words = plain.split(whereSeparator: \.isWhitespace)
        if isNewSpeaker, let first = words.first {
            let rest = first.drop(while: { "-\u{2013}\u{2014}\u{2010}".contains($0) })
            if rest.isEmpty { words.removeFirst() } else { words[0] = rest }
        }
    }

    private mutating func dropDash(_ bytes: [UInt8]) {
        guard case .plain(let range)? = pieces.first else { return }
        let head = String(decoding: bytes[range].prefix(8), as: UTF8.self)
        guard let dash = head.first, "-\u{2013}\u{2014}\u{2010}".contains(dash),
            head.dropFirst().first.map({ !"-\u{2013}\u{2014}".contains($0) }) == true
        else { return }
        isNewSpeaker = true
        pieces[0] = .plain(range.lowerBound + String(dash).utf8.count..<range.upperBound)
    }

    private static func end(_ byte: UInt8, _ bytes: [UInt8], _ start: Int, _ limit: Int) -> Int? {
        bytes[start..<min(limit, start + longestTag)].firstIndex(of: byte).map { $0 + 1 }
    }

    /// Tags begin with a letter, a slash or, in karaoke, a time.
    private static func isTag(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard index < bytes.count else { return false }
        switch bytes[index] {
        case 0x2F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        default: return false
        }
    }
}

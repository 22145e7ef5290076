// SPDX-License-Identifier: Apache-2.0

import EngineSDK

/// A reader of characters that starts at any byte of a document and keeps a small window of it.
struct CharacterReader {
    let document: Document
    let encoding: TextEncoding
    /// The offset of the next character.
    private(set) var offset: Int64
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0

    private static let windowSize = 8192
    private static let longestCharacter = 4

    /// Creates a reader.
    ///
    /// `offset` must be the start of a character.
    init(_ document: Document, encoding: TextEncoding, offset: Int64) {
        self.document = document
        self.encoding = encoding
        self.offset = offset
    }

    /// Returns the next character, or `nil` at the end.
    ///
    /// Invalid bytes, and a character that is cut off by the end, become a replacement character.
    mutating func next() throws(EngineFailure) -> TextCharacter? {
        var index = Int(offset - windowStart)
        if index + Self.longestCharacter > window.count {
            // A window that ends early is the last one, unless bytes were added since.
            if window.isEmpty || windowStart + Int64(window.count) < document.size {
                window = try document.read(at: offset, count: Self.windowSize)
                windowStart = offset
                index = 0
            }
            guard index < window.count else { return nil }
        }
        let (scalar, length) = encoding.decode(window, at: index)
        let character = TextCharacter(scalar ?? TextEncoding.replacement, offset: offset, length: length)
        offset += Int64(length)
        return character
    }

    /// Returns the start of a character at or before `position`, from which whole characters can be read.
    static func boundary(
        in document: Document, encoding: TextEncoding, start: Int64, atOrBefore position: Int64
    ) throws(EngineFailure) -> Int64 {
        let position = max(start, min(position, document.size))
        switch encoding {
        case .windows1252:
            return position
        case .utf8:
            let first = max(start, position - 3)
            let bytes = try document.read(at: first, count: Int(position - first) + 1)
            // At most three bytes continue a character. More of them are damage, which is read byte by byte.
            var back = Int(position - first)
            while back > 0, back < bytes.count, bytes[back] & 0xC0 == 0x80 { back -= 1 }
            return first + Int64(back)
        case .utf16LittleEndian, .utf16BigEndian:
            let unit = start + (position - start) / 2 * 2
            guard unit >= start + 2 else { return unit }
            let bytes = try document.read(at: unit - 2, count: 4)
            let (_, length) = bytes.count >= 2 ? encoding.decode(bytes, at: 0) : (nil, 2)
            return length == 4 ? unit - 2 : unit
        }
    }
}

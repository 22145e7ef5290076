// SPDX-License-Identifier: Apache-2.0

/// Decodes the bytes of a playlist or cue sheet.
enum TextDecoding {
    /// Decodes by the byte order mark if there is one, or else as UTF-8 if the bytes are valid, or else as
    /// Windows-1252.
    ///
    /// Windows-1252 is Latin-1 with quotes and dashes in place of control characters that no list contains.
    static func string(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), highFirst: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), highFirst: true) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(
            String.UnicodeScalarView(
                bytes.map { byte in
                    (0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
                }))
    }

    /// The characters 0x80 to 0x9F.
    ///
    /// Those that are not assigned are as in Latin-1.
    private static let windows1252: [Unicode.Scalar] = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// Returns the lines, which end in LF, CR LF or CR, trimmed.
    static func lines(_ bytes: [UInt8]) -> [Substring] {
        // CR LF is a single `Character`.
        string(bytes).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(trimmed)
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, highFirst: Bool) -> String {
        var units: [UInt16] = []
        var rest = bytes
        while let first = rest.popFirst(), let second = rest.popFirst() {
            units.append(highFirst ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
        }
        return String(decoding: units, as: UTF16.self)
    }
}

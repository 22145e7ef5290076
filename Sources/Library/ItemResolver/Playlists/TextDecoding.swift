// SPDX-License-Identifier: Apache-2.0

/// Turns the bytes of a playlist or cue sheet into text.
enum TextDecoding {
    /// By the byte order mark, else UTF-8 if it is that, else Latin-1.
    static func string(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), highFirst: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), highFirst: true) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Lines that end in LF, CR LF or CR, trimmed.
    static func lines(_ bytes: [UInt8]) -> [Substring] {
        // CR LF is one Character.
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

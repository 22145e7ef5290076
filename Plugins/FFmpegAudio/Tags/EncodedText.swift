// SPDX-License-Identifier: Apache-2.0

/// Decoding of text in the encodings of old formats.
enum EncodedText {
    /// Decodes UTF-16 in the given byte order unless a byte order mark says otherwise.
    static func utf16(_ bytes: some Collection<UInt8>, bigEndian: Bool) -> String {
        var bytes = Array(bytes)
        var isBig = bigEndian
        if bytes.starts(with: [0xfe, 0xff]) {
            isBig = true
            bytes.removeFirst(2)
        } else if bytes.starts(with: [0xff, 0xfe]) {
            isBig = false
            bytes.removeFirst(2)
        }
        let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return String(decoding: units, as: UTF16.self)
    }

    static func latin1(_ bytes: some Collection<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Returns the text up to the first NUL; `nil` if nothing is left.
    static func plain(_ text: String) -> String? {
        let text = String(text.prefix { $0 != "\0" })
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }
}

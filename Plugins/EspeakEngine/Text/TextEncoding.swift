// SPDX-License-Identifier: Apache-2.0

/// An encoding that turns the bytes of a text into characters.
enum TextEncoding: Equatable, Sendable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    case windows1252

    /// The character that replaces invalid bytes.
    ///
    /// It is read as white space.
    static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// Decodes the character at `index`.
    ///
    /// The scalar is `nil` for invalid bytes.
    ///
    /// `bytes` must hold four bytes from `index` on, or all up to the end of the text. The length is at least 1 and
    /// never goes beyond `bytes`.
    func decode(_ bytes: [UInt8], at index: Int) -> (scalar: Unicode.Scalar?, length: Int) {
        switch self {
        case .utf8: Self.decodeUTF8(bytes, at: index)
        case .utf16LittleEndian: Self.decodeUTF16(bytes, at: index, high: 1)
        case .utf16BigEndian: Self.decodeUTF16(bytes, at: index, high: 0)
        case .windows1252: (Self.windows1252(bytes[index]), 1)
        }
    }

    private static func decodeUTF8(_ bytes: [UInt8], at index: Int) -> (Unicode.Scalar?, Int) {
        let first = bytes[index]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
        let (length, second): (Int, ClosedRange<UInt8>)
        switch first {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return (nil, 1)
        }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for step in 1..<length {
            guard index + step < bytes.count else { return (nil, step) }
            let byte = bytes[index + step]
            guard (step == 1 ? second : 0x80...0xBF).contains(byte) else { return (nil, step) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (Unicode.Scalar(value), length)
    }

    private static func decodeUTF16(_ bytes: [UInt8], at index: Int, high: Int) -> (Unicode.Scalar?, Int) {
        guard index + 1 < bytes.count else { return (nil, 1) }
        func unit(_ at: Int) -> UInt32 { UInt32(bytes[at + high]) << 8 | UInt32(bytes[at + 1 - high]) }
        let first = unit(index)
        if let scalar = Unicode.Scalar(first) { return (scalar, 2) }
        guard first < 0xDC00, index + 3 < bytes.count else { return (nil, 2) }
        let second = unit(index + 2)
        guard (0xDC00...0xDFFF).contains(second) else { return (nil, 2) }
        return (Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)), 4)
    }

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar? {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        let value = upperControls[Int(byte) - 0x80]
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    /// Windows-1252 from 0x80 to 0x9F; zero for the five bytes that are undefined.
    private static let upperControls: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
        0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0, 0x017E, 0x0178,
    ]
}

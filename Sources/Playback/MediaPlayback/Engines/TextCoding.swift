// SPDX-License-Identifier: Apache-2.0

/// The width and byte order of a text's code units.
enum TextCoding: Equatable {
    /// UTF-8, or one byte per letter.
    case bytes
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)

    /// Detects the coding by the byte order mark, or else by the zeros, which a text in bytes does not have.
    init(ofDocument beginning: [UInt8]) {
        if beginning.starts(with: [0xFF, 0xFE, 0, 0]) {
            self = .utf32(isBigEndian: false)
        } else if beginning.starts(with: [0, 0, 0xFE, 0xFF]) {
            self = .utf32(isBigEndian: true)
        } else if beginning.starts(with: [0xFF, 0xFE]) {
            self = .utf16(isBigEndian: false)
        } else if beginning.starts(with: [0xFE, 0xFF]) {
            self = .utf16(isBigEndian: true)
        } else {
            self = Self.byZeros(in: beginning)
        }
    }

    /// Detects the coding by zeros: most letters of most texts have one or three zeros before or after them.
    private static func byZeros(in beginning: [UInt8]) -> TextCoding {
        var zeros = [0, 0, 0, 0]
        for (index, byte) in beginning.enumerated() where byte == 0 { zeros[index % 4] += 1 }
        let many = beginning.count / 4 * 3 / 4
        let isZero = zeros.map { many > 0 && $0 >= many }
        return switch isZero {
        case [true, true, true, false]: .utf32(isBigEndian: true)
        case [false, true, true, true]: .utf32(isBigEndian: false)
        case [true, false, true, false]: .utf16(isBigEndian: true)
        case [false, true, false, true]: .utf16(isBigEndian: false)
        default: .bytes
        }
    }

    /// The number of bytes of a code unit.
    var width: Int {
        switch self {
        case .bytes: 1
        case .utf16: 2
        case .utf32: 4
        }
    }

    /// Returns the code unit that begins at a byte; 0 if it is not whole.
    func unit(of bytes: [UInt8], at index: Int) -> UInt32 {
        guard index >= 0, index <= bytes.count - width else { return 0 }
        switch self {
        case .bytes: return UInt32(bytes[index])
        case .utf16(let isBigEndian), .utf32(let isBigEndian):
            return (0..<width).reduce(0) { unit, byte in
                unit << 8 | UInt32(bytes[index + (isBigEndian ? byte : width - 1 - byte)])
            }
        }
    }

    /// Returns `false` for a code unit that continues a letter.
    func beginsLetter(_ unit: UInt32) -> Bool {
        switch self {
        case .bytes: unit & 0xC0 != 0x80
        case .utf16: !(0xDC00...0xDFFF).contains(unit)
        case .utf32: true
        }
    }
}

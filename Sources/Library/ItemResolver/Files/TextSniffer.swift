// SPDX-License-Identifier: Apache-2.0

/// Recognises text by the first bytes of a file.
enum TextSniffer {
    static func isText(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return false }
        if [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]].contains(where: { bytes.starts(with: $0) }) {
            // 0xFF 0xFE also begins frames of MPEG audio, but audio is rarely valid UTF-16: nearly every high surrogate
            // would lack its low surrogate.
            return bytes[0] == 0xEF || isUTF16(bytes)
        }
        var controls = 0
        for byte in bytes {
            switch byte {
            case 0: return false
            case 0x09, 0x0A, 0x0C, 0x0D, 0x1B: break
            case 0..<0x20, 0x7F: controls += 1
            default: break
            }
        }
        // In compressed audio, about one byte in ten is a control character. Bytes that are not UTF-8 may be text in an
        // 8-bit encoding.
        return controls * 100 <= bytes.count
    }

    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        var units: [UInt16] = []
        for index in stride(from: 2, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(bytes[0] == 0xFE ? first << 8 | second : second << 8 | first)
        }
        // The last surrogate pair may be cut in half.
        if let last = units.last, last & 0xFC00 == 0xD800 { units.removeLast() }
        guard String(validating: units, as: UTF16.self) != nil else { return false }
        return !units.contains { $0 == 0 || $0 == 0xFFFF }
    }
}

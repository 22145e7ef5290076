// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding as in RFC 3986.
enum PercentEncoding {
    /// Encodes the path of a file URI: everything but unreserved characters and `/`.
    static func encode(path: some Sequence<UInt8>) -> String {
        var encoded: [UInt8] = []
        for byte in path {
            if isUnreserved(byte) || byte == UInt8(ascii: "/") {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(contentsOf: [digit(byte >> 4), digit(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes text.
    ///
    /// - Returns: `nil` if a `%` is not followed by two hexadecimal digits, or if the result is not UTF-8.
    static func decode(_ text: some StringProtocol) -> String? {
        guard let bytes = decodeBytes(text) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    static func decodeBytes(_ text: some StringProtocol) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                return nil
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The conversion between paths and `file:` URIs (RFC 8089).
enum FileURI {
    /// Returns the URI of an item, which is a path, a URI, or a name of the session's own.
    static func uri(of item: String) -> String { item.hasPrefix("/") ? uri(ofPath: item) : item }

    static func uri(ofPath path: String) -> String {
        var uri = "file://"
        for byte in path.utf8 {
            let isPlain =
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "/-._~!$&'()*+,;=:@".utf8.contains(byte)
                }
            if isPlain {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                uri += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return uri
    }

    /// Returns the path of a `file:` URI on this machine; `nil` for any other.
    static func path(of uri: String) -> String? {
        guard uri.utf8.count < 65_536, uri.lowercased().hasPrefix("file:") else { return nil }
        var rest = uri.dropFirst(5)
        if rest.hasPrefix("//") {
            let authority = rest.dropFirst(2).prefix { $0 != "/" }
            guard authority.isEmpty || authority == "localhost" else { return nil }
            rest = rest.dropFirst(2 + authority.count)
        }
        guard rest.hasPrefix("/") else { return nil }
        var bytes: [UInt8] = []
        var left = Array(rest.utf8)[...]
        while let byte = left.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            let digits = hexadecimal(left.prefix(2))
            guard left.count >= 2, let value = digits, value != 0
            else { return nil }
            bytes.append(value)
            left = left.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the number that two digits stand for; signs and blanks are no digits.
    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        let text = String(decoding: digits, as: UTF8.self)
        return text.allSatisfy(\.isHexDigit) ? UInt8(text, radix: 16) : nil
    }
}

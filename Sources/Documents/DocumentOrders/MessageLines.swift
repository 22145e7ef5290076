// SPDX-License-Identifier: Apache-2.0

/// Lines of a key and a value; a control character in a value becomes a space, on both sides: the other one may be hostile.
enum MessageLines {
    static func encode(_ lines: [String]) -> [UInt8] {
        Array(lines.map { $0.utf8.map(printable) }.joined(separator: [0x0A]))
    }

    private static func printable(_ byte: UInt8) -> UInt8 { byte < 0x20 || byte == 0x7F ? 0x20 : byte }

    static func decode(_ bytes: [UInt8]) -> [(key: String, value: String)] {
        bytes.split(separator: 0x0A).map { line in
            let line = line.map(printable)
            let key = line.prefix { $0 != 0x20 }
            return (
                String(decoding: key, as: UTF8.self), String(decoding: line.dropFirst(key.count + 1), as: UTF8.self)
            )
        }
    }
}

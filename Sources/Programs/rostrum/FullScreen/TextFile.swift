// SPDX-License-Identifier: Apache-2.0

import Glibc
import TerminalPlayer

/// A reader of the part of a text that the player shows.
enum TextFile {
    private static let before: Int64 = 32_768
    private static let length = 131_072

    /// Reads whole lines around a byte; `nil` if the item is no file that can be read, or not UTF-8.
    static func passage(uri: String, around offset: Int64) -> DisplayedText? {
        guard let path = path(of: uri) else { return nil }
        // A pipe in the place of the file must not hold the player up.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var found = stat()
        guard fstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
        var start = min(max(0, offset - before), Int64(found.st_size))
        var bytes = [UInt8](repeating: 0, count: length)
        let count = pread(file, &bytes, length, off_t(start))
        guard count > 0 else { return nil }
        let isEnd = start + Int64(count) >= Int64(found.st_size)
        var part = bytes[..<count]
        let newline = UInt8(ascii: "\n")
        if start > 0 {
            // A line of more than 32 KB is cut at a character.
            let first = part.prefix(Int(offset - start)).firstIndex(of: newline).map { $0 + 1 } ?? 0
            part = part[first...].drop { $0 & 0xC0 == 0x80 }
            start += Int64(part.startIndex)
        }
        if !isEnd {
            if let last = part.lastIndex(of: newline), Int64(last) > offset - start {
                part = part[...last]
            } else {
                while let last = part.last, last & 0xC0 == 0x80 { part.removeLast() }
                if let last = part.last, last >= 0xC0 { part.removeLast() }
            }
        }
        guard String(validating: part, as: UTF8.self) != nil else { return nil }
        return DisplayedText(uri: uri, offset: start, bytes: Array(part), isWhole: isEnd && start == 0)
    }

    /// The path of a `file:` URI.
    private static func path(of uri: String) -> String? {
        guard uri.hasPrefix("file:///") else { return nil }
        var bytes: [UInt8] = []
        var rest = uri.utf8.dropFirst(7)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Some text behind a place, and where the next sentence of it begins.
struct TextPassage {
    private static let capacity = 4096
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads; nil if there is nothing to read.
    ///
    /// May wait for a file system.
    init?(_ source: TrackSource, from position: Int64, upTo capacity: Int = Self.capacity) {
        guard position >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: capacity)
        let count: Int
        switch source {
        case .file(let path):
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { return nil }
            defer { close(file) }
            count = pread(file, &bytes, bytes.count, off_t(position))
        case .descriptor(let shared, _):
            count = pread(shared.rawValue, &bytes, bytes.count, off_t(position))
        case .url: return nil
        }
        guard count > 0 else { return nil }
        self.bytes = Array(bytes.prefix(count))
    }

    /// Bytes until the next sentence begins; all of them if none ends here.
    var sentence: Int {
        let end = sentenceEnd(from: 0)
        return end < bytes.count ? end : whole
    }

    /// Bytes until the next paragraph begins; all of them if none ends here.
    var paragraph: Int {
        var index = 0
        while index < bytes.count {
            var next = index
            var lines = 0
            while next < bytes.count, Self.isSpace(bytes[next]) {
                if bytes[next] == 10 { lines += 1 }
                next += 1
            }
            if lines > 1, index > 0 { return next }
            index = max(next, index + 1)
        }
        return whole
    }

    /// How many begin here.
    var sentenceCount: Int {
        var (index, count) = (0, 0)
        while index < bytes.count {
            let end = sentenceEnd(from: index)
            if bytes[index..<end].contains(where: { !Self.isSpace($0) }) { count += 1 }
            index = end
        }
        return count
    }

    private func sentenceEnd(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let end = index + Self.stop(bytes[index...])
            // A blank line ends a heading, which has no stop.
            let isBlankLine = bytes[index] == 10 && index + 1 < bytes.count && bytes[index + 1] == 10
            if end > index || isBlankLine {
                var next = max(end, index + 1)
                let isWide = end - index > 1
                if isWide || isBlankLine || next == bytes.count || Self.isSpace(bytes[next]) {
                    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
                    return next
                }
            }
            index += 1
        }
        return bytes.count
    }

    /// All of it; if more follows not in the middle of a letter (UTF-8), so before the last one.
    private var whole: Int {
        guard bytes.count == Self.capacity else { return bytes.count }
        return bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    /// Length of the stop that stands at the beginning (a full stop, or its like); 0 if none does.
    private static func stop(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        if first == 0x2E || first == 0x21 || first == 0x3F { return 1 }
        let wide: [[UInt8]] = [
            [0xE3, 0x80, 0x82], [0xEF, 0xBC, 0x81], [0xEF, 0xBC, 0x9F], [0xE0, 0xA5, 0xA4], [0xE1, 0x81, 0x8B],
        ]
        return wide.contains { bytes.starts(with: $0) } ? 3 : 0
    }
}

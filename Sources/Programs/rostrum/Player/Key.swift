// SPDX-License-Identifier: Apache-2.0

/// A key of the attached player.
enum Key: Hashable {
    case space, left, right, up, down
    case previousChapter, nextChapter
    case slower, faster
    case quit
}

/// A parser of keys from the bytes of a terminal, which may split the sequence of an arrow key.
struct KeyReader {
    private var escape: [UInt8] = []

    mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { next($0) }
    }

    private mutating func next(_ byte: UInt8) -> Key? {
        if byte == 0x1B {
            escape = [byte]
            return nil
        }
        guard !escape.isEmpty else { return Self.plain(byte) }
        escape.append(byte)
        // ESC [ or ESC O begins a sequence, parameters follow, and a letter or ~ ends it.
        if escape.count == 2 {
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") { return nil }
            escape = []
            return Self.plain(byte)
        }
        guard (0x40...0x7E).contains(byte) else {
            if escape.count > 16 { escape = [] }
            return nil
        }
        let isPlain = escape.count == 3
        escape = []
        guard isPlain else { return nil }
        switch byte {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        default: return nil
        }
    }

    private static func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: " "): .space
        case UInt8(ascii: "<"): .previousChapter
        case UInt8(ascii: ">"): .nextChapter
        case UInt8(ascii: "["): .slower
        case UInt8(ascii: "]"): .faster
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): .quit
        default: nil
        }
    }
}

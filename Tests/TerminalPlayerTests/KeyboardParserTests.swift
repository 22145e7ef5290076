// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalPlayer

@Suite
struct `Input of a terminal` {
    /// What was done, in words.
    private static func words(_ events: [PlayerEvent]) -> [String] {
        events.map { event in
            switch event {
            case .key(let key): key.name
            case .press(let row, let column): "press \(row) \(column)"
            case .drag(let row, let column): "drag \(row) \(column)"
            case .lift(let row, let column): "lift \(row) \(column)"
            case .paste(let text): "paste \(text)"
            case .wheel(let rows): "wheel \(rows)"
            case .focused: "focus"
            default: "?"
            }
        }
    }

    @Test(arguments: [
        ("aé三🙂", ["a", "é", "三", "🙂"]), (" ", ["space"]),
        ("\r\n\t\u{7F}\u{8}", ["enter", "enter", "tab", "backspace", "backspace"]),
        ("\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[D", ["up", "down", "right", "left"]),
        (
            "\u{1B}[H\u{1B}[4~\u{1B}[5~\u{1B}[6~\u{1B}OH\u{1B}OF\u{1B}[7~",
            ["home", "end", "pageup", "pagedown", "home", "end", "home"]
        ),
        (
            "\u{1B}OP\u{1B}[11~\u{1B}[15~\u{1B}[17~\u{1B}[24~\u{1B}[[A\u{1B}[[E",
            ["f1", "f1", "f5", "f6", "f12", "f1", "f5"]
        ),
        ("\u{1B}Op\u{1B}Oy\u{1B}Ok\u{1B}OM", ["0", "9", "+", "enter"]),
        (
            "\u{1B}[<0;11;15M\u{1B}[<0;11;15m\u{1B}[<64;1;1M\u{1B}[<65;1;1M",
            ["press 14 10", "lift 14 10", "wheel -3", "wheel 3"]
        ),
        ("\u{1B}[<0;3;4M\u{1B}[<32;5;4M\u{1B}[<0;5;4m\u{1B}[<2;5;4m", ["press 3 2", "drag 3 4", "lift 3 4"]),
        ("\u{1B}[M !!x\u{1B}[M@\"!\u{1B}[M#\"!", ["press 0 0", "x", "drag 0 1", "lift 0 1"]),
        ("\u{1B}[I\u{1B}[O", ["focus"]),
        ("\u{1B}[97u\u{1B}[13u\u{1B}[27u", ["a", "enter", "escape"]), ("\u{1B}x", ["escape", "x"]),
        ("\u{1B}\u{1B}[A", ["escape", "up"]),
        // No keys.
        ("\u{1B}[u\u{1B}[27;5~\u{1B}[ P\u{1B}[$A\u{1B}[/H\u{1B}[!R", []),
        ("\u{1B}[4294967396u\u{1B}[999999999999u", []),
        ("\u{1B}]0;title\u{7}a\u{1B}]1;x\u{1B}\\b\u{1B}P+q\u{1B}\\c", ["a", "b", "c"]),
        ("\u{1B}[?1;2c\u{1B}[12;40R\u{1B}[>0;1;2c", []),
        ("\u{1B}[200~pa\nste\u{1B}[A\u{1B}[201~x", ["paste pa\nste\u{1B}[A", "x"]),
        ("\u{1B}[<0;1M\u{1B}[<9;9;9;9M", []),
        ("\u{1B}[1\u{7}", ["\u{7}"]), ("\u{1B}[12\u{1B}[B", ["down"]), ("\u{1B}Oz\u{1B}[Z", []),
    ])
    func `is understood, at once and byte by byte`(sent: String, done: [String]) {
        var whole = KeyboardParser()
        let atOnce = Self.words(whole.take(Array(sent.utf8)))
        #expect(atOnce == done)
        #expect(!whole.isIncomplete)
        var pieces = KeyboardParser()
        let oneByOne = Self.words(sent.utf8.flatMap { pieces.take([$0]) })
        #expect(oneByOne == done)
    }

    @Test func `is an Escape if nothing follows it`() {
        var parser = KeyboardParser()
        let first = parser.take([0x1B])
        #expect(first.isEmpty && parser.isIncomplete)
        let rest = Self.words(parser.finish())
        #expect(rest == ["escape"] && !parser.isIncomplete)
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x61], [0xC3, 0x28, 0x61], [0xE2, 0x82, 0x61], [0xF0, 0x9F, 0x61], [0xC0, 0x80, 0x61],
            [0xED, 0xA0, 0x80, 0x61],
        ] as [[UInt8]])
    func `is dropped if it is no character`(bytes: [UInt8]) {
        var parser = KeyboardParser()
        let done = Self.words(parser.take(bytes))
        #expect(done.last == "a")
    }

    @Test func `cannot fill the memory, whatever it is`() {
        var parser = KeyboardParser()
        for begin in ["\u{1B}[", "\u{1B}]", "\u{1B}[<", "\u{1B}O"] {
            _ = parser.take(Array(begin.utf8) + Array(repeating: UInt8(ascii: "1"), count: 100_000))
            _ = parser.finish()
        }
        var number: UInt64 = 1
        for _ in 0..<200_000 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let byte = UInt8(truncatingIfNeeded: number >> 33)
            _ = parser.take([number >> 60 < 4 ? 0x1B : byte])
        }
        _ = parser.finish()
        let done = Self.words(parser.take(Array("q".utf8)))
        #expect(done == ["q"])
    }

    @Test(arguments: [("[", "["), ("O", "O"), ("]", "]"), ("P", "P")])
    func `is Escape and a key if nothing follows the two`(sent: String, key: String) {
        var parser = KeyboardParser()
        let first = parser.take([0x1B] + Array(sent.utf8))
        #expect(first.isEmpty && parser.patience == 50)
        let rest = Self.words(parser.finish())
        #expect(rest == ["escape", key])
    }
}

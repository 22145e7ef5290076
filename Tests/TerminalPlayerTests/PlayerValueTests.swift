// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Testing

@testable import TerminalPlayer

@Suite
struct `The books of the library` {
    private var list: BookList {
        var list = BookList()
        _ = list.begin()
        _ = list.take(Scene.shelf)
        _ = list.take([])
        return list
    }

    @Test(arguments: [
        (0, ["d4", "a1", "c3", "b2", "e5"]), (1, ["a1", "b2", "c3", "d4", "e5"]), (2, ["b2", "d4", "c3", "a1", "e5"]),
        (3, ["c3", "a1", "d4", "b2", "e5"]), (4, ["d4", "a1", "c3", "b2", "e5"]),
    ])
    func `are sorted by when they were heard, title, author and progress`(presses: Int, ids: [String]) {
        var list = list
        for _ in 0..<presses { list.nextOrder() }
        #expect(list.shown.map(\.id) == ids)
    }

    @Test(arguments: [
        (0, ["d4", "a1", "c3", "b2", "e5"]), (1, ["d4", "a1"]), (2, ["b2", "e5"]), (3, ["c3"]),
    ])
    func `are filtered by how far they were heard`(presses: Int, ids: [String]) {
        var list = list
        for _ in 0..<presses { list.nextFilter() }
        #expect(list.shown.map(\.id) == ids)
    }

    @Test(arguments: [
        ("emile", ["a1"]), ("EMI rous", ["a1"]), ("the", ["d4"]), ("三", ["e5"]), ("a", ["d4", "a1", "c3", "b2"]),
        ("nothing", []), ("  ", ["d4", "a1", "c3", "b2", "e5"]),
    ])
    func `are found by words of title and author, without accents`(search: String, ids: [String]) {
        var list = list
        list.search(for: search)
        #expect(list.shown.map(\.id) == ids)
    }

    @Test func `keep the selected one when the list is read again`() {
        var list = list
        list.selection.index = 2
        let begins = list.begin()
        #expect(begins)
        _ = list.take(Array(Scene.shelf.dropFirst()))
        _ = list.take([])
        #expect(list.selected?.id == "c3")
    }
}

@Suite
struct `Keys` {
    @Test(
        arguments: [
            ([], "p", PlayerAction.pause), (["stop=p"], "p", .stop), (["pause=z"], "z", .pause),
            (["pause=z"], "p", nil),
            (["undo=space"], " ", .undo), (["quit=f"], "f", .quit), (["stop=="], "=", .stop),
        ] as [([String], Character, PlayerAction?)])
    func `are those of the setting`(assignments: [String], key: Character, action: PlayerAction?) {
        #expect(KeyBindings(assignments).action(of: .character(key)) == action)
    }

    @Test(arguments: ["fly=p", "pause=nokey", "pause", "=", ""])
    func `that have no meaning are reported and change nothing`(assignment: String) {
        let bindings = KeyBindings([assignment])
        #expect(bindings.fault?.contains(assignment) == true)
        #expect(bindings.action(of: .character("p")) == .pause)
    }

    @Test func `have no double meaning`() {
        let keys = PlayerAction.allCases.flatMap(\.defaultKeys)
        #expect(Set(keys).count == keys.count)
    }
}

@Suite
struct `A passage of text` {
    private func lines(_ text: String, _ columns: Int) -> [String] {
        DisplayedText(uri: "", offset: 100, bytes: Array(text.utf8)).lines(columns: columns).map(\.text)
    }

    @Test(arguments: [
        ("one two three four", ["one two ", "three four"]), ("", [""]), ("a\n\nb", ["a", "", "b"]),
        ("abcdefghijklmnop", ["abcdefghij", "klmnop"]), ("well-known thing", ["well-", "known ", "thing"]),
        ("海の向こうへ行く", ["海の向こう", "へ行く"]), ("end\n", ["end", ""]),
    ])
    func `is broken between words`(text: String, expected: [String]) {
        #expect(lines(text, 10) == expected)
    }

    @Test func `knows the bytes of each line`() {
        let text = "Ærø og Ålborg\nslut"
        let lines = DisplayedText(uri: "", offset: 5, bytes: Array(text.utf8)).lines(columns: 10)
        for line in lines {
            let bytes = Array(text.utf8)[Int(line.range.lowerBound - 5)..<Int(line.range.upperBound - 5)]
            #expect(String(decoding: bytes, as: UTF8.self) == line.text)
        }
        #expect(lines.map(\.text) == ["Ærø og ", "Ålborg", "slut"])
    }
}

@Suite
struct `A picture in characters` {
    @Test func `has the colours of its sequences`() {
        let text = "\u{1B}[0m\u{1B}[38;5;9;48;5;200m▄\u{1B}[7m▄\u{1B}[0;31mx\u{1B}[39m \u{1B}[?25l\nrow"
        let picture = PictureParser.cells(of: Array(text.utf8), columns: 4, rows: 5)
        #expect(
            picture.first?.map(\.style) == [
                .picture(foreground: 9, background: 200), .picture(foreground: 200, background: 9),
                .picture(foreground: 1, background: -1), .picture(foreground: -1, background: -1),
            ])
        #expect(picture.last?.count == 3)
    }

    @Test(arguments: ["\u{1B}[38;5m", "\u{1B}[48;5;999mx", "\u{1B}[", "\u{1B}", "\u{1B}[38;2;1;2;3mx", "\0\u{7}"])
    func `cannot be harmed by broken sequences`(text: String) {
        let picture = PictureParser.cells(of: Array(text.utf8) + [0xFF, 0xC3], columns: 3, rows: 3)
        #expect(picture.count <= 1)
    }
}

@Suite
struct `The plain player` {
    @Test func `says what changes, and nothing as time passes`() {
        let playing = Status.paused.with { $0.status = "playing" }
        let held = playing.with {
            $0.rate = 1.5; $0.suppression = "interruption"; $0.intent = "play"; $0.status = "paused"
        }
        let steps: [(Status, [String])] = [
            (.paused, ["The Whale - H. Melville", "Chapter 3 of 12: The Inn", "Paused."]),
            (playing, ["Playing."]), (playing.with { $0.position.ms = 3_800_000 }, []),
            (playing.with { $0.rate = 1.5 }, ["Speed 1.5x"]),
            (held, ["Held: a call or another program has the sound."]),
            (
                held.with {
                    $0.chapter?.index = 3; $0.chapter?.title = "Next\u{1B}[2J"
                },
                ["Chapter 4 of 12: Next [2J"]
            ),
        ]
        var narrator = PlainNarrator()
        for (status, expected) in steps {
            let lines = narrator.lines(for: status, at: 0)
            #expect(lines == expected)
        }
    }

    @Test(arguments: [
        ("", PlainCommand.nothing), ("text", .text),
        ("follow", .follow(true)), ("follow on", .follow(true)), ("follow off", .follow(false)),
        ("follow me", .wrong("follow: say follow, or follow off")),
        ("seek byte:120", .send(.addressed(Address(owner: "main"), .seek("byte:120")))),
        ("p", .send(.addressed(Address(owner: "main"), .toggle))),
        ("  SEEK  +30 ", .send(.addressed(Address(owner: "main"), .seek("+30")))),
        ("volume 80", .send(.addressed(Address(owner: "main"), .volume(0.8)))),
        ("speed fast", .wrong("speed: give a number from 0.5 to 3, such as 1.25")),
        ("library the whale", .library("the whale")),
        ("play 3", .play(3)), ("play x", .wrong("play: give the number of a book; library lists them")),
        ("dance", .wrong("no such command: dance; help lists them")),
        ("seek", .wrong("no such command: seek; help lists them")),
        ("quit", .quit),
        ("speed nan", .wrong("speed: give a number from 0.5 to 3, such as 1.25")),
        ("volume 1e400", .wrong("volume: give a number from 0 to 100")),
    ])
    func `takes commands as lines`(line: String, command: PlainCommand) {
        #expect(PlainCommand(line) == command)
    }

    @Test func `numbers the books of a list`() {
        var narrator = PlainNarrator()
        let begins = narrator.beginList(matching: "nothing")
        // A second search while the list is read does not mix the two.
        let beginsTwice = narrator.beginList(matching: "melville")
        #expect(begins && !beginsTwice)
        _ = narrator.takeList(Scene.shelf)
        _ = narrator.takeList([])
        let lines = narrator.listed()
        #expect(lines == ["1: The Whale, H. Melville, 10 percent heard"])
        #expect(narrator.book(1)?.id == "d4")
        #expect(narrator.book(2) == nil && narrator.book(0) == nil && narrator.book(.min) == nil)
    }
}

@Suite
struct `Big letters` {
    @Test(arguments: [(BigLetters.Scale.small, 3, 8), (.medium, 5, 8), (.large, 5, 16)])
    func `have rows of one length`(scale: BigLetters.Scale, rows: Int, columns: Int) {
        #expect(BigLetters.rows("É1", scale, block: "#")?.map(\.count) == Array(repeating: columns, count: rows))
    }

    @Test func `are refused for what they cannot show`() { #expect(BigLetters.rows("三体", .small, block: "#") == nil) }

    @Test func `break a title between words, and say that there is more`() {
        #expect(
            BigLetters.lines("The Selected Poems of Emily", letters: 12, most: 2) == ["The Selected", "Poems of..."])
    }
}

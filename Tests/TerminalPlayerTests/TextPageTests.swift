// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Testing

@testable import TerminalPlayer

/// A player that reads a text, whose session answers what the page asks for.
private struct TextScene {
    static let uri = "file:///texts/a.html"
    var scene: Scene
    let text: [UInt8]
    /// The sentences: from each capital letter behind a full stop to the full stop.
    let sentences: [TextPassage.Sentence]
    /// The requests for parts of the text.
    var requests: [TextPassageRequest] = []
    var answersAtOnce = true

    init(_ text: String, at word: String? = nil, rows: Int = 24, columns: Int = 80, glyphs: Glyphs = .unicode) {
        scene = Scene(rows: rows, columns: columns, glyphs: glyphs)
        self.text = Array(text.utf8)
        var sentences: [TextPassage.Sentence] = []
        var start = 0
        for (index, byte) in self.text.enumerated() where byte == UInt8(ascii: ".") {
            sentences.append(.init(start: Int64(start), end: Int64(index + 1)))
            start = index + 1
            while start < self.text.count, [UInt8(ascii: " "), 10].contains(self.text[start]) { start += 1 }
        }
        self.sentences = sentences
        hear(word.map { byte(of: $0) } ?? 0, length: word?.utf8.count ?? 3)
    }

    func byte(of words: String, after place: Int64 = 0) -> Int64 {
        let sought = Array(words.utf8)
        for index in Int(place)...(text.count - sought.count)
        where text[index] == sought[0] && text[index..<index + sought.count].elementsEqual(sought) {
            return Int64(index)
        }
        return -1
    }

    mutating func hear(_ byte: Int64, length: Int = 3) {
        take(
            .status(
                .paused.with {
                    $0.status = "playing"
                    $0.intent = "play"
                    $0.item = .init(uri: Self.uri, title: "A text", author: nil)
                    $0.chapter = nil
                    $0.text = .init(offset: byte, length: Int64(length))
                }))
    }

    /// The part that a session sends; lines are not looked at here.
    func passage(_ request: TextPassageRequest) -> TextPassage {
        let start = min(Int(request.fromByte ?? 0), text.count)
        let part = text[start..<min(text.count, start + request.limit)]
        let end = Int64(start + part.count)
        return TextPassage(
            uri: Self.uri, size: Int64(text.count), offset: Int64(start), text: String(decoding: part, as: UTF8.self),
            sentences: sentences.filter { $0.end > Int64(start) && $0.start < end })
    }

    mutating func take(_ event: PlayerEvent) { answer(scene.take(event)) }

    private mutating func answer(_ effects: [PlayerEffect]) {
        for case .send(.addressed(let address, .text(let request)), let wish) in effects {
            #expect(address == Address(owner: "main"))
            requests.append(request)
            guard answersAtOnce, requests.count < 1000 else { continue }
            answer(scene.take(.answer(wish, .success(.text(passage(request))))))
        }
    }

    mutating func press(_ keys: TerminalKey...) { for key in keys { take(.key(key)) } }

    mutating func type(_ text: String) { for character in text { press(.character(character)) } }

    mutating func search(_ words: String) {
        press(.character("/"))
        type(words)
        press(.enter)
    }

    /// What is written in a style.
    func marked(_ style: Style) -> String {
        let screen = scene.state.frame(now: scene.now).screen
        return (0..<screen.rows).map { row in
            String(
                (0..<screen.columns).filter { screen[row, $0].style == style }.compactMap { screen[row, $0].character })
        }.filter { !$0.isEmpty }.joined(separator: "|")
    }

    /// The cell of a text on the screen.
    func cell(of words: String) throws -> (row: Int, column: Int) {
        let lines = scene.lines
        let row = try #require(lines.firstIndex { $0.contains(words) })
        return (row, lines[row].distance(from: lines[row].startIndex, to: lines[row].range(of: words).lowerBound))
    }

    var seeks: [SessionCommand] { scene.commands }
}

extension String {
    fileprivate func range(of words: String) -> Range<String.Index> {
        var start = startIndex
        while !self[start...].hasPrefix(words) { start = index(after: start) }
        return start..<index(start, offsetBy: words.count)
    }
}

@Suite
struct `The page of a text` {
    private static let short = "The first one is short. Here the second sentence begins,\nand ends. Third."
    private static let third = TerminalKey.character("3")
    /// A text of many passages: 20,000 numbered sentences, and words in a few places.
    private static let long = (0..<20_000).map { index in
        switch index {
        case 10: "Here is a Résumé of it all."
        case 5_000: "The white\nwhale is seen."
        case 19_998: "The WHITE Whale is gone."
        default: "Sentence \(index) says that nothing happens at all." + (index % 7 == 0 ? "\n" : "")
        }
    }.joined(separator: " ")

    @Test(arguments: [Glyphs.unicode, .ascii])
    func `marks the word that is heard, and its sentence`(glyphs: Glyphs) {
        var page = TextScene(Self.short, at: "second", glyphs: glyphs)
        #expect(page.requests == [], "nothing is asked for that is not shown")
        page.press(Self.third)
        #expect(page.requests == [TextPassageRequest(fromByte: 0, limit: 131_072)])
        #expect(page.marked(.spoken) == "second")
        #expect(page.marked(.sentence) == "Here the  sentence begins,|and ends.")
        page.hear(page.byte(of: "Third"), length: 5)
        #expect(page.marked(.spoken) == "Third" && page.marked(.sentence) == ".")
        #expect(page.requests.count == 1)
    }

    @Test func `marks the word only, where the engine finds the sentences`() {
        var page = TextScene("one two three", at: "two")
        page.press(Self.third)
        #expect(page.marked(.spoken) == "two" && page.marked(.sentence) == "")
    }

    @Test func `says why there is no text, and asks again when the voice has gone on`() {
        var page = TextScene(Self.short)
        page.answersAtOnce = false
        page.press(Self.third)
        #expect(page.scene.text.contains("One moment."))
        let error = SessionError(.badContent, "the text of “A text” cannot be shown: it came through a pipe")
        page.take(.answer(.text(.window), .failure(error)))
        #expect(page.scene.text.contains("cannot be shown: it came through a pipe"))
        page.hear(4)
        #expect(page.requests.count == 1)
        page.hear(2000)
        #expect(page.requests.count == 2)
    }

    @Test func `asks for more as the voice goes on, and when it is scrolled to the end and back`() {
        var page = TextScene(Self.long)
        page.press(Self.third)
        let far = page.byte(of: "Sentence 9000 ")
        page.hear(far)
        #expect(page.requests.map(\.fromByte) == [0, far - 32_768])
        #expect(page.scene.text.contains("Sentence 9000 says"))
        page.press(.end)
        #expect(page.scene.text.contains("Sentence 19999"))
        #expect(page.scene.text.contains("r reads from here   v follows the voice"))
        page.press(.home)
        #expect(page.scene.text.contains("Sentence 0 says"))
        let asked = page.requests.count
        for _ in 0..<40 { page.press(.pageDown) }
        #expect(!page.scene.text.contains("Sentence 0 says") && page.requests.count <= asked + 1)
        page.press(.enter)
        #expect(page.scene.text.contains("Sentence 9000 says"))
        #expect(!page.scene.text.contains("follows the voice"))
    }

    @Test func `scrolls line by line through all of it`() throws {
        var page = TextScene(Self.long)
        page.press(Self.third)
        var last = -1
        for step in 0..<1500 {
            page.take(.wheel(15))
            guard step % 20 == 19 else { continue }
            let words = page.scene.text.split(whereSeparator: \.isWhitespace)
            let sentence = try #require(words.firstIndex { $0 == "Sentence" })
            let first = try #require(Int(words[sentence + 1]))
            #expect(first >= last)
            last = first
        }
        #expect(last > 19_900)
        #expect(page.requests.count < 40)
    }

    @Test func `asks again for what came before its sentences were known, once they are`() {
        var page = TextScene(Self.short, at: "second")
        page.answersAtOnce = false
        page.press(Self.third)
        let request = TextPassageRequest(fromByte: 0, limit: 131_072)
        var early = page.passage(request)
        (early.sentences, early.known) = ([], 0)
        page.take(.answer(.text(.window), .success(.text(early))))
        #expect(page.marked(.spoken) == "second" && page.marked(.sentence) == "")
        for news in [TextProgress(uri: "file:///other", end: 99), TextProgress(uri: TextScene.uri, end: 0)] {
            page.take(.text(news))
            page.hear(page.byte(of: "second"), length: 6)
        }
        #expect(page.requests == [request], "nothing more is known")
        page.take(.text(TextProgress(uri: TextScene.uri, end: 99)))
        #expect(page.requests == [request, request])
        page.take(.tick)
        #expect(page.requests.count == 2)
        page.take(.answer(.text(.window), .success(.text(page.passage(request)))))
        #expect(page.marked(.sentence) == "Here the  sentence begins,|and ends.")
        page.take(.text(TextProgress(uri: TextScene.uri, end: 99)))
        #expect(page.requests.count == 2, "all of it is known")
    }

    @Test func `takes the news that come before the text they are about`() {
        var page = TextScene(Self.short, at: "second")
        page.answersAtOnce = false
        page.press(Self.third)
        page.take(.text(TextProgress(uri: TextScene.uri, end: 99)))
        var early = page.passage(TextPassageRequest(fromByte: 0, limit: 131_072))
        early.known = 4
        page.take(.answer(.text(.window), .success(.text(early))))
        #expect(page.requests.count == 2)
        // A session that repeats itself is not asked for ever.
        page.take(.answer(.text(.window), .success(.text(early))))
        #expect(page.requests.count == 2)
    }

    // MARK: - Search

    @Test(arguments: [
        ("whale", "whale"), ("white WHALE", "white|whale"), ("sentence 19997 says", "Sentence 19997 says"),
        ("happens at all", "happens at all"), ("no", "no"), ("19999", "19999"), ("resume of", "Résumé of"),
        ("RÉSUMÉ OF", "Résumé of"), ("Sentence 3 says", "Sentence 3 says"),
    ])
    func `finds words in any case, over lines and passages`(words: String, found: String) {
        var page = TextScene(Self.long)
        page.press(Self.third)
        page.search(words)
        #expect(page.marked(.found) == found)
        #expect(page.scene.text.contains("n next: \(words)"))
        #expect(page.requests.count < 40)
    }

    @Test func `goes on to the next place, and from the end to the beginning`() throws {
        var page = TextScene(Self.long)
        page.press(Self.third)
        page.search("white whale")
        let places = [page.byte(of: "white\nwhale"), page.byte(of: "WHITE Whale")]
        for place in places + places {
            #expect(page.scene.state.reading.search.match?.lowerBound == place)
            #expect(page.marked(.found) != "")
            page.press(.character("n"))
        }
        #expect(page.requests.count < 200)
    }

    @Test func `says that words are nowhere, after it has looked once everywhere`() {
        var page = TextScene(Self.long)
        page.press(Self.third)
        page.press(.end)
        let before = page.requests.count
        page.search("whales")
        #expect(page.scene.text.contains("not in this text: whales"))
        #expect(page.requests.count - before < page.text.count / 60_000 + 4)
        page.press(.escape)
        #expect(!page.scene.text.contains("whales"))
    }

    @Test func `can be given up, and what comes then changes nothing`() throws {
        var page = TextScene(Self.long)
        page.press(Self.third)
        page.answersAtOnce = false
        page.search("whale")
        #expect(page.scene.text.contains("searching, 13%: whale"))
        guard case .send(_, let wish) = try #require(page.scene.effects.last) else { return }
        page.press(.escape)
        let screen = page.scene.text
        let found = page.passage(TextPassageRequest(fromByte: page.byte(of: "white\nwhale")))
        page.take(.answer(wish, .success(.text(found))))
        #expect(page.scene.text == screen)
        #expect(page.scene.state.reading.search.match == nil)
    }

    @Test func `takes what is typed and pasted, and the other keys do their work again afterwards`() {
        var page = TextScene(Self.short)
        page.press(Self.third, .character("/"))
        page.type("qx3 ")
        page.take(.paste("a\nb"))
        page.press(.backspace)
        #expect(page.scene.text.contains("search: qx3 a _"))
        #expect(page.seeks == [])
        page.press(.escape, .character(" "))
        #expect(page.seeks == [.toggle])
    }

    @Test func `ends with a session that leads nowhere`() {
        for size in [Int64.min, -1, 0, 1, 5000, .max] {
            for offset in [Int64.min, -1, 0, 1 << 49, .max] {
                for text in ["", "é", "no such words"] {
                    var page = TextScene(Self.short)
                    page.answersAtOnce = false
                    page.press(Self.third, .end)
                    page.search("zzz")
                    var count = 0
                    while count < 100, case .send(_, .text(let wish))? = page.scene.effects.last {
                        page.scene.effects = []
                        count += 1
                        page.take(
                            .answer(
                                .text(wish),
                                .success(
                                    .text(
                                        .init(
                                            uri: TextScene.uri, size: size, offset: offset, text: text,
                                            sentences: [
                                                .init(start: size, end: offset), .init(start: offset, end: size),
                                            ]
                                        )))))
                    }
                    #expect(count < 10, "\(size) \(offset)")
                    #expect(page.scene.lines.count == 24)
                    page.press(.character("r"), .up, .end)
                }
            }
        }
    }

    // MARK: - Reading from a place

    @Test func `reads from the first sentence of the window, and follows the voice when that is there`() throws {
        var page = TextScene(Self.long)
        page.press(Self.third)
        page.take(.wheel(30))
        page.press(.character("r"))
        let top = try #require(page.scene.state.reading.top)
        let start = try #require(page.sentences.first { $0.start >= top }).start
        #expect(page.seeks == [.seek("byte:\(start)")])
        page.hear(4)
        #expect(page.scene.state.reading.top == top)
        page.hear(start)
        #expect(page.scene.state.reading.top == nil)
    }

    @Test func `reads from the sentence of what was found`() {
        var page = TextScene(Self.long)
        page.press(Self.third)
        page.search("whale is seen")
        page.press(.character("r"))
        #expect(page.seeks == [.seek("byte:\(page.byte(of: "The white\nwhale"))")])
    }

    @Test(arguments: [
        ("second", "Here"), ("begins,", "Here"), ("and", "Here"), ("Third", "Third"), ("first", "The first"),
    ])
    func `reads from the sentence of a word that is pressed`(word: String, sentence: String) throws {
        var page = TextScene(Self.short, at: "The")
        page.press(Self.third)
        let (row, column) = try page.cell(of: word)
        page.take(.press(row: row, column: column))
        #expect(page.seeks == [.seek("byte:\(page.byte(of: sentence))")])
    }

    @Test func `reads from the word that is pressed, where the engine finds the sentences`() throws {
        var page = TextScene("eins zwei größer drei", at: "eins")
        page.press(Self.third)
        let (row, column) = try page.cell(of: "er drei")
        page.take(.press(row: row, column: column))
        #expect(page.seeks == [.seek("byte:10")])
    }
}

@Suite
struct `The text in the plain player` {
    @Test func `is said from the sentence that is heard on`() {
        var narrator = PlainNarrator()
        let text = "One. Two\nis long. Three. Four. Five."
        let starts: [Int64] = [0, 5, 18, 25, 31]
        let ends: [Int64] = [4, 17, 24, 30, 36]
        let passage = TextPassage(
            uri: "file:///a.txt", size: 36, offset: 0, text: text,
            sentences: zip(starts, ends).map { .init(start: $0, end: $1) })
        #expect(narrator.sentences(passage, at: 0) == ["Nothing has been read yet."])
        _ = narrator.lines(
            for: .paused.with {
                $0.item?.uri = "file:///a.txt"
                $0.text = .init(offset: 9, length: 2)
            }, at: 0)
        #expect(narrator.sentences(passage, at: 0) == ["Two is long.", "Three.", "Four."])
        var plain = passage
        plain.sentences = []
        #expect(narrator.sentences(plain, at: 0) == ["is long. Three. Four. Five."])
    }
}

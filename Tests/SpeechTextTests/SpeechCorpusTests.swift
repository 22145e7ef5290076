// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechText
import Testing

struct SpeechCorpusTests {
    @Test(
        .enabled(if: SharedTexts.exist, "there is no ../shared/media"),
        arguments: ["plain", "udhr", "genesis", "inaugural", "nasty", "html", "markdown", "ssml"].flatMap {
            SharedTexts.names(in: $0)
        })
    func `a real text is spoken once and in order`(name: String) throws {
        let bytes = try #require(SharedTexts.bytes(name))
        let document = ReadingDocument(paragraphs: bytes)
        // A text in another encoding has bytes that are no letters.
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        ScriptChecks.check(document, coversAll: isUTF8, name: name)
        ScriptChecks.check(document, limit: 60, coversAll: isUTF8, name: name)
    }

    @Test(arguments: [
        String(repeating: "s'", count: 2000), String(repeating: "A.", count: 2000),
        String(repeating: "a.b.", count: 1000),
        String(repeating: "9", count: 5000), String(repeating: "1,234", count: 1000),
        String(repeating: "1/", count: 1000),
        String(repeating: "x", count: 40_000), "e" + String(repeating: "\u{301}\u{302}", count: 20_000),
        String(repeating: "🙂👩‍👩‍👧", count: 1000), String(repeating: "字", count: 20_000),
        String(repeating: "ก", count: 20_000),
        String(repeating: "1 000 ", count: 3000), String(repeating: "$", count: 5000) + "5",
        String(repeating: "[1]", count: 2000),
        String(repeating: "-", count: 5000) + "end",
        String(repeating: "\"(", count: 3000) + "x" + String(repeating: ")\"", count: 3000),
        String(repeating: ". ", count: 5000) + "x", String(repeating: "a\u{200D}", count: 9000),
        String(repeating: "a@b.c", count: 900),
        String(repeating: "http://a.b/", count: 900), String(repeating: "a-", count: 9000),
        String(repeating: "５", count: 3000),
        String(repeating: "ab ", count: 40_000), "\u{202E}drawkcab\u{202C} \u{FFFD}\u{10FFFF} x",
        String(repeating: "¹²", count: 500) + " x",
        String(repeating: "IV", count: 3000), String(repeating: "½", count: 500),
        "مرحبا" + String(repeating: "ـ", count: 5000),
        String(repeating: "「", count: 500) + "字" + String(repeating: "。」", count: 500), "\u{FEFF}x\u{AD}y\u{2028}z",
        "a\0b\u{1B}[31mc",
        String(repeating: "क्", count: 5000), String(repeating: "\u{1F1E9}\u{1F1EA}", count: 400) + "x",
    ])
    func `text that is not prose is spoken in order`(text: String) {
        for language in ["en", "fr", nil] {
            ScriptChecks.check(ReadingDocument(text, language: language), name: text.prefix(20).description)
        }
    }

    @Test(arguments: 1...60)
    func `text of chance is spoken in order`(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ limit: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 1) % limit
        }
        let pieces = [
            "Dr.", "Mr.", "5", "1,234", "3.50", "$", "€", "%", "\"", "“", "”", "(", ")", "[12]", "…", "...", ".", "?!",
            ",", ";", "—", "--",
            "IV", "May", "p.m.", "U.S.", "z. B.", "No.", "example.com", "a@b.org", "字", "。", "「", "」", "ไทย", "שלום",
            "é", "e\u{301}", "🙂",
            "1990s", "12:30", "5th", "1/2", "½", "°C", "km", "x-ray", "\n", "\t", "\u{A0}", "\u{202F}", "000", "+1",
            "555-1234", "²", "#", "&",
        ]
        var text = ""
        for _ in 0..<200 + next(600) { text += pieces[next(pieces.count)] + (next(3) == 0 ? "" : " ") }
        for language in ["en", "de", "fr", "es", "ja"] {
            ScriptChecks.check(ReadingDocument(text, language: language), name: "\(language) \(seed)")
        }
    }

    @Test func `bytes that are no text do no harm`() {
        var bytes: [UInt8] = []
        var state: UInt64 = 88_172_645_463_325_252
        for _ in 0..<60_000 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            bytes.append(UInt8(truncatingIfNeeded: state >> 9))
        }
        ScriptChecks.check(ReadingDocument(paragraphs: bytes), coversAll: false)
        for size in stride(from: 1, to: 64, by: 3) {
            ScriptChecks.check(ReadingDocument(paragraphs: Array("é字🙂".utf8.prefix(size))), coversAll: false)
        }
    }

    @Test func `blocks that overlap or lie outside of the text are cut`() {
        let text = Array("One two three. Four five six.".utf8)
        let document = ReadingDocument(
            language: "en", text: text,
            blocks: [
                TextBlock(.paragraph, 0..<20), TextBlock(.paragraph, 4..<10), TextBlock(.paragraph, 15..<900),
                TextBlock(.heading, 700..<800),
                TextBlock(.paragraph, 3..<3),
            ])
        ScriptChecks.check(document)
        #expect(document.spoken() == "One two three. | Four | five six.")
    }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Downloads

@Suite struct SafeNameTests {
    static let names: [(String, String)] = [
        ("The Lighthouse Log", "The Lighthouse Log"),
        ("Höhe über Null – Teil 2", "Höhe über Null – Teil 2"),
        ("東京の本", "東京の本"),
        // Nothing leads out of the folder, and nothing hides.
        ("../../etc/passwd", "-..-etc-passwd"), ("/etc/passwd", "-etc-passwd"), ("..", "fallback"), (".", "fallback"),
        ("...", "fallback"), (".bashrc", "bashrc"), ("a/b\\c", "a-b-c"), ("nul\u{0}byte", "nul byte"),
        // What other systems do not take.
        ("What? Why: \"So\" <that> | *this*", "What- Why- -So- -that- - -this-"),
        ("CON", "_CON"), ("con.mp3", "_con.mp3"), ("Com1", "_Com1"), ("LPT³", "_LPT³"), ("Console", "Console"),
        ("COM", "COM"), ("ends with a dot.", "ends with a dot"), ("ends with spaces   ", "ends with spaces"),
        // What cannot be seen.
        ("line\nbreak\tand  spaces", "line break and spaces"), ("exe\u{202E}3pm.", "exe3pm"),
        ("zero\u{200B}width\u{FEFF}", "zerowidth"), ("\u{7F}\u{85}", "fallback"), ("", "fallback"), ("   ", "fallback"),
    ]

    @Test(arguments: names)
    func `a name is what every file system takes`(given: String, safe: String) {
        #expect(SafeName(given, fallback: "fallback").text == safe)
    }

    @Test func `a long name is cut at a character, and keeps its extension`() {
        let name = SafeName(String(repeating: "ü", count: 300), fallback: "x", ending: ".m4b").text
        #expect(name.hasSuffix("ü.m4b") && name.utf8.count <= SafeName.longest && name.utf8.count > 190)
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 40)
        #expect(SafeName(family, fallback: "x").text.allSatisfy { $0 == "👨‍👩‍👧‍👦" })
        let tower = "e" + String(repeating: "\u{301}", count: 500)
        #expect(SafeName(tower, fallback: "x").text == "unnamed")
        #expect(SafeName("a", fallback: "x", ending: ".with/slash").text == "a.with-slash")
        #expect(SafeName("a", fallback: "x", ending: ".much-too-long-for-that").text == "a")
    }

    @Test func `a name that is taken gets a number, whatever its case`() {
        let name = SafeName("Emma", fallback: "x")
        #expect(name.free(among: []) == "Emma")
        #expect(name.free(among: ["emma"]) == "Emma (2)")
        #expect(name.free(among: ["EMMA", "Emma (2)"]) == "Emma (3)")
        // The same letter in two ways of writing.
        #expect(SafeName("Caf\u{E9}", fallback: "x").free(among: ["Cafe\u{301}"]) == "Caf\u{E9} (2)")
    }

    static let files: [(Int, Int, String, String)] = [
        (0, 1, "Emma.m4b", "Emma.m4b"), (0, 3, "Emma.mp3", "01 Emma.mp3"), (9, 120, "x.mp3", "010 x.mp3"),
        (0, 3, "01 - Chapter 1.mp3", "01 Chapter 1.mp3"), (2, 3, "01 Coda.mp3", "03 01 Coda.mp3"),
        (1, 2, "disc 2/02.mp3", "02.mp3"), (0, 2, "../../x", "01 x"), (0, 1, "no extension", "no extension"),
        (0, 1, ".mp3", "mp3"), (0, 2, "Mr. Smith goes", "01 Mr. Smith goes"),
    ]

    @Test(arguments: files)
    func `the names of files sort as they are played`(index: Int, count: Int, given: String, name: String) {
        #expect(SafeName.numbered(index, of: count, given) == name)
    }
}

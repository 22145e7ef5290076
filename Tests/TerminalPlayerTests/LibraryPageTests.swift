// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Testing

@testable import TerminalPlayer

@Suite
struct `The page of the library` {
    /// A library of which one book has a text.
    private static func scene() -> Scene {
        var books = Scene.shelf
        books[1].text = "file:///books/middlemarch.epub"
        books[1].title = "Middlemarch, a Study of Provincial Life in Eight Books and a Finale"
        var scene = Scene.book()
        scene.press(.character("2"))
        scene.take(.answer(.books, .success(.books(books))))
        scene.take(.answer(.books, .success(.books([]))))
        return scene
    }

    @Test func `marks the books that have a text`() throws {
        let lines = Self.scene().lines
        let marked = try #require(lines.first { $0.contains("Middlemarch") })
        #expect(marked.hasPrefix("    Middlemarch, a Study of Pr… text George Eliot"))
        #expect(!lines.contains { !$0.contains("Middlemarch") && $0.contains(" text ") })
    }

    @Test func `says in a plain list which books have a text`() {
        var narrator = PlainNarrator()
        var book = Scene.shelf[3]
        book.text = "file:///books/whale.epub"
        _ = narrator.beginList(matching: "")
        _ = narrator.takeList([book])
        _ = narrator.takeList([])
        #expect(narrator.listed() == ["1: The Whale, H. Melville, with its text, 10 percent heard"])
    }
}

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@testable import TerminalPlayer

/// The screens that `docs/player` shows: the files there are what is compared, so that they stay true.
///
/// `ROSTRUM_CAPTURE=1` writes them again.
@Suite
struct `The screens in docs` {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/player")

    private func compare(_ name: String, _ scene: Scene) throws {
        let file = Self.folder.appendingPathComponent(name + ".txt")
        let text = scene.text + "\n"
        if ProcessInfo.processInfo.environment["ROSTRUM_CAPTURE"] != nil {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(text == expected, "\(name) is now\n\(text)")
    }

    private static let sizes = [
        (rows: 24, columns: 80, isBig: false), (40, 120, false), (24, 80, true), (40, 120, true),
    ]

    private func name(_ subject: String, _ rows: Int, _ columns: Int, _ isBig: Bool) -> String {
        "\(isBig ? "big-" : "")\(subject)-\(columns)x\(rows)"
    }

    @Test(arguments: sizes)
    func `a book`(rows: Int, columns: Int, isBig: Bool) throws {
        try compare(name("book", rows, columns, isBig), .book(rows: rows, columns: columns, isBig: isBig))
    }

    @Test(arguments: sizes)
    func `the library`(rows: Int, columns: Int, isBig: Bool) throws {
        var scene = Scene.book(rows: rows, columns: columns, isBig: isBig)
        if isBig { scene.press(.right, .right, .right, .right, .enter) } else { scene.press(.character("2")) }
        try compare(name("library", rows, columns, isBig), scene)
    }

    @Test(arguments: sizes.filter { !$0.2 })
    func `the reading list`(rows: Int, columns: Int, isBig: Bool) throws {
        var scene = Scene.book(rows: rows, columns: columns)
        scene.press(.character("8"))
        scene.take(.answer(.documents, .success(.documents(Scene.documents))))
        try compare(name("reading", rows, columns, isBig), scene)
    }

    @Test(arguments: sizes)
    func `a text`(rows: Int, columns: Int, isBig: Bool) throws {
        var scene = Scene(rows: rows, columns: columns, isBig: isBig)
        let text = """
            The rostrum is where the speaker stands.

            Its name comes from the prows of ships that were taken in battle, and fixed to the platform in the forum; \
            whoever spoke there stood above them, and was heard by everybody.

            One speaks at a time. Whoever wants the rostrum asks for it, and the one who has it gives it up in order, \
            keeps the place, and goes on later.

            """
        let word = text.utf8.count - text[text.range(of: "platform")!.lowerBound...].utf8.count
        scene.take(
            .status(
                .paused.with {
                    $0.status = "playing"
                    $0.item = .init(uri: "file:///texts/rostrum.txt", title: "The rostrum", author: nil)
                    $0.engine = "espeak"
                    $0.chapter = nil
                    $0.text = .init(offset: Int64(word), length: 8)
                }))
        if !isBig { scene.press(.character("3")) }
        let sentence = text.utf8.count - text[text.range(of: "Its name")!.lowerBound...].utf8.count
        scene.take(
            .answer(
                .text(.window),
                .success(
                    .text(
                        TextPassage(
                            uri: "file:///texts/rostrum.txt", size: Int64(text.utf8.count), offset: 0, text: text,
                            sentences: [.init(start: Int64(sentence), end: Int64(word + 20))])))))
        try compare(name("text", rows, columns, isBig), scene)
        if isBig { return }
        let screen = scene.state.frame(now: scene.now).screen
        let row = try #require(screen.lines.firstIndex { $0.contains("platform") })
        let marked = (0..<columns).filter { screen[row, $0].style == .spoken }
        #expect(String(marked.compactMap { screen[row, $0].character }) == "platform")
        let first = try #require(screen.lines.firstIndex { $0.contains("Its name") })
        let sentenceMarked = (0..<columns).filter { screen[first, $0].style == .sentence }
        #expect(String(sentenceMarked.compactMap { screen[first, $0].character }).hasPrefix("Its name"))
    }

    @Test(arguments: sizes)
    func `sound that is held`(rows: Int, columns: Int, isBig: Bool) throws {
        var scene = Scene.book(rows: rows, columns: columns, isBig: isBig)
        scene.take(
            .status(
                .paused.with {
                    $0.intent = "play"; $0.suppression = "interruption"
                }))
        try compare(name("held", rows, columns, isBig), scene)
    }

    @Test func `the keys`() throws {
        var scene = Scene.book()
        scene.press(.character("?"))
        try compare("keys-80x24", scene)
    }
}

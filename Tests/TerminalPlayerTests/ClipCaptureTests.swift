// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionProtocol
import Testing

@testable import TerminalPlayer

/// The screens in `docs/clips.md`: each follows a comment with its name, and is compared.
///
/// `ROSTRUM_CAPTURE=1` writes them again.
@Suite(.serialized)
struct `The walk-through of clips` {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/clips.md")

    private func compare(_ name: String, _ scene: Scene) throws {
        var document = try String(contentsOf: Self.file, encoding: .utf8)
        let mark = "<!-- screen: \(name) -->\n\n```text\n"
        let start = try #require(document.range(of: mark), "docs/clips.md has no screen \(name)")
        let rest = document[start.upperBound...]
        let end = try #require(rest.range(of: "\n```\n"))
        if ProcessInfo.processInfo.environment["ROSTRUM_CAPTURE"] != nil {
            document.replaceSubrange(start.upperBound..<end.lowerBound, with: scene.text)
            try Data(document.utf8).write(to: Self.file)
        } else {
            #expect(String(rest[..<end.lowerBound]) == scene.text, "\(name) is now\n\(scene.text)")
        }
    }

    @Test func `opens the editor, moves a bound while the selection loops, and adds a note`() throws {
        var scene = Scene.clip()
        try compare("editor", scene)
        scene.play(.character("l"), .enter)
        scene.take(.status(scene.clipStatus("playing", ms: 52_000)))
        for _ in 0..<100 { scene.answer(scene.take(.tick, after: 33)) }
        scene.answer(scene.press(.tab, .character("f")))
        try compare("loop", scene)
        scene.take(.status(scene.clipStatus("paused", ms: 55_300)))
        scene.play(.character("n"), .backspace, .backspace, .backspace, .backspace, .backspace)
        scene.type("to sea")
        try compare("note", scene)
        scene.play(.enter, .escape)
        try compare("discard", scene)
    }

    @Test func `shows the clips and one of them`() throws {
        var scene = Scene.book()
        scene.press(.character("7"))
        var other = Scene.clip
        (other.id, other.note, other.sourceThere) = ("m4x8d2ve", "Father Mapple climbs the pulpit", false)
        (other.startMs, other.durationMs) = (14_400_000, 45_000)
        scene.take(.answer(.clips(from: 0), .success(.clips([Scene.clip, other]))))
        try compare("list", scene)
        scene.answer(scene.press(.enter))
        scene.answer(scene.reply(.open, .clips([Scene.clip])))
        try compare("viewer", scene)
        scene.play(.character("e"), .character("?"))
        try compare("keys", scene)
    }
}

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Testing

@testable import TerminalPlayer

@Suite
struct `The text of a recording` {
    private static let recording = "file:///books/moby"
    private static let words = "Call me Ishmael. Some years ago. Never mind how long."

    private static func playing(atMs position: Int64, status: String = "playing") -> PlayerEvent {
        .status(
            .paused.with {
                $0.status = status
                $0.intent = "play"
                $0.item = .init(uri: recording, title: "Moby Dick", author: nil)
                $0.position = .init(ms: position, provenance: "heard")
                $0.chapter = nil
                $0.text = nil
            })
    }

    /// Three sentences, said at 10, 20 and 30 s.
    private static var passage: TextPassage {
        TextPassage(
            uri: "file:///texts/moby.epub", size: Int64(words.utf8.count), offset: 0, text: words,
            sentences: [
                .init(start: 0, end: 16, atMs: 10_000), .init(start: 17, end: 32, atMs: 20_000),
                .init(start: 33, end: 53, atMs: 30_000),
            ], recording: .init(uri: recording, grade: "aligned", errorMs: 200))
    }

    private func marked(_ scene: Scene, _ style: Style) -> String {
        let screen = scene.state.frame(now: scene.now).screen
        return (0..<screen.rows).map { row in
            String(
                (0..<screen.columns).filter { screen[row, $0].style == style }.compactMap { screen[row, $0].character })
        }.joined()
    }

    private func requests(_ effects: [PlayerEffect]) -> [TextPassageRequest] {
        effects.compactMap {
            guard case .send(.addressed(_, .text(let request)), _) = $0 else { return nil }
            return request
        }
    }

    private func opened(atMs position: Int64) -> Scene {
        var scene = Scene()
        scene.take(Self.playing(atMs: position))
        #expect(requests(scene.press(.character("3"))) == [TextPassageRequest(fromByte: nil, limit: 131_072)])
        scene.take(.answer(.text(.window), .success(.text(Self.passage))))
        return scene
    }

    @Test func `follows the recording, sentence by sentence`() throws {
        var scene = opened(atMs: 12_000)
        #expect(marked(scene, .sentence) == "Call me Ishmael." && marked(scene, .spoken) == "")
        let next = try #require(scene.state.nextChange(scene.now))
        #expect(next <= 8_000)
        scene.take(.tick, after: 8_100)
        #expect(marked(scene, .sentence) == "Some years ago.")
        scene.take(Self.playing(atMs: 31_000))
        #expect(marked(scene, .sentence) == "Never mind how long.")
    }

    @Test func `is asked for once, and says why there is none`() {
        var scene = Scene()
        scene.take(Self.playing(atMs: 0))
        scene.press(.character("3"))
        let error = SessionError(.badContent, "“Moby Dick” is no text, and has none")
        #expect(requests(scene.take(.answer(.text(.window), .failure(error)))).isEmpty)
        #expect(scene.text.contains("is no text, and has none"))
        #expect(requests(scene.take(Self.playing(atMs: 5_000))).isEmpty)
    }

    @Test func `leads to the place of the recording from which the listener wants to hear`() {
        var scene = opened(atMs: 12_000)
        scene.take(.wheel(1))
        scene.press(.character("r"))
        #expect(scene.commands == [.seek("10.0")])
    }

    @Test func `of another recording is not shown`() {
        var scene = Scene()
        scene.take(Self.playing(atMs: 0))
        scene.press(.character("3"))
        var other = Self.passage
        other.recording?.uri = "file:///books/emma"
        scene.take(.answer(.text(.window), .success(.text(other))))
        #expect(!scene.text.contains("Ishmael"))
    }
}

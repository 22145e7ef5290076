// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FakeSession
import Foundation
import PlaybackCore
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A replay` {
    private struct Line: Encodable {
        var v = 1
        var seq: Int
        var kind: String
        var schema: Int?
        var state: PlaybackState?
        var input: PlaybackEvent?
        var output: [PlaybackEffect]?
    }

    /// Returns a log of a machine that was asked to play, paused and stopped.
    private static func log(schema: Int? = PlaybackSchema.current) throws -> [String] {
        let book = ItemReference(uri: "file:///book.m4b", kind: .audio, title: "Book", items: [])
        let order = PlayOrder(
            item: book, engine: EngineID("ffmpeg"), start: .start, provenance: .restored, owner: .main)
        var machine = PlaybackMachine()
        var lines = [Line(seq: 1, kind: "snapshot", schema: schema, state: machine.state)]
        let events: [PlaybackEvent] = [
            .play(id: 1, order, heard: nil), .loaded(generation: 1, start: .start, pace: 44_100, needsSeek: false),
            .pause(owner: nil, heard: nil), .stop(owner: nil),
        ]
        for (index, event) in events.enumerated() {
            lines.append(Line(seq: index + 2, kind: "event", input: event, output: machine.handle(event)))
        }
        return try lines.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    }

    private func replay(_ text: String) async throws -> Program.Outcome {
        let temporary = try TemporaryFolders()
        let path = try temporary.file("a.jsonl", text)
        return try await Program(temporary).run("replay", path)
    }

    @Test func `of a log prints how much is the same`() async throws {
        let log = try Self.log().joined(separator: "\n") + "\n"
        #expect(
            try await replay(log)
                == .init(output: "4 events from 1 snapshot: every decision is the same\n", errors: "", code: 0))
        // This is the last line of a process that was killed.
        #expect(try await replay(log + #"{"v":1,"se"#).code == 0)
    }

    @Test func `that diverges exits 1 and names the line`() async throws {
        var log = try Self.log()
        log[2] = log[2].replacing("openStream", with: "pauseStream")
        let outcome = try await replay(log.joined(separator: "\n") + "\n")
        #expect(outcome.code == 1)
        #expect(
            outcome.errors.contains("line 3 (seq 3): decision 1 is openStream(generation: 1), the log says pauseStream")
        )
        #expect(outcome.errors.filter(\.isNewline).count == 1)
    }

    @Test func `of a log of an older version prints what cannot be compared`() async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Logs/schema-1.jsonl").path
        let recorded = try String(contentsOfFile: path, encoding: .utf8)
        let whole = try await replay(recorded)
        #expect(whole.code == 0 && whole.errors.isEmpty && whole.output.count(where: \.isNewline) == 1, "\(whole)")
        #expect(
            whole.output.contains(
                "events cannot be compared: the log is of schema 1, this program decides by \(PlaybackSchema.current), and "
                    + "from here on the decisions differ: line "), "\(whole)")
        // Equal decisions are counted, and what this version wrote after them is compared again.
        let both = try await replay(recorded + (try Self.log().joined(separator: "\n")) + "\n")
        #expect(both.code == 0 && both.output.contains("from 2 snapshots"))
        var altered = try Self.log()
        altered[2] = altered[2].replacing("openStream", with: "pauseStream")
        #expect(try await replay(recorded + altered.joined(separator: "\n") + "\n").code == 1)
    }

    @Test func `of a log of an older version continues to what it cannot read`() async throws {
        var log = try Self.log(schema: nil)
        log[2] = log[2].replacing("needsSeek", with: "oldName")
        #expect(
            try await replay(log.joined(separator: "\n") + "\n").output.hasPrefix(
                "1 events from 1 snapshot: the same decisions; 3 events cannot be compared: the log is of schema 1"))
        log[0] = log[0].replacing("suppressions", with: "oldName")
        let outcome = try await replay(log.joined(separator: "\n") + "\n")
        #expect(outcome.code == 0 && outcome.output.contains("4 events cannot be compared"), "\(outcome)")
        #expect(outcome.output.contains("its snapshot in line 1 (seq 1) cannot be read"), "\(outcome)")
    }

    @Test func `of a log of a newer version is refused`() async throws {
        let log = try Self.log(schema: PlaybackSchema.current + 1)
        let outcome = try await replay(log.joined(separator: "\n") + "\n")
        #expect(outcome.code == 65 && outcome.errors.filter(\.isNewline).count == 1, "\(outcome)")
    }

    @Test func `of a file that is no log exits 65, and of a missing file 66`() async throws {
        #expect(try await replay("").code == 65)
        #expect(try await replay("hello\nworld\n").code == 65)
        #expect(try await replay(try Self.log().dropFirst().joined(separator: "\n") + "\n").code == 65)
        let temporary = try TemporaryFolders()
        #expect(try await Program(temporary).run("replay", "/nowhere").code == 66)
    }
}

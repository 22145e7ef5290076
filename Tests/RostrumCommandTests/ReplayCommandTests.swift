// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FakeSession
import Foundation
import JSON
import PlaybackCore
import SessionProtocol
import Testing
import TransitionRecords

@Suite(.timeLimit(.minutes(2)))
struct `A replay` {
    /// Returns a record as one line.
    private static func line(_ seq: Int64, _ entry: TransitionEntry, schema: Int? = nil) throws -> String {
        var line: JSONValue = .object([
            "v": 1, "seq": .int(seq), "kind": .string(entry.kind.rawValue), "cause": .string(entry.cause.rawValue),
            "attempt": .optional(entry.attempt.map(Int64.init)), "engine": .optional(entry.engine?.rawValue),
            "owner": .optional(entry.owner?.rawValue), "from": entry.from ?? .null, "to": entry.to ?? .null,
        ])
        for field in entry.fields.members { line[field.name] = field.value }
        switch entry.values {
        case nil: break
        case .state(let state):
            line["schema"] = schema.map { .int(Int64($0)) }
            line["state"] = try coded(state)
        case .step(let event, let effects):
            line["input"] = try coded(event)
            line["output"] = try coded(effects)
        }
        return String(decoding: try JSONEncoder().encode(line), as: UTF8.self)
    }

    private static func coded(_ value: some Encodable) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    }

    /// Returns a log of a machine that was asked to play, paused and stopped.
    private static func log(schema: Int? = PlaybackSchema.current) throws -> [String] {
        let book = ItemReference(uri: "file:///book.m4b", kind: .audio, title: "Book", items: [])
        let order = PlayOrder(
            item: book, engine: EngineID("ffmpeg"), start: .start, provenance: .restored, owner: .main)
        var machine = PlaybackMachine()
        var lines = [try line(1, .snapshot(of: machine.state), schema: schema)]
        let events: [PlaybackEvent] = [
            .play(id: 1, order, heard: nil),
            .loaded(generation: 1, start: .start, unitsPerSecond: 44_100, needsSeek: false),
            .pause(owner: nil, heard: nil), .stop(owner: nil),
        ]
        for event in events {
            let before = machine.state
            let effects = machine.handle(event)
            let entry = TransitionEntry.event(event, before: before, after: machine.state, effects: effects)
            let consequences = TransitionEntry.consequences(
                of: event, entry.cause, before: before, after: machine.state, effects: effects)
            for entry in [entry] + consequences { lines.append(try line(Int64(lines.count + 1), entry)) }
        }
        return lines
    }

    /// Replaces a text in one line of a log, which must have it.
    private static func altered(_ log: String, line: Int, _ old: String, _ new: String) throws -> String {
        var lines = log.split(separator: "\n").map(String.init)
        try #require(lines[line - 1].contains(old), "\(lines[line - 1])")
        lines[line - 1] = lines[line - 1].replacing(old, with: new)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a log of an older version: the one that a session wrote, or one that was put together for a case.
    private static func recorded(schema: Int, _ what: String = "") throws -> String {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Logs/schema-\(schema)\(what).jsonl").path
        return try String(contentsOfFile: path, encoding: .utf8)
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
        let log = try Self.altered(Self.log().joined(separator: "\n"), line: 5, "openStream", "pauseStream")
        let outcome = try await replay(log)
        #expect(outcome.code == 1)
        #expect(
            outcome.errors.contains("line 5 (seq 5): decision 1 is openStream(generation: 1), the log says pauseStream")
        )
        #expect(outcome.errors.filter(\.isNewline).count == 1)
    }

    @Test func `of a log of an older version prints what cannot be compared`() async throws {
        let recorded = try Self.recorded(schema: 1)
        let whole = try await replay(recorded)
        #expect(whole.code == 0 && whole.errors.isEmpty && whole.output.count(where: \.isNewline) == 1, "\(whole)")
        #expect(
            whole.output.contains(
                "events cannot be compared: the log is of schema 1, this program decides by \(PlaybackSchema.current), and "
                    + "from here on the decisions differ: line "), "\(whole)")
        // Equal decisions are counted, and what this version wrote after them is compared again.
        let both = try await replay(recorded + (try Self.log().joined(separator: "\n")) + "\n")
        #expect(both.code == 0 && both.output.contains("from 2 snapshots"))
        let altered = try Self.altered(Self.log().joined(separator: "\n"), line: 5, "openStream", "pauseStream")
        #expect(try await replay(recorded + altered).code == 1)
    }

    @Test func `of a log whose snapshot has an older form compares every decision`() async throws {
        let recorded = try Self.recorded(schema: 2)
        #expect(
            try await replay(recorded)
                == .init(output: "42 events from 1 snapshot: every decision is the same\n", errors: "", code: 0))
        // A member of it counts: with another number of the last clock, other clocks are started.
        let outcome = try await replay(recorded.replacing(#""lastClock":0"#, with: #""lastClock":7"#))
        #expect(outcome.code == 0 && outcome.output.contains("the log is of schema 2"), "\(outcome)")
    }

    @Test func `of a log whose snapshot has an older form knows what was being opened`() async throws {
        // An item took audio focus: in one case it is opened, in the other it is not.
        let recorded = try Self.recorded(schema: 2, "-loading")
        #expect(
            try await replay(recorded)
                == .init(output: "4 events from 2 snapshots: every decision is the same\n", errors: "", code: 0))
        for member in ["pendingJump", "reclaimed"] {
            let outcome = try await replay(recorded.replacing("\"\(member)\":", with: "\"other\":"))
            #expect(outcome.code == 0 && outcome.output.contains("the log is of schema 2"), "\(outcome)")
        }
    }

    /// A change of one line of a log, and what is reported of it.
    struct Change: Sendable, CustomTestStringConvertible {
        var schema = 2
        var line: Int
        var old: String
        var new: String
        var says: String
        var testDescription: String { "\(schema):\(line) \(old) → \(new)" }
    }

    static let changes = [
        Change(
            line: 4, old: #""load(1)""#, new: #""load(2)""#,
            says: #"line 4 (seq 4): “decisions” is ["load(1)", "connectOutput", "startClock(1, load, 10000 ms)"], "#
                + #"the log says ["load(2)", "connectOutput", "startClock(1, load, 10000 ms)"]"#),
        Change(
            line: 15, old: #""event":"seek""#, new: #""event":"skip""#,
            says: #"line 15 (seq 15): “event” is "seek", the log says "skip""#),
        Change(
            line: 6, old: #""to":"loading""#, new: #""to":"playing""#,
            says: #"line 6 (seq 6): “to” is "loading", the log says "playing""#),
        Change(
            line: 74, old: "not a known kind", new: "no kind",
            says: "line 74 (seq 74): “errorMessage” is "),
        Change(
            line: 6, old: #""intent":"play","#, new: "",
            says: #"line 6 (seq 6): “intent” is "play", the log says nothing"#),
        Change(
            line: 9, old: #""phase":"ready""#, new: #""phase":"idle""#,
            says: #"line 9 (seq 9): “phase” is "ready", the log says "idle""#),
        Change(
            line: 17, old: #""units":320000"#, new: #""units":320001"#,
            says: "line 17 (seq 17): “units” is 320000, the log says 320001"),
        Change(
            line: 34, old: #""cause":"engine""#, new: #""cause":"user""#,
            says: #"line 34 (seq 34): “cause” is "engine", the log says "user""#),
        Change(
            line: 14, old: #""kind":"transition""#, new: #""kind":"remote""#,
            says: "line 15 (seq 15): before this, the log lacks the record: transition from "),
        Change(
            schema: 1, line: 6, old: #""to":"loading""#, new: #""to":"playing""#,
            says: #"line 6 (seq 6): “to” is "loading", the log says "playing""#),
    ]

    @Test(arguments: changes)
    func `reports the record that is in other words`(_ change: Change) async throws {
        let log = try Self.altered(Self.recorded(schema: change.schema), line: change.line, change.old, change.new)
        let outcome = try await replay(log)
        #expect(outcome.code == 1 && outcome.errors.contains(change.says), "\(outcome)")
        #expect(outcome.errors.filter(\.isNewline).count == 1)
    }

    @Test func `of a log without a member that its version did not write passes`() async throws {
        let log = try Self.altered(Self.recorded(schema: 1), line: 6, #""intent":"play","#, "")
        #expect(try await replay(log).code == 0)
    }

    @Test func `of a log that begins within a session reports a changed place`() async throws {
        let snapshot = try #require(
            try Self.recorded(schema: 2).split(whereSeparator: \.isNewline).first.map(String.init))
        // The places of an earlier file come first.
        let lines = try Self.recorded(schema: 2).split(whereSeparator: \.isNewline).map(String.init)
        let earlier = lines[16].replacing("320000", with: "7")
        let whole =
            ([snapshot.replacing(#""seq":1,"#, with: #""seq":900,"#), earlier] + lines.dropFirst())
            .joined(separator: "\n")
            + "\n"
        #expect(try await replay(whole).code == 0)
        let outcome = try await replay(
            Self.altered(whole, line: 18, #""units":320000"#, #""units":320001"#))
        #expect(outcome.code == 1 && outcome.errors.contains(": line 18 (seq 17): “units” is 320000"), "\(outcome)")
    }

    @Test func `of a log of an older version continues to what it cannot read`() async throws {
        var log = try Self.log(schema: nil)
        log[0] = try #require(try Self.recorded(schema: 1).split(whereSeparator: \.isNewline).first.map(String.init))
        log[4] = log[4].replacing("needsSeek", with: "oldName")
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

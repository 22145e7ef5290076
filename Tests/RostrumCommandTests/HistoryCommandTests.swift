// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Testing

private let history = History(
    jumps: [
        History.Jump(
            at: 1_767_225_600_000, cause: "seek", from: place("whale", "The Whale", 60_000),
            to: place("whale", "The Whale", 3_723_000), undone: false),
        History.Jump(
            at: 1_767_225_500_000, cause: "play", from: place("sea", "The Sea", nil),
            to: place("whale", "The Whale", 0), undone: true),
    ],
    listened: [
        History.Span(
            began: 1_767_225_000_000, ended: 1_767_225_590_000, from: place("whale", "The Whale", 0),
            to: place("whale", "The Whale", 590_000))
    ])

private func place(_ name: String, _ title: String, _ milliseconds: Int64?) -> History.Place {
    History.Place(uri: "file:///\(name).m4b", title: title, ms: milliseconds)
}

@Suite(.timeLimit(.minutes(2)))
struct `The history` {
    @Test(
        arguments: [
            (
                [],
                """
                2026-01-01 00:00:00  seek  The Whale  1:00 to 1:02:03
                2025-12-31 23:58:20  play  The Sea -:-- to The Whale 0:00  (taken back)

                """
            ),
            (["--listened"], "2025-12-31 23:50:00  10 min  The Whale  0:00 to 9:50\n"),
        ] as [([String], String)])
    func `is one line per entry, the newest first`(_ options: [String], _ text: String) async throws {
        let fixture = try CommandFixture { _, _, _ in .history(history) }
        let outcome = try await fixture.program.run(["history", "--limit", "5"] + options)
        #expect(outcome == .init(output: text, errors: "", code: 0))
        #expect(fixture.session.commands == [.history(limit: 5)])
    }

    @Test func `is one JSON object for programs`() async throws {
        let fixture = try CommandFixture { _, _, _ in .history(history) }
        let outcome = try await fixture.program.run("history", "--json")
        let line = String(decoding: try JSONLine.encode(history), as: UTF8.self)
        #expect(outcome.output == line)
        #expect(outcome.output.contains(#""ms":null"#))
        #expect(fixture.session.commands == [.history(limit: 20)])
    }

    @Test func `that is empty says so`() async throws {
        let fixture = try CommandFixture { _, _, _ in .history(History(jumps: [], listened: [])) }
        #expect(try await fixture.program.run("history").output == "no jump yet\n")
        #expect(try await fixture.program.run("history", "--listened").output == "nothing has been listened to yet\n")
    }

    @Test func `with nothing to undo makes undo fail with the session's line and code`() async throws {
        let fixture = try CommandFixture { _, _, _ throws(SessionError) in
            throw SessionError(.unavailable, "there is no jump to take back; see rostrum history")
        }
        let line = "rostrum: there is no jump to take back; see rostrum history\n"
        #expect(try await fixture.program.run("undo") == .init(output: "", errors: line, code: 69))
    }

    @Test(arguments: [
        (Status.Sleep(remainingMs: 754_000, end: "time"), "sleep in 12:34"),
        (Status.Sleep(remainingMs: 60_000, end: "chapter"), "sleep at the end of the chapter, in 1:00"),
        (Status.Sleep(remainingMs: nil, end: "book"), "sleep at the end of the book"),
        (
            Status.Sleep(remainingMs: nil, end: "over", setAtMs: 61_000),
            "asleep: the timer was set at 1:01; rostrum undo goes back there"
        ),
    ])
    func `to come of a sleep timer is in the status`(_ sleep: Status.Sleep, _ line: String) async throws {
        let fixture = try CommandFixture { _, _, _ in .status(Status.paused.with { $0.sleep = sleep }) }
        let lines = try await fixture.program.run("status").output.split(separator: "\n").map(String.init)
        #expect(lines.contains(line), "\(lines)")
    }

    @Test func `of options is in the status, and only if one is on`() async throws {
        let sound = Status.Sound(mono: true, balance: -0.5, loudness: -18, silence: 0.5)
        let fixture = try CommandFixture { _, _, _ in .status(Status.paused.with { $0.sound = sound }) }
        let lines = try await fixture.program.run("status").output.split(separator: "\n").map(String.init)
        #expect(lines.contains("sound: mono, balance -0.5, loudness -18.0 LUFS, silences over 0.5 s shortened"))
        let plain = try CommandFixture { _, _, _ in .status(.paused) }
        let text = try await plain.program.run("status", "--json").output
        #expect(!text.contains("\"sound\""))
    }
}

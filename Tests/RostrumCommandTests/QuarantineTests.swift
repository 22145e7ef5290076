// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `An engine that keeps dying` {
    private let session: RunningSession

    init() throws {
        session = try RunningSession()
        try session.engine("conformant", from: "conformant.c", ["-DFAULT=CRASHES_ON_BAD"])
    }

    private func play(_ name: String) async throws -> Program.Outcome {
        let item = try session.temporary.file(name, "RIFF")
        return try await session.program.run("play", item, "--engine", "conformant")
    }

    private static let killed = Program.Outcome(
        output: "", errors: "rostrum: the engine conformant was killed by signal 11 (Segmentation fault)\n", code: 70)

    private func die() async throws {
        for name in ["a.wav", "b.wav", "c.wav", "d.wav", "e.wav"] { #expect(try await play(name) == Self.killed) }
        try await judged()
    }

    /// Waits for the decision about the engine, which comes after the user was told about the failure.
    private func judged() async throws {
        try await session.wait { try await !verdicts().isEmpty }
    }

    private func verdicts() async throws -> [String] {
        try await session.log().filter { $0["action"] as? String == "quarantine" }.compactMap {
            $0["message"] as? String
        }
    }

    @Test func `is quarantined, and reported with the reason and the way out`() async throws {
        try await die()
        let state = try await session.state(of: "conformant")
        #expect(state?["state"] == "quarantined")
        let reason = state?["reason"].flatMap(\.self) ?? ""
        #expect(
            reason.hasPrefix(
                "died 5 times in a row: the engine conformant was killed by signal 11 (Segmentation fault) ("))
        #expect(reason.hasSuffix("); rostrum engines clear conformant"))
        #expect(
            try await verdicts() == [
                "the engine conformant is quarantined: died 5 times in a row: the engine conformant was killed by signal "
                    + "11 (Segmentation fault); rostrum engines clear conformant"
            ])

        let refused = Program.Outcome(
            output: "", errors: "rostrum: engine “conformant” is quarantined: \(reason)\n", code: 69)
        let sound = try session.sound("sound.wav", milliseconds: 100)
        #expect(try await session.program.run("play", sound, "--engine", "conformant") == refused)
        // This also holds if the engine is not named, but no other one can play the item.
        for id in ["ffmpeg", "clip", "tone"] {
            #expect(try await session.program.run("engines", "disable", id).code == 0)
        }
        let other = try session.sound("sound.zzz", milliseconds: 100)
        #expect(try await session.program.run("play", other) == refused)

        #expect(
            try await session.program.run("engines", "clear", "conformant")
                == .init(output: "conformant is released from quarantine\n", errors: "", code: 0))
        #expect(try await session.state(of: "conformant") == ["state": "available", "reason": nil])
        #expect(
            try await session.program.run("play", sound, "--engine", "conformant")
                == .init(output: "", errors: "", code: 0))
    }

    @Test func `is released by another module`() async throws {
        try await die()
        #expect(try await session.state(of: "conformant")?["state"] == "quarantined")
        try session.engine("conformant", from: "conformant.c", [])
        #expect(try await session.state(of: "conformant") == ["state": "available", "reason": nil])
        #expect(try await session.detail(of: "conformant").quarantine?.holds == false)
        let sound = try session.sound("sound.wav", milliseconds: 100)
        #expect(
            try await session.program.run("play", sound, "--engine", "conformant")
                == .init(output: "", errors: "", code: 0))
    }

    @Test func `on one item only is not quarantined, because the item is at fault`() async throws {
        for _ in 0..<6 { #expect(try await play("same.wav") == Self.killed) }
        #expect(try await session.state(of: "conformant") == ["state": "available", "reason": nil])
        #expect(try await play("other.wav") == Self.killed)
        try await judged()
        #expect(try await session.state(of: "conformant")?["state"] == "quarantined")
    }

    @Test func `and cannot be quarantined is reported in the log`() async throws {
        let path = session.temporary.folders.config + "/engines.json"
        try Data(#"{"schema":2}"#.utf8).write(to: URL(fileURLWithPath: path))
        try await die()
        #expect(try await session.state(of: "conformant")?["state"] == "available")
        #expect(
            try await verdicts() == [
                "the engine conformant died 5 times in a row: the engine conformant was killed by signal 11 (Segmentation "
                    + "fault); it cannot be quarantined: \(path) was written by a newer version, and is left as it is: "
                    + "use that"
            ])
    }
}

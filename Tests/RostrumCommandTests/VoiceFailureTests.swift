// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// The engine `sherpa` with a runtime that fails, in processes of its own, and the engine that goes on.
@Suite(.timeLimit(.minutes(3))) struct `A neural voice that fails` {
    private static let words = "One is first. The second sentence of this text is a rather long one. And three.\n"

    /// Returns the sentence that the other engine begins with, from the records behind the hand-over.
    private func begun(_ log: [[String: Any]], in words: String = words) throws -> String {
        let index = try #require(
            log.firstIndex { ($0["decisions"] as? [String])?.contains("handOver(sherpa to espeak)") == true })
        #expect(log[index]["cause"] as? String == "recovery")
        let loaded = try #require(log[index...].first { $0["event"] as? String == "loaded" })
        let start = try #require((loaded["start"] as? [String: Any])?["units"] as? Int)
        // The space in front of a sentence belongs to none.
        return String(decoding: Array(words.utf8).dropFirst(start).drop { $0 == 0x20 }, as: UTF8.self)
    }

    private func read(_ session: RunningSession, _ options: String...) async throws -> Program.Outcome {
        let text = try session.temporary.file("text.txt", Self.words)
        return try await session.program.run(["read", text, "--engine", "sherpa", "--rate", "3"] + options)
    }

    private static func told(_ reason: String) -> String {
        "rostrum: espeak goes on in place of sherpa: \(reason)\n"
    }

    @Test func `is not missed if it works`() async throws {
        let session = try RunningSession()
        try session.voice("joe")
        #expect(try await read(session) == .init(output: "", errors: "", code: 0))
        #expect(try await session.status().status.engine == "sherpa")
    }

    @Test func `is replaced if its runtime is missing`() async throws {
        let session = try RunningSession()
        let reason = "the sherpa runtime is not installed; run `rostrum voices install en_US-joe-medium`"
        #expect(try await read(session) == .init(output: "", errors: Self.told(reason), code: 0))
        #expect(try begun(try await session.log()) == Self.words)
    }

    @Test(arguments: [nil, "joe"]) func `is replaced if its model is cut off, also if it is named`(name: String?)
        async throws
    {
        let session = try RunningSession()
        try session.voice("joe")
        #expect(truncate(session.temporary.folders.data + "/voices/joe/model.onnx", 20) == 0)
        let text = try session.temporary.file("text.txt", Self.words)
        let outcome = try await session.program.run(
            ["read", text, "--engine", "sherpa", "--rate", "3"] + (name.map { ["--voice", $0] } ?? []))
        #expect(outcome.code == 0 && outcome.errors.hasPrefix(Self.told("the voice joe cannot be used").dropLast()))
        #expect(outcome.errors.count(where: \.isNewline) == 1)
    }

    @Test(arguments: ["NO_MODEL", "DIES_IN_MODEL", "HANGS_IN_MODEL"])
    func `is replaced if its model cannot be loaded`(fault: String) async throws {
        let session = try RunningSession()
        try session.voice("joe", ["-D\(fault)"])
        let outcome = try await read(session)
        #expect(outcome.code == 0 && outcome.errors.hasPrefix("rostrum: espeak goes on in place of sherpa: "))
        #expect(outcome.errors.count(where: \.isNewline) == 1)
        #expect(try await session.status().status.status == "ended")
    }

    /// A process that dies or hangs has what it had made and not handed over: the sentence in front may be cut, too.
    ///
    /// Another try makes a sentence in two parts, of which the shorter has 19 symbols.
    @Test(arguments: [
        ("SILENT_FROM=40", ["The second"]), ("DIES_FROM=18", ["One is", "The second"]),
        ("HANGS_FROM=18", ["One is", "The second"]),
    ])
    func `is replaced at the sentence that it cannot speak`(fault: String, sentences: [String]) async throws {
        let session = try RunningSession()
        try session.voice("joe", ["-D\(fault)"])
        let outcome = try await read(session)
        #expect(outcome.code == 0 && outcome.errors.hasPrefix("rostrum: espeak goes on in place of sherpa: "))
        #expect(outcome.errors.count(where: \.isNewline) == 1)
        let log = try await session.log()
        let rest = try begun(log)
        #expect(sentences.contains { rest.hasPrefix($0) }, "\(rest)")
        #expect(log.count { $0["action"] as? String == "handOver" } == 1)
        let replayed = try await session.program.run("replay", session.temporary.folders.transitionLog)
        #expect(replayed.code == 0, "\(replayed)")
    }

    @Test func `that does not exist is refused if it is named`() async throws {
        let session = try RunningSession()
        try session.voice("joe")
        let reason = "no voice \"nobody\" is installed; see `rostrum voices`"
        #expect(
            try await read(session, "--voice", "nobody")
                == .init(output: "", errors: "rostrum: \(reason)\n", code: 69))
    }

    @Test func `is told of by the command that asks for it in the middle of a text`() async throws {
        let session = try RunningSession()
        let text = try session.temporary.file("text.txt", String(repeating: Self.words, count: 20))
        #expect(try await session.program.run("read", text, "--detach").errors == "")
        let switched = try await session.program.run("engine", "sherpa")
        let reason = "the sherpa runtime is not installed; run `rostrum voices install en_US-joe-medium`"
        #expect(switched == .init(output: "", errors: Self.told(reason), code: 0))
        #expect(try await session.status().status.engine == "espeak")
        #expect(try await session.program.run("status").output.contains("warning: espeak goes on in place of sherpa"))
    }
}

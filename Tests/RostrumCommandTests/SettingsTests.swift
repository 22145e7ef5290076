// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `Settings of a session that runs` {
    @Test func `are applied by the next command; a broken file changes nothing and is reported once`() async throws {
        let session = try RunningSession()
        let path = session.temporary.folders.config + "/settings.json"
        func write(_ text: String) throws {
            try FileManager.default.createDirectory(
                atPath: session.temporary.folders.config, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        func place(after command: String...) async throws -> Int64 {
            let outcome = try await session.program.run(command)
            try #require(outcome.code == 0, "\(outcome.errors)")
            return try #require(try await session.status().status.position.ms)
        }
        let book = try session.sound("book.wav", milliseconds: 120_000)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        #expect(try await session.program.run("pause").code == 0)
        #expect(try await (0...1_000).contains(place(after: "seek", "0")))
        #expect(try await place(after: "skip", "forward") == 25_000)
        try write(#"{"skipForward": 15, "skipBack": 4.5}"#)
        #expect(try await place(after: "skip", "forward") == 40_000)
        #expect(try await place(after: "skip", "back") == 35_500)
        try write(#"{"skipForward": "far"}"#)
        #expect(try await place(after: "skip", "forward") == 50_500)
        #expect(try await place(after: "skip", "forward") == 65_500)
        let notes = try await session.log().filter { $0["event"] as? String == "note" }
        #expect(notes.count == 1, "\(notes)")
        // The log has the rules that were in force when something was decided.
        try write(#"{"loadLimit": 7}"#)
        #expect(try await place(after: "skip", "forward") == 90_500)
        #expect(try await session.log().contains { $0["event"] as? String == "rules" })
    }

    @Test func `are listed, read and changed by commands, and a change applies at once`() async throws {
        let session = try RunningSession()
        let book = try session.sound("book.wav", milliseconds: 120_000)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        #expect(try await session.program.run("pause").code == 0)
        #expect(try await session.program.run("seek", "0").code == 0)
        #expect(try await session.program.run("settings", "get", "skipForward").output == "25\n")
        #expect(try await session.program.run("settings", "set", "skipForward", "15").code == 0)
        #expect(try await session.program.run("skip", "forward").code == 0)
        #expect(try await session.status().status.position.ms == 15_000)
        let list = try await session.program.run("settings").output
        #expect(list.contains("* skipForward") && list.contains("  skipBack"))
        #expect(try await session.program.run("settings", "set", "skipForward", "default").code == 0)
        #expect(try await session.program.run("settings", "get", "skipForward").output == "25\n")
        let refused = try await session.program.run("settings", "set", "skipForward", "0")
        #expect(refused.code == 64)
        #expect(refused.errors == "rostrum: skipForward: 0 is refused; give 1 to 3600 s\n")
        #expect(try await session.program.run("settings", "set", "keys", "pause=p, mark=m").code == 0)
        #expect(try await session.program.run("settings", "get", "keys").output == "pause=p,mark=m\n")
        let keys = try await session.program.run("settings", "set", "keys", "pause")
        #expect(keys.code == 64)
        #expect(keys.errors == "rostrum: keys: pause is refused; give a list of ACTION=KEY, at most 64\n")
        let unknown = try await session.program.run("settings", "get", "bass")
        #expect(unknown.code == 64 && unknown.errors == "rostrum: no setting “bass”; see `rostrum settings`\n")
    }

    @Test func `stay in force when the file becomes invalid, except for trusted servers`() async throws {
        let session = try RunningSession()
        let config = session.temporary.folders.config
        let path = config + "/settings.json"
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        let digits = String(repeating: "ab:", count: 31) + "ab"
        let sound = #""skipForward": 15, "trustedFingerprints": ["\#(digits)"]"#
        try Data("{\(sound)}".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        let book = try session.sound("book.wav", milliseconds: 120_000)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        #expect(try await session.program.run("settings", "get", "trustedFingerprints").output.contains("abab"))
        try Data(#"{\#(sound), "skipBack": "far"}"#.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        #expect(try await session.program.run("settings", "get", "skipForward").output == "15\n")
        #expect(!(try await session.program.run("settings", "get", "trustedFingerprints").output.contains("abab")))
        let refused = try await session.program.run("settings", "set", "skipForward", "20")
        #expect(refused.code == 65 && refused.errors.contains("correct or remove it first"), "\(refused.errors)")
        // A pipe in its place would hold whoever opens it.
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try await session.program.run("settings", "get", "skipForward").output == "15\n")
    }

    @Test func `are the defaults if a pipe is in place of the file, and the session starts`() async throws {
        let temporary = try TemporaryFolders()
        let config = temporary.folders.config
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        try #require(mkfifo(config + "/settings.json", 0o600) == 0)
        let session = try RunningSession(in: temporary)
        #expect(try await session.program.run("settings", "get", "skipForward").output == "25\n")
        #expect(try await session.log().contains { ($0["message"] as? String)?.contains("not a file") == true })
    }
}

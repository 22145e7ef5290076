// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `Settings of a session that runs` {
    @Test func `are taken up by the next command; a broken file changes nothing, and is said once`() async throws {
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
        // As in the log: what the rules were when something was decided.
        try write(#"{"loadLimit": 7}"#)
        #expect(try await place(after: "skip", "forward") == 90_500)
        #expect(try await session.log().contains { $0["event"] as? String == "rules" })
    }
}

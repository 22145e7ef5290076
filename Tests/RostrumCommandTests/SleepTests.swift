// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

/// A night with the built programs and a session that ends in the course of it.
@Suite(.timeLimit(.minutes(2)))
struct `A night with a sleep timer` {
    enum End: CaseIterable {
        case killed
        case inOrder
    }

    /// Starts playing an hour of silence in two chapters.
    private func begin(_ session: RunningSession) async throws -> (player: Program.Running, path: String) {
        let path = try session.silence("night.wav", hours: 1)
        let player = try session.program.start(["play", path])
        try await session.until { $0.status == "playing" }
        return (player, path)
    }

    private func end(_ session: RunningSession, _ player: Program.Running, _ end: End) async throws {
        // This returns when the library has stored everything.
        _ = try await session.program.run("history")
        switch end {
        case .killed: session.signal(SIGKILL)
        case .inOrder: kill(player.processIdentifier, SIGINT)
        }
        _ = try await blocking { player.outcome() }
        try await session.end()
    }

    @Test(arguments: ["chapter", "book", "30"], End.allCases)
    func `that runs continues in the next session, with its item`(_ wish: String, _ end: End) async throws {
        let session = try RunningSession(endsByItself: true)
        let (player, path) = try await begin(session)
        #expect(try await session.program.run("sleep", wish).code == 0)
        try await self.end(session, player, end)

        let next = try RunningSession(in: session.temporary)
        #expect(try await next.program.run("play", path, "--detach").code == 0)
        let sleep = try #require(try await next.status().status.sleep)
        #expect(sleep.end == (wish == "30" ? "time" : wish))
        #expect(try await next.program.run("sleep", "off").code == 0)
        _ = try await next.program.run("history")
        next.signal(SIGKILL)
        try await next.end()

        let last = try RunningSession(in: next.temporary)
        #expect(try await last.program.run("play", "--detach").code == 0)
        #expect(try await last.status().status.sleep == nil, "it was set off")
    }

    @Test(arguments: End.allCases)
    func `that has stopped playback does not run again`(_ end: End) async throws {
        let session = try RunningSession(endsByItself: true)
        let (player, path) = try await begin(session)
        #expect(try await session.program.run("seek", "29:59").code == 0)
        #expect(try await session.program.run("sleep", "chapter").code == 0)
        try await session.until { $0.sleep?.end == "over" }
        try await self.end(session, player, end)

        for arguments in [["play", "--detach"], ["play", path, "--detach"]] {
            let next = try RunningSession(in: session.temporary)
            #expect(try await next.program.run(arguments).code == 0)
            #expect(try await next.status().status.sleep == nil)
            next.signal(SIGKILL)
            try await next.end()
        }
    }

    @Test func `can be chosen from the coming chapters`() async throws {
        let session = try RunningSession()
        let path = try session.silence("night.wav", hours: 3)
        #expect(try await session.program.run("sleep").code == 69)
        #expect(try await session.program.run("play", path, "--detach").code == 0)
        let text = try await session.program.run("sleep", "--json").output
        let choices = try JSONDecoder().decode(SleepChoices.self, from: Data(text.utf8))
        #expect(choices.sleep == nil)
        #expect(choices.chapters.map(\.index) == [0, 1, 2, 3, 4], "three of them within 90 minutes, but five at least")
        #expect(choices.chapters.map(\.endMs) == [1, 2, 3, 4, 5].map { $0 * 1_800_000 })
        #expect(try await session.program.run("sleep", "ch:3").code == 0)
        let lines = try await session.program.run("sleep").output.split(separator: "\n").map(String.init)
        #expect(lines.count == 6)
        #expect(lines[0].hasPrefix("sleep at the end of the chapter, in 1:"))
        #expect(lines[1].hasPrefix("ch:1  in ") && lines[1].contains(", at "))
        #expect(try await session.program.run("sleep", "ch:7").code == 66)
    }
}

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Glibc
import SessionProtocol
import Testing

/// The keys of an impatient user, which come while the item is being opened.
@Suite(.timeLimit(.minutes(1)))
struct `Keys while an item loads` {
    /// Starts a player whose item does not open, because the test holds the pipe and writes nothing.
    private func loading(_ session: RunningSession) async throws -> (terminal: Terminal, pipe: Int32) {
        let path = session.temporary.path + "/pipe.wav"
        try #require(mkfifo(path, 0o600) == 0)
        let pipe = open(path, O_RDWR | O_CLOEXEC)
        let terminal = try Terminal(session.program, ["play", path], columns: 80)
        try await session.until { $0.status == "loading" }
        return (terminal, pipe)
    }

    @Test func `a pause takes effect at once, and so does its reversal`() async throws {
        let session = try RunningSession()
        let (terminal, pipe) = try await loading(session)
        defer { close(pipe) }
        terminal.type(" ")
        try await session.until { $0.status == "paused" }
        #expect(try await session.status().status.error == nil, "it is still being opened")
        terminal.type(" ")
        try await session.until { $0.status == "loading" }
        terminal.type("q")
        #expect(try await terminal.end() == 0)
        try await session.until { $0.status != "loading" }
    }

    @Test func `quitting ends the player and the loading`() async throws {
        let session = try RunningSession()
        let (terminal, pipe) = try await loading(session)
        defer { close(pipe) }
        terminal.type("q")
        #expect(try await terminal.end() == 0)
        try await session.until { $0.status != "loading" }
    }
}

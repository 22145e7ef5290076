// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `Unplayable input` {
    /// Expects a refusal with this code and one line, and no defect.
    private func expect(_ outcome: Program.Outcome, _ code: Int32, _ words: String) {
        #expect(outcome.code == code && outcome.errors.filter(\.isNewline).count == 1, "\(outcome)")
        #expect(outcome.errors.contains(words), "\(outcome)")
    }

    @Test func `several texts at once are refused`() async throws {
        let session = try RunningSession()
        let texts = try ["a.txt", "b.txt"].map { try session.temporary.file($0, "Some words.") }
        expect(try await session.program.run(["play"] + texts), 65, "one after the other")
        expect(try await session.program.run(["play", "--engine", "espeak"] + texts), 65, "one after the other")
    }

    @Test(arguments: ["http://127.0.0.1:99999/a.mp3", "http://[::1/a.mp3", "http://127.0.0.1:0x/a.mp3"])
    func `an address with an invalid host or port is refused in one line`(_ address: String) async throws {
        let session = try RunningSession()
        expect(try await session.program.run("play", address), 65, "check its host and port")
    }

    @Test func `an address or headers that are too long are refused in one line`() async throws {
        let session = try RunningSession()
        let long = String(repeating: "x", count: 20_000)
        expect(
            try await session.program.run("play", "http://127.0.0.1:9/a.mp3", "--header", "A:\(long)"), 64, "headers")
        expect(try await session.program.run("play", "http://127.0.0.1:9/\(long).mp3"), 65, "the address")
    }

    @Test(arguments: ["play", "read"]) func `a pipe without a writer is reported after a timeout`(
        _ command: String
    ) async throws {
        let fixture = try CommandFixture()
        let path = fixture.temporary.path + "/pipe.txt"
        try #require(mkfifo(path, 0o600) == 0)
        expect(try await fixture.program.run(command, path), 74, "nobody writes into the pipe: \(path)")
        #expect(fixture.session.commands.isEmpty)
    }

    @Test func `a pipe whose writer comes later is waited for`() async throws {
        let fixture = try CommandFixture()
        let path = fixture.temporary.path + "/pipe.txt"
        try #require(mkfifo(path, 0o600) == 0)
        let running = try fixture.program.start(["read", path, "--detach"])
        // This returns when the program has opened the other end.
        let writer = try await blocking { open(path, O_WRONLY | O_CLOEXEC) }
        defer { close(writer) }
        #expect(try await blocking { running.outcome() } == .init(output: "", errors: "", code: 0))
        // Once it reads, its status says whether another engine stands in.
        #expect(fixture.session.commands.map(\.method) == ["read", "status"])
    }
}

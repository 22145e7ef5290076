// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `A book whose files change` {
    /// Makes a folder of three files of 20 s, and returns its path.
    private static func book(in session: RunningSession) throws -> String {
        let path = session.temporary.path + "/book"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in ["1", "2", "3"] { _ = try session.sound("book/\(name).wav", milliseconds: 20_000) }
        return path
    }

    @Test func `whose place is in a file that is gone is refused, with a way to start`() async throws {
        let session = try RunningSession()
        let book = try Self.book(in: session)
        #expect(try await session.program.run("play", book, "--at", "track:3", "--detach").code == 0)
        #expect(try await session.program.run("stop").code == 0)
        try FileManager.default.removeItem(atPath: book + "/3.wav")
        let outcome = try await session.program.run("play", book)
        #expect(outcome.code == 66 && outcome.errors.contains("--from-start"), "\(outcome)")
        #expect(try await session.program.run("play", book, "--from-start", "--detach").code == 0)
    }

    @Test func `is refused at a file that is gone, by the name of the file, and the rest plays on`()
        async throws
    {
        let session = try RunningSession()
        let book = try Self.book(in: session)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        try FileManager.default.removeItem(atPath: book + "/3.wav")
        #expect(try await session.program.run("seek", "track:3+10").code == 0)
        let words = "cannot open \(book)/3.wav: No such file"
        try await session.until { $0.error?.message.hasPrefix(words) == true }
        let outcome = try await session.program.run("resume")
        #expect(outcome.code == 66 && outcome.errors.contains(words), "\(outcome)")
        #expect(try await session.program.run("seek", "track:2+1").code == 0)
        #expect(try await session.program.run("resume").code == 0)
    }

    @Test func `stays at its place when a file joins it`() async throws {
        let session = try RunningSession()
        let book = try Self.book(in: session)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        #expect(try await session.program.run("seek", "track:3+5").code == 0)
        #expect(try await session.program.run("pause").code == 0)
        _ = try session.sound("book/0.wav", milliseconds: 20_000)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        let status = try await session.status().status
        #expect(status.track?.index == 3, "\(status)")
    }
}

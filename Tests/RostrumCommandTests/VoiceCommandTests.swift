// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// `rostrum voices`, with a session and a runtime that beeps.
@Suite(.timeLimit(.minutes(2))) struct `The voices` {
    private static let words = "One is first. The second sentence of this text is a rather long one. And three.\n"

    @Test func `of a language reads its texts, until the choice is taken back`() async throws {
        let session = try RunningSession()
        try session.voice("joe")
        let text = try session.temporary.file("text.txt", Self.words)
        #expect(try await session.program.run("voices", "use", "joe") == .init(output: "", errors: "", code: 0))
        let listed = try await session.program.run("voices")
        #expect(
            listed.output.contains("\njoe  English (en-US)  unknown  0 MB  installed  chosen for en\n"), "\(listed)")
        #expect(try await session.program.run("read", text, "--rate", "3") == .init(output: "", errors: "", code: 0))
        #expect(try await session.status().status.engine == "sherpa")
        let wrong = try await session.program.run("voices", "use", "joe/ann", "--language", "de")
        #expect(wrong.code == 66 && wrong.errors.contains("no such speaker"), "\(wrong)")
        #expect(try await session.program.run("voices", "use", "amy").code == 66)
        #expect(try await session.program.run("voices", "use", "espeak:de", "--language", "de").code == 0)
        #expect(
            try await session.program.run("settings", "get", "voices").output
                .contains("en=sherpa:joe"))
        for language in ["en", "de"] {
            #expect(try await session.program.run("voices", "use", "none", "--language", language).code == 0)
        }
        let other = try session.temporary.file("other.txt", Self.words)
        #expect(try await session.program.run("read", other, "--rate", "3").code == 0)
        #expect(try await session.status().status.engine == "espeak")
    }

    @Test func `can be sampled, and what played goes on where it was`() async throws {
        let session = try RunningSession()
        try session.voice("joe")
        let book = try session.sound("book.wav", milliseconds: 60_000)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        let sample = try await session.program.run("voices", "sample", "joe", "Hello there.")
        #expect(sample == .init(output: "", errors: "", code: 0))
        try await session.until { $0.owner == "main" && $0.status == "playing" && $0.engine == "ffmpeg" }
        let log = try await session.log()
        #expect(
            log.contains { $0["event"] as? String == "play" && $0["with"] as? String == "sherpa" }
                && !log.contains { $0["kind"] as? String == "place" && "\($0["item"] ?? "")".contains("descriptor") })
        #expect(try await session.status().status.item?.title == "book")
    }

    @Test func `that cannot be sampled say why in one line`() async throws {
        let session = try RunningSession()
        try session.voice("joe", ["-DNO_MODEL"])
        let damaged = try await session.program.run("voices", "sample", "joe")
        #expect(damaged.code == 70 && damaged.errors.contains("the voice joe cannot be used"), "\(damaged)")
        let published = try await session.program.run("voices", "sample", "en_US-joe-medium")
        #expect(
            published.code == 69 && published.errors.contains("`rostrum voices install en_US-joe-medium` first"),
            "\(published)")
        #expect(try await session.program.run("voices", "sample", "nobody").code == 66)
    }

    @Test func `are changed by one command at a time`() async throws {
        let session = try RunningSession()
        try session.voice("joe")
        let lock = open(session.temporary.folders.data + "/voices/.lock", O_RDWR | O_CREAT, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        for arguments in [["install", "en_US-joe-medium"], ["add", "/tmp"], ["remove", "joe"]] {
            let refused = try await session.program.run(["voices"] + arguments)
            #expect(refused.code == 75 && refused.errors.contains("another `rostrum voices`"), "\(refused)")
        }
        #expect(flock(lock, LOCK_UN) == 0)
        #expect(try await session.program.run("voices", "remove", "joe").code == 0)
    }
}

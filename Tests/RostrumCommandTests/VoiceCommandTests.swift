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

    @Test func `of other engines are listed by those engines, for the listener's languages unless more is asked for`()
        async throws
    {
        let fixture = try CommandFixture()
        var program = fixture.program
        let listed = try await program.run("voices")
        #expect(listed.code == 0 && listed.errors == "", "\(listed)")
        let lines = listed.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("en_US-joe-medium  English (en-US)  medium  63 MB  licence: CC0") == true)
        #expect(lines.contains { $0.hasPrefix("espeak:en-US  ") && $0.hasSuffix(" (en-us)  formant") }, "\(listed)")
        #expect(!lines.contains { $0.hasPrefix("espeak:de") })
        #expect(lines.last?.hasSuffix("languages: `rostrum voices --all`, or --language TAG") == true)
        program.environment["LANG"] = "de_AT.UTF-8"
        let german = try await program.run("voices").output
        #expect(german.contains("\nespeak:de  German (de)  formant\n") || german.hasPrefix("espeak:de  "), "\(german)")
        #expect(!german.contains("espeak:en"))
        let all = try await program.run("voices", "--all").output.split(separator: "\n")
        #expect(all.count > 60 && all.filter { $0.contains("espeak:de ") }.count == 1)
        let french = try await program.run("voices", "--language", "fr").output.split(separator: "\n")
        #expect(!french.isEmpty && french.allSatisfy { $0.hasPrefix("espeak:fr") })
        let none = try await program.run("voices", "--language", "zzz")
        #expect(none.code == 66 && none.output == "" && none.errors.contains("zzz: no voice speaks that"), "\(none)")
        let json = try await program.run("voices", "--json").output.split(separator: "\n")
        let objects = try json.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.count == all.count)
        #expect(
            objects.contains {
                $0["name"] as? String == "espeak:de" && $0["engine"] as? String == "espeak"
                    && $0["language"] as? String == "de" && $0["quality"] as? String == "formant"
                    && $0["isInstalled"] as? Bool == true
            })
        #expect(fixture.session.commands.isEmpty)
    }

    @Test func `of other engines are chosen only if they are there`() async throws {
        let session = try RunningSession()
        let program = session.program
        #expect(try await program.run("voices", "use", "espeak:en-us+f3").code == 0)
        #expect(try await program.run("settings", "get", "voices").output.contains("en=espeak:en-US+f3"))
        #expect(try await program.run("voices").output.contains("formant  chosen for en\n"))
        let near = try await program.run("voices", "use", "espeak:en-usa")
        #expect(near.code == 66 && near.errors.hasPrefix("rostrum: espeak:en-usa: espeak has no such voice; near it "))
        #expect(near.errors.contains("en-US") && near.errors.hasSuffix("see `rostrum voices --all`\n"), "\(near)")
        let engine = try await program.run("voices", "use", "espaek:en")
        #expect(engine.code == 69 && engine.errors.contains("no engine 'espaek' is installed"), "\(engine)")
        let sample = try await program.run("voices", "sample", "espeak:xyz")
        #expect(sample.code == 66 && sample.errors.contains("espeak has no such voice"), "\(sample)")
        #expect(try await program.run("voices", "sample", "espeak:de", "Ja.").code == 0)
        let text = try session.temporary.file("text.txt", Self.words)
        let read = try await program.run("read", text, "--engine", "espeak", "--voice", "en-usa", "--detach")
        #expect(read.code == 69 && read.errors.contains("espeak has no voice \"en-usa\"; near it "), "\(read)")
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

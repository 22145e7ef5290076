// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

/// `rostrum say` and `rostrum pronunciations`.
@Suite(.timeLimit(.minutes(2))) struct `Words that are said` {
    /// A session that ends at once what it is asked to read, with a file of pronunciations if there is one.
    private static func fixture(_ pronunciations: String? = nil) throws -> CommandFixture {
        let fixture = try CommandFixture { _, _, descriptors throws(SessionError) in
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(descriptors.first ?? -1, &bytes, bytes.count)
            throw SessionError(.checkFailed, String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        }
        guard let pronunciations else { return fixture }
        let config = fixture.temporary.folders.config
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        try Data(pronunciations.utf8).write(to: URL(fileURLWithPath: config + "/pronunciations.txt"))
        return fixture
    }

    /// Returns the parameters with which the session was asked to read.
    private static func sample(_ fixture: CommandFixture) -> PlayParameters? {
        for case .read(let parameters) in fixture.session.commands { return parameters }
        return nil
    }

    @Test func `are sent as a sample, and printed with the entries that were applied`() async throws {
        let fixture = try Self.fixture("gif = jif\nRostrum = [[r'0str@m]]\n")
        let outcome = try await fixture.program.run(
            "say", "A", "gif of Rostrum", "costs", "$5.", "--voice", "en-gb", "--engine", "espeak", "--rate", "1.5")
        #expect(
            outcome.output == """
                A jif of [[r'0str@m]] costs five dollars.
                  “gif”: gif = jif, line 1 of pronunciations.txt
                  “Rostrum”: Rostrum = [[r'0str@m]], line 2 of pronunciations.txt

                """)
        // What the session gets is what was typed.
        #expect(outcome.errors.hasPrefix("rostrum: A gif of Rostrum costs $5.") && outcome.code == 1, "\(outcome)")
        let parameters = try #require(Self.sample(fixture))
        #expect(parameters.items == ["descriptor:0"] && parameters.sample == true && parameters.asText == true)
        #expect(parameters.engine == "espeak" && parameters.voice == "en-gb" && parameters.rate == 1.5)
        #expect(parameters.pronunciations == nil && parameters.language == nil && parameters.owner == nil)
    }

    @Test func `are said as an entry has it that is only tried`() async throws {
        let fixture = try Self.fixture("gif = jif\n")
        let outcome = try await fixture.program.run(
            "say", "gif", "--as", "ghif", "--entry", "x = y", "--language", "de")
        #expect(outcome.output == "ghif\n  “gif”: \"gif\" = ghif, as given\n", "\(outcome)")
        let parameters = try #require(Self.sample(fixture))
        #expect(parameters.pronunciations == ["x = y", "\"gif\" = ghif"] && parameters.language == "de")
    }

    @Test(arguments: [
        (["say", "a gif", "--entry", "gif jif"], 65, "the pronunciation “gif jif”: there is no \"=\""),
        (["say", "a gif", "--as", "[[gIf"], 65, "the sounds are not closed"),
        (["say", "a \"gif\"", "--as", "jif"], 64, "--as: quotation marks in the words"),
        (["say", " "], 64, "no words"), (["say", String(repeating: "x", count: 4096)], 64, "too many words"),
        (["say", "gif", "--language", "d e"], 64, "bad language"), (["say", "?!"], 65, "no letters or digits"),
    ])
    func `with a mistake are not said, and the mistake is told in one line`(
        arguments: [String], code: Int, message: String
    ) async throws {
        let fixture = try Self.fixture()
        let outcome = try await fixture.program.run(arguments)
        #expect(outcome.code == Int32(code) && outcome.output == "", "\(outcome)")
        #expect(outcome.errors.contains(message) && outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
        #expect(fixture.session.commands.isEmpty)
    }

    @Test func `are heard with the pronunciations, and what played goes on`() async throws {
        let session = try RunningSession()
        let config = session.temporary.folders.config
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        try Data("gif jif\n".utf8).write(to: URL(fileURLWithPath: config + "/pronunciations.txt"))
        let book = try session.sound("book.wav", milliseconds: 60_000)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        let said = try await session.program.run("say", "A gif.", "--as", "A jif", "--rate", "3")
        #expect(said.code == 0 && said.output == "A jif.\n  “A gif”: \"A gif.\" = A jif, as given\n", "\(said)")
        // The mistake in the file is told once, with its line.
        let lines = said.errors.split(separator: "\n")
        #expect(lines.count == 1 && said.errors.contains("pronunciations.txt, line 1: there is no \"=\""), "\(said)")
        try await session.until { $0.owner == "main" && $0.status == "playing" && $0.engine == "ffmpeg" }
        let log = try await session.log()
        #expect(
            log.contains { $0["event"] as? String == "play" && $0["with"] as? String == "espeak" }
                && !log.contains { $0["kind"] as? String == "place" && "\($0["item"] ?? "")".contains("descriptor") })
    }

    @Test func `have their pronunciations listed, with the lines`() async throws {
        let absent = try Self.fixture()
        let none = try await absent.program.run("pronunciations")
        #expect(absent.session.commands.isEmpty)
        #expect(none.code == 0 && none.output.hasPrefix("there are none: ") && none.errors == "", "\(none)")
        let sound = try Self.fixture("# mine\ngif = jif\n\n[de]\n/(\\d+)fps/ = $1 Bilder\n")
        #expect(
            try await sound.program.run("pronunciations")
                == .init(output: "    2  gif = jif\n    5  [de] /(\\d+)fps/ = $1 Bilder\n", errors: "", code: 0))
        #expect(
            try await sound.program.run("pronunciations", "--json").output
                == #"{"entry":"gif = jif","line":2}"# + "\n"
                + #"{"entry":"/(\\d+)fps/ = $1 Bilder","language":"de","line":5}"# + "\n")
        let fixture = try Self.fixture("gif = jif\n/(/ = x\nodd\n")
        let outcome = try await fixture.program.run("pronunciations")
        let path = fixture.temporary.folders.config + "/pronunciations.txt"
        #expect(outcome.code == 65 && outcome.output == "    1  gif = jif\n")
        #expect(
            outcome.errors.contains("rostrum: \(path), line 2: the pattern is no regular expression")
                && outcome.errors.contains("rostrum: \(path), line 3: there is no \"=\""), "\(outcome)")
    }
}

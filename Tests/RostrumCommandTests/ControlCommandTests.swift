// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Glibc
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `Commands` {
    static let table: [([String], SessionCommand)] = [
        (["pause"], .pause), (["resume"], .resume), (["toggle"], .toggle), (["stop"], .stop),
        (["seek", "90"], .seek("90")), (["seek", "+30"], .seek("+30")), (["seek", "-1:30"], .seek("-1:30")),
        (["seek", "ch:3"], .seek("ch:3")), (["skip", "forward"], .skip(forward: true)),
        (["skip", "back"], .skip(forward: false)), (["chapter", "next"], .chapter("next")),
        (["chapter", "7"], .chapter("7")),
        (["rate", "1.25"], .rate(1.25)), (["volume", "0.5"], .volume(0.5)), (["engine", "espeak"], .engine("espeak")),
        (["claim", "clip-editor-1"], .claim("clip-editor-1")),
        (["release", "clip-editor-1"], .release("clip-editor-1")),
        (["sleep", "30"], .sleep("30")), (["sleep", "+10"], .sleep("+10")), (["sleep", "chapter"], .sleep("chapter")),
        (["sleep", "off"], .sleep("off")), (["undo"], .undo),
        (["option", "mono", "on"], .option("mono", "on")),
        (["option", "balance", "-0.5"], .option("balance", "-0.5")),
        (["option", "loudness", "-20"], .option("loudness", "-20")),
        (["option", "silence", "off"], .option("silence", "off")),
        (["settings", "set", "balance", "-0.5"], .settings(.set("balance", to: "-0.5"))),
        (["settings", "set", "balance", "default"], .settings(.set("balance", to: nil))),
        (["pause", "--owner", "main"], .addressed(Address(owner: "main"), .pause)),
        (["seek", "--owner", "main", "90"], .addressed(Address(owner: "main"), .seek("90"))),
    ]

    @Test func `reach the session and print nothing`() async throws {
        let fixture = try CommandFixture()
        for (arguments, _) in Self.table {
            #expect(try await fixture.program.run(arguments) == .init(output: "", errors: "", code: 0), "\(arguments)")
        }
        // After a change of engine, the status says whether another one goes on in its place.
        #expect(
            fixture.session.commands
                == Self.table.flatMap { $0.1 == .engine("espeak") ? [$0.1, .status] : [$0.1] })
    }

    @Test func `that the session refuses print its line and exit with its code`() async throws {
        let fixture = try CommandFixture { _, _, _ throws(SessionError) in
            throw SessionError(.unavailable, "no such engine: x\u{1B}[31m\nagain; see `rostrum engines`")
        }
        let outcome = try await fixture.program.run("engine", "x")
        #expect(
            outcome
                == .init(output: "", errors: "rostrum: no such engine: x [31m again; see `rostrum engines`\n", code: 69)
        )
    }

    @Test(arguments: [
        ["frob"], ["seek"], ["seek", ""], ["seek", "-"], ["seek", "1:99"], ["seek", "-x"], ["rate", "0.4"],
        ["rate", "3.1"],
        ["rate", "x"], ["rate", "nan"], ["volume", "1.01"], ["volume", "inf"], ["volume"], ["chapter", "0"],
        ["chapter", "-1"],
        ["skip", "up"], ["play", "--rate", "9"], ["play", "--volume", "2"], ["play", "--at", "1e9"],
        ["play", "--until", "٣"],
        ["play", "--at", "1", "--from-start"], ["play", "--output", "foo"], ["play", "--output", "wav:"],
        ["play", "--header", "nothing"], ["play", "--header", "A:b"], ["read", "--identity", "x"], ["play", "--frob"],
        ["read", "-", "-"], ["engine", ""], ["status", "x"],
        ["log", "--since", "yesterday"], ["claim"], ["claim", "a b"], ["sleep", "never"], ["sleep", "25h"],
        ["undo", "x"], ["history", "--limit", "0"],
        ["history", "--limit", "x"], ["option"], ["option", "mono"], ["option", "mono", "x"], ["option", "bass", "on"],
        ["settings", "get"], ["settings", "set", "mono"], ["settings", "set", "", "1"], ["option", "balance", "-2"],
        ["clip", "play", "x.mp3"], ["inspect"],
    ])
    func `that are invalid are refused in one line before the session is asked`(arguments: [String]) async throws {
        let fixture = try CommandFixture()
        let outcome = try await fixture.program.run(arguments)
        #expect(outcome.code == 64)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors.hasPrefix("rostrum: ") && outcome.errors.filter(\.isNewline).count == 1, "\(outcome.errors)")
        #expect(fixture.session.events.isEmpty)
    }

    @Test(arguments: [["status"], ["status", "--json"], ["pause"], ["stop"], ["skip", "back"], ["rate", "1"]])
    func `that need a session say how to start one`(arguments: [String]) async throws {
        let temporary = try TemporaryFolders()
        let outcome = try await Program(temporary).run(arguments)
        #expect(
            outcome
                == .init(
                    output: "", errors: "rostrum: no session is running; start one with `rostrum play FILE`\n", code: 69
                ))
    }

    @Test func `show help when asked`() async throws {
        let temporary = try TemporaryFolders()
        let outcome = try await Program(temporary).run("play", "--help")
        #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.output.contains("--from-start"))
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `Questions` {
    @Test func `about the status are answered with the session's unchanged JSON`() async throws {
        let fixture = try CommandFixture { _, _, _ in .status(.paused) }
        let text = String(decoding: try JSONLine.encode(Status.paused), as: UTF8.self)
        #expect(try await fixture.program.run("status", "--json") == .init(output: text, errors: "", code: 0))
    }

    @Test func `about the status are answered with lines for the user`() async throws {
        let fixture = try CommandFixture { _, _, _ in .status(.paused) }
        #expect(
            try await fixture.program.run("status").output == """
                paused: The Whale - H. Melville
                chapter 3/12 The Inn
                1:02:03 of 10:00:00, 1.25x, volume 100%
                engine ffmpeg, owner main, output pulse (Speakers)

                """)
        let idle = try CommandFixture { _, _, _ in .status(.idle) }
        #expect(try await idle.program.run("status").output == "idle\n")
    }

    @Test func `about engines and items are answered`() async throws {
        let engine = EngineInfo(
            id: "tone", name: "Tone", version: "1.2", vendor: "V", license: "MIT", abi: "1.0",
            kinds: ["audio", "text"],
            hosting: "isolated", state: "refused", path: "/e/tone.engine", reason: "others may write to it")
        let inspection = Inspection(
            uri: "/b.m4b", title: nil, author: "A", durationMs: 61_000, durationConfidence: "exact",
            tracks: [.init(index: 0, uri: "/b.m4b", durationMs: nil, codec: "aac", sampleRate: 44_100, channels: 2)],
            chapters: [.init(index: 0, title: "One\u{7}", startMs: 0, endMs: 1, source: "embedded")])
        let fixture = try CommandFixture { command, _, _ in
            if case .engines = command { .engines([engine]) } else { .inspection(inspection) }
        }
        #expect(
            try await fixture.program.run("engines").output
                == "tone 1.2, audio and text, isolated, refused: others may write to it: Tone, /e/tone.engine\n")
        #expect(
            try await fixture.program.run("engines", "--json").output
                == String(decoding: try JSONLine.encode([engine]), as: UTF8.self))
        let path = try fixture.file("b.m4b")
        #expect(
            try await fixture.program.run("inspect", "b.m4b").output == """
                /b.m4b - A
                duration 1:01 (exact)
                track 1: -:--, aac, 44100 Hz, 2 ch, /b.m4b
                chapter 1: 0:00 One\u{20}

                """)
        guard case .inspect(let parameters)? = fixture.session.commands.last else { return #expect(Bool(false)) }
        #expect(parameters.items == [path])
    }
}

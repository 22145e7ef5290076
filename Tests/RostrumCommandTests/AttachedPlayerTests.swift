// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import FakeSession
import Glibc
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `The player in a terminal` {
    private func attach(_ fixture: CommandFixture, columns: Int = 80) async throws -> Terminal {
        let terminal = try Terminal(fixture.program, ["play"], columns: columns)
        _ = await fixture.session.command { _ in true }
        return terminal
    }

    @Test func `shows the title, chapter, bar, time and speed`() async throws {
        let fixture = try CommandFixture()
        let terminal = try await attach(fixture)
        fixture.session.tell(status: .paused)
        let rows = try await terminal.rows { $0.count == 2 && $0[1].contains("1.25x") }
        #expect(
            rows == [
                "The Whale - H. Melville",
                "paused  3/12 The Inn  [==                          ]  1:02:03 / 10:00:00  1.25x",
            ])
    }

    @Test(arguments: [false, true])
    func `reports the missing part of a text once, on the screen or after it`(_ isShown: Bool) async throws {
        let fixture = try CommandFixture()
        let terminal = try await attach(fixture)
        let words = "1 of 3 sentences could not be spoken"
        fixture.session.tell(
            status: .idle.with {
                $0.status = "ended"
                if isShown { $0.warning = words }
            })
        try await terminal.rows { $0.last?.hasPrefix("ended") == true }
        fixture.session.tell(.finished(nil, warning: words))
        #expect(try await terminal.end() == 0)
        let rows = try await terminal.rows { _ in true }
        #expect(rows.count { $0.contains(words) } == 1, "\(rows)")
    }

    @Test(arguments: [
        (Status.idle, "idle  [                                      ]  -:-- / -:--  1.0x"),
        (
            Status.paused.with {
                $0.status = "loading"; $0.position.ms = nil; $0.duration.ms = nil; $0.chapter = nil
            },
            "loading  [                                      ]  -:-- / -:--  1.25x"
        ),
        (
            Status.paused.with {
                $0.intent = "play"; $0.suppression = "interruption"; $0.volume = 0.5; $0.rate = 1
            },
            "held (interruption)  3/12 The Inn  [=          ]  1:02:03 / 10:00:00  1.0x  50%"
        ),
        (
            Status.paused.with {
                $0.status = "error"
                $0.error = .init(code: 65, message: "corrupt\u{1B}[2J")
                $0.chapter = nil
            },
            "error: corrupt [2J  [===                           ]  1:02:03 / 10:00:00  1.25x"
        ),
        (
            Status.paused.with { $0.chapter?.title = "海の向こうへ行く長い長い旅の物語と港町の宿屋" },
            "paused  3/12 海の向こうへ行く長い長い旅の…  [      ]  1:02:03 / 10:00:00  1.25x"
        ),
    ])
    func `shows the state in one row`(status: Status, row: String) async throws {
        let fixture = try CommandFixture()
        let terminal = try await attach(fixture)
        fixture.session.tell(status: status)
        do {
            try await terminal.rows(5) { $0.last == row }
        } catch let error as Terminal.TimedOut {
            #expect(error.screen.last == row)
        }
    }

    @Test func `lets no title control the terminal, and wraps at no width`() async throws {
        let fixture = try CommandFixture()
        let terminal = try await attach(fixture, columns: 30)
        fixture.session.tell(
            status: Status.paused.with {
                $0.item?.title = "\u{1B}]0;owned\u{7}本本本本本本本本本本本本本本本"
                $0.item?.author = nil
                $0.chapter?.title = "\u{9B}31m"
            })
        let rows = try await terminal.rows { $0.count == 2 && $0[1].hasPrefix("paused") }
        #expect(rows == [" ]0;owned 本本本本本本本本本…", "paused  1:02:03 / 10:00:00  …"])
        terminal.resize(columns: 60)
        try await terminal.rows { $0[1].contains("1.25x") }
    }

    @Test func `shows time pass without new statuses`() async throws {
        let fixture = try CommandFixture()
        let terminal = try await attach(fixture)
        fixture.session.tell(
            status: Status.paused.with {
                $0.status = "playing"; $0.rate = 3; $0.position.ms = 59_000
            })
        try await terminal.rows { $0.last?.contains("1:01 /") == true }
        // The position never passes the end.
        fixture.session.tell(
            status: Status.paused.with {
                $0.status = "playing"; $0.rate = 3; $0.position.ms = 35_999_000
            })
        try await terminal.rows { $0.last?.contains("10:00:00 / 10:00:00") == true }
    }

    @Test func `sends the commands of the keys`() async throws {
        let fixture = try CommandFixture()
        let terminal = try await attach(fixture)
        fixture.session.tell(status: Status.paused.with { $0.volume = 0.9 })
        try await terminal.rows { $0.last?.contains("90%") == true }
        #expect(terminal.isRaw)
        terminal.type(" \u{1B}[C\u{1B}OD<>x\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[B[[]\u{1B}[1;5C\u{1B}[3~ \u{1B}[B")
        // This is the last one; `q` does not wait for what was typed before.
        let main = Address(owner: "main")
        _ = await fixture.session.command { $0 == .addressed(main, .volume(0.9)) }
        let expected: [SessionCommand] = [
            .addressed(main, .toggle), .addressed(main, .skip(forward: true)), .addressed(main, .skip(forward: false)),
            .addressed(main, .chapter("previous")), .addressed(main, .chapter("next")), .addressed(main, .volume(0.95)),
            .addressed(main, .volume(1)), .addressed(main, .volume(1)), .addressed(main, .volume(0.95)),
            .addressed(main, .rate(1.15)), .addressed(main, .rate(1.05)), .addressed(main, .rate(1.15)),
            .addressed(main, .toggle), .addressed(main, .volume(0.9)),
        ]
        terminal.type("q")
        #expect(try await terminal.end() == 0)
        #expect(Array(fixture.session.commands.dropFirst()) == expected)
    }

    @Test func `shows why a key was refused until the status changes`() async throws {
        let fixture = try CommandFixture { command, _, _ throws(SessionError) in
            if case .addressed(_, .chapter) = command { throw SessionError(.notFound, "no next chapter") }
            return .done
        }
        let terminal = try await attach(fixture)
        fixture.session.tell(status: .paused)
        try await terminal.rows { $0.last?.contains("paused") == true }
        terminal.type(">")
        try await terminal.rows { $0.last?.hasSuffix("1.25x  no next chapter") == true }
        // A status that comes at once does not take it away before it can be read.
        fixture.session.tell(status: Status.paused.with { $0.rate = 2 })
        try await terminal.rows { $0.last?.hasSuffix("2.0x  no next chapter") == true }
        try await terminal.rows { $0.last?.hasSuffix("2.0x") == true }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func `restores the terminal at a signal`(signal: Int32) async throws {
        let fixture = try CommandFixture()
        let terminal = try await attach(fixture)
        fixture.session.tell(status: .paused)
        try await terminal.rows { $0.last?.contains("paused") == true }
        #expect(terminal.isRaw)
        // The signals are sent by the keyboard where it can.
        if signal == SIGINT { terminal.type("\u{3}") } else { kill(terminal.process, signal) }
        #expect(try await terminal.end() & 0x7F == signal)
        #expect(!terminal.isRaw)
    }

    @Test func `restores the terminal while it is suspended, and draws again afterwards`() async throws {
        let fixture = try CommandFixture()
        // Only a shell with job control can suspend it, because the kernel does not stop an orphaned process group.
        var shell = fixture.program
        shell.path = "/bin/bash"
        let terminal = try Terminal(shell, ["-mc", "'\(Program.built)' play; echo back; read; fg"], columns: 80)
        _ = await fixture.session.command { _ in true }
        fixture.session.tell(status: .paused)
        try await terminal.rows { $0.last?.contains("paused") == true }
        #expect(terminal.isRaw)
        terminal.type("\u{1A}")
        try await terminal.rows { $0.contains("back") }
        #expect(!terminal.isRaw)
        terminal.type("\n")
        fixture.session.tell(status: Status.paused.with { $0.rate = 2 })
        try await terminal.rows { $0.last?.contains("2.0x") == true }
        #expect(terminal.isRaw)
        terminal.type("q")
        #expect(try await terminal.end() == 0)
    }

    @Test func `restores the terminal at the end`() async throws {
        let fixture = try CommandFixture()
        let terminal = try await attach(fixture)
        fixture.session.tell(status: .paused)
        fixture.session.tell(.finished(SessionError(.badContent, "corrupt: x; give y")))
        try await terminal.rows {
            $0.last == "rostrum: corrupt: x; give y" || $0.contains("rostrum: corrupt: x; give y")
        }
        #expect(try await terminal.end() == 65 << 8)
        #expect(!terminal.isRaw)
    }
}

/// Each player shows its own item while another owner has audio focus, and what plays when its owner has it again.
@Suite(.timeLimit(.minutes(3)))
struct `A player in a terminal whose owner has lost audio focus` {
    @Test func `shows its own book, moves in it with its keys, and resumes it`() async throws {
        let session = try RunningSession()
        let book = try session.sound("book.wav", milliseconds: 120_000)
        let part = try session.sound("part.wav", milliseconds: 60_000)
        let terminal = try Terminal(session.program, ["play", book], columns: 100)
        try await terminal.rows { $0.first == "book" && $0.last?.hasPrefix("playing") == true }
        let clip = try await session.program.run(
            "clip", "play", part, "--start", "1", "--end", "2", "--loop", "--detach", "--owner", "viewer")
        #expect(clip.code == 0, "\(clip.errors)")
        try await terminal.rows { $0.first == "book" && $0.last?.hasPrefix("held (owner)") == true }
        terminal.type("\u{1B}[C\u{1B}[A")
        try await terminal.rows { $0.last?.contains("another owner has audio focus") == true }
        // Some moments of it have been heard before.
        try await terminal.rows { rows in
            let places = (25...40).map { "0:\($0) / 2:00" }
            return rows.first == "book" && places.contains { rows.last?.contains($0) == true }
        }
        let stage = try await session.status().status
        #expect(stage.owner == "viewer" && stage.item?.title == "part" && stage.volume == 1)
        #expect((1_000...2_100).contains(stage.position.ms ?? 0))
        // The first key cancels its resumption. The second one asks for sound, which brings audio focus.
        terminal.type(" ")
        try await terminal.rows { $0.last?.hasPrefix("paused") == true }
        // Even when paused, it is without audio focus.
        terminal.type("]")
        try await terminal.rows { $0.last?.contains("another owner has audio focus; set the rate") == true }
        terminal.type("\u{1B}[B")
        try await terminal.rows { $0.last?.contains("another owner has audio focus; set the volume") == true }
        let clipped = try await session.status().status
        #expect(clipped.owner == "viewer" && clipped.rate == 1 && clipped.volume == 1)
        terminal.type(" ")
        try await terminal.rows { $0.first == "book" && $0.last?.hasPrefix("playing") == true }
        let after = try await session.status().status
        #expect(after.owner == "main" && (25_000...60_000).contains(after.position.ms ?? 0))
        terminal.type("q")
        #expect(try await terminal.end() == 0)
    }

    @Test func `skip, chapter, toggle, rate and volume take an owner`() async throws {
        let session = try RunningSession()
        let book = try session.sound("book.wav", milliseconds: 120_000)
        let part = try session.sound("part.wav", milliseconds: 60_000)
        #expect(try await session.program.run("play", book, "--detach").code == 0)
        #expect(try await session.program.run("play", part, "--owner", "viewer", "--detach").code == 0)
        #expect(try await session.program.run("skip", "forward", "--owner", "main").code == 0)
        for command in [["rate", "2"], ["volume", "0.5"]] {
            let outcome = try await session.program.run(command + ["--owner", "main"])
            #expect(outcome.code == 69 && outcome.errors.filter(\.isNewline).count == 1, "\(outcome)")
            #expect(try await session.program.run(command + ["--owner", "viewer"]).code == 0)
        }
        let both = try await session.status().status
        #expect(both.rate == 2 && both.volume == 0.5)
        #expect(try await session.program.run("toggle", "--owner", "main").code == 0)
        let stage = try await session.status().status
        #expect(stage.owner == "viewer" && stage.status == "playing" && (stage.position.ms ?? 0) < 20_000)
        #expect(try await session.program.run("chapter", "1", "--owner", "nobody").code != 0)
        #expect(try await session.program.run("release", "viewer").code == 0)
        // It is opened anew when it gets audio focus back.
        try await session.until { $0.status != "loading" }
        let after = try await session.status().status
        #expect(after.owner == "main" && after.intent == "pause" && after.status != "playing", "\(after)")
        #expect((after.position.ms ?? 0) >= 25_000)
    }
}

// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import FakeSession
import Foundation
import SessionProtocol
import Testing

/// A `rostrum` with a `rostrumd` beside it that does what the test says.
///
/// It writes its arguments to one FIFO, waits at another, and then runs its last lines.
private struct Installation {
    let temporary: TemporaryFolders
    var program: Program

    init(then lines: String) throws {
        temporary = try TemporaryFolders()
        try temporary.file(
            "rostrumd",
            "#!/bin/sh\necho \"$@\" > '\(temporary.path)/started'\nread x < '\(temporary.path)/go'\n\(lines)\n",
            mode: 0o700)
        for name in ["started", "go"] { try #require(mkfifo(temporary.path + "/" + name, 0o600) == 0) }
        var program = Program(temporary)
        program.path = temporary.path + "/rostrum"
        // The system would resolve a symbolic link to the built program, whose neighbour is the real session.
        if link(Program.built, program.path) != 0 {
            try FileManager.default.copyItem(atPath: Program.built, toPath: program.path)
        }
        self.program = program
    }

    /// Returns the arguments that the session was started with.
    func started() async throws -> String {
        let path = temporary.path + "/started"
        return try await blocking {
            let file = try #require(FileHandle(forReadingAtPath: path))
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    func go() async throws {
        let path = temporary.path + "/go"
        try await blocking {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: Data("go\n".utf8))
        }
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `Without a session` {
    @Test func `one is started in a process session of its own, and used as soon as it listens`() async throws {
        let installation = try Installation(then: "ps -o sid=,pid= -p $$ > pids; echo > /dev/fd/3")
        let running = try installation.program.start(["play", "--detach"])
        #expect(try await installation.started() == "--autostart --ready-fd 3\n")
        let session = FakeSession()
        let server = try ControlServer(ListeningSocket.open(in: installation.temporary.folders), service: session)
        try await installation.go()
        #expect(try await blocking { running.outcome() } == .init(output: "", errors: "", code: 0))
        #expect(session.commands.count == 1)
        let pids = try String(contentsOfFile: installation.temporary.path + "/pids", encoding: .utf8)
            .split(whereSeparator: \.isWhitespace)
        #expect(pids.count == 2 && pids[0] == pids[1])
        await server.stop()
    }

    @Test func `the second of two that start at once uses the first`() async throws {
        let installation = try Installation(then: "echo 'rostrumd: a session runs already' >&2; exit 75")
        let running = try installation.program.start(["engines", "--json"])
        _ = try await installation.started()
        let session = FakeSession { _, _, _ in .engines([]) }
        let server = try ControlServer(ListeningSocket.open(in: installation.temporary.folders), service: session)
        try await installation.go()
        #expect(try await blocking { running.outcome() } == .init(output: "[]\n", errors: "", code: 0))
        await server.stop()
    }

    @Test func `here, but with one elsewhere that has the library, the error names that one`() async throws {
        let session = try RunningSession()
        let folders = session.temporary.folders
        var program = session.program
        program.environment["XDG_RUNTIME_DIR"] = session.temporary.path + "/elsewhere"
        let start = ContinuousClock.now
        let outcome = try await program.run("play", session.silence("long.wav", hours: 1))
        #expect(outcome.code == 75 && outcome.errors.filter(\.isNewline).count == 1, "\(outcome)")
        #expect(outcome.errors.contains("process \(session.processID), socket \(folders.socket)"), "\(outcome)")
        #expect(ContinuousClock.now - start < .seconds(8), "nobody is waited for who will not come")
        #expect(session.isAlive)
    }

    @Test func `one that cannot start reports why, and where to read more`() async throws {
        let installation = try Installation(
            then: "echo before >&2; echo 'rostrumd: cannot open: library; free space' >&2; exit 73")
        try installation.temporary.folders.create()
        try Data("rostrumd: of yesterday\n".utf8).write(
            to: URL(fileURLWithPath: installation.temporary.folders.sessionLog))
        let running = try installation.program.start(["play"])
        _ = try await installation.started()
        try await installation.go()
        let log = installation.temporary.folders.sessionLog
        #expect(
            try await blocking { running.outcome() }
                == .init(
                    output: "",
                    errors: "rostrum: the session did not start: cannot open: library; free space; see \(log)\n",
                    code: 73))
    }

    @Test func `one that crashes at its start is a defect`() async throws {
        let installation = try Installation(then: "kill -SEGV $$")
        let running = try installation.program.start(["play"])
        _ = try await installation.started()
        try await installation.go()
        let outcome = try await blocking { running.outcome() }
        #expect(outcome.code == 70 && outcome.errors.contains("did not start"))
    }

    @Test func `and without rostrumd, the error says what is missing`() async throws {
        let installation = try Installation(then: "")
        try FileManager.default.removeItem(atPath: installation.temporary.path + "/rostrumd")
        let outcome = try await installation.program.run("play")
        #expect(outcome.code == 69)
        #expect(
            outcome.errors
                == "rostrum: cannot start the session: \(installation.temporary.path)/rostrumd is missing; "
                + "install it beside rostrum\n")
    }

    @Test func `one is started even if its log cannot be written`() async throws {
        var installation = try Installation(then: "echo unheard >&2; echo > /dev/fd/3")
        installation.program.environment["XDG_STATE_HOME"] = "/proc/rostrum-test"
        let running = try installation.program.start(["play", "--detach"])
        #expect(try await installation.started() == "--autostart --ready-fd 3\n")
        let session = FakeSession()
        let server = try ControlServer(ListeningSocket.open(in: installation.temporary.folders), service: session)
        try await installation.go()
        #expect(try await blocking { running.outcome() } == .init(output: "", errors: "", code: 0))
        #expect(session.commands.count == 1)
        await server.stop()
    }
}

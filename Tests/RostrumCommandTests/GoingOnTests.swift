// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

/// A `rostrum` whose `rostrumd` has no device, however it is started.
private final class Installation {
    let temporary: TemporaryFolders
    let program: Program

    init(_ temporary: TemporaryFolders) throws {
        self.temporary = temporary
        let beside = URL(fileURLWithPath: Program.built).deletingLastPathComponent().path
        try temporary.file("rostrumd", "#!/bin/sh\nexec '\(beside)/rostrumd' --output null \"$@\"\n", mode: 0o700)
        var program = Program(temporary)
        program.path = temporary.path + "/rostrum"
        // The system would resolve a symbolic link to the built program, whose neighbour is a session with a device.
        if link(Program.built, program.path) != 0 {
            try FileManager.default.copyItem(atPath: Program.built, toPath: program.path)
        }
        self.program = program
    }

    /// Ends the session that a command started, and returns when it is gone.
    func end() throws {
        let text = try String(contentsOfFile: temporary.folders.lock, encoding: .utf8)
        let process = try #require(Int32(text.filter(\.isNumber)))
        kill(process, SIGTERM)
        let lock = open(temporary.folders.lock, O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        flock(lock, LOCK_EX)
    }

    func status() async throws -> Status {
        let outcome = try await program.run("status", "--json")
        try #require(outcome.code == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Status.self, from: Data(outcome.output.utf8))
    }
}

@Suite(.timeLimit(.minutes(3)))
struct `Without a session, the last item` {
    /// Returns an installation whose session has played and is gone.
    private func played() async throws -> Installation {
        let temporary = try TemporaryFolders()
        let session = try RunningSession(in: temporary)
        let path = try session.silence("long.wav", hours: 1)
        #expect(try await session.program.run("play", path, "--at", "10:00", "--detach").code == 0)
        session.signal(SIGTERM)
        try await session.end()
        return try Installation(temporary)
    }

    @Test(arguments: [
        (["resume"], 600), (["toggle"], 600), (["engine", "ffmpeg"], 600), (["seek", "20:00"], 1200),
        (["seek", "+5:00"], 900), (["chapter", "2"], 1800),
    ])
    func `is resumed by every command that plays`(command: [String], seconds: Int) async throws {
        let installation = try await played()
        let outcome = try await installation.program.run(command)
        #expect(outcome == .init(output: "", errors: "", code: 0))
        let status = try await installation.status()
        #expect(status.status == "playing" && status.item?.uri.hasSuffix("long.wav") == true)
        // The pause may have been long enough for the position to be moved back a little.
        let position = Int(try #require(status.position.ms))
        #expect((seconds * 1000 - 31_000...seconds * 1000 + 60_000).contains(position))
        try installation.end()
    }

    @Test(arguments: [["toggle"], ["chapter", "2"], ["seek", "10"], ["resume"], ["rate", "2"]])
    func `is not resumed for a named owner, and no session is started for that`(command: [String]) async throws {
        let temporary = try TemporaryFolders()
        let installation = try Installation(temporary)
        let outcome = try await installation.program.run(command + ["--owner", "viewer"])
        #expect(outcome.code == 69 && outcome.errors.contains("no session is running"), "\(outcome)")
        #expect(access(temporary.folders.lock, F_OK) != 0)
    }

    @Test func `does not exist if nothing has been played yet`() async throws {
        let installation = try Installation(TemporaryFolders())
        for command in [["resume"], ["seek", "10"]] {
            let outcome = try await installation.program.run(command)
            #expect(outcome.code == 69 && outcome.errors.filter(\.isNewline).count == 1, "\(outcome)")
        }
        try installation.end()
    }
}

@Suite(.timeLimit(.minutes(1)))
struct `With a home that is read-only` {
    /// It needs the right to mount a file system; without it, it reports that it was skipped.
    @Test func `a session starts, and the book plays`() async throws {
        let temporary = try TemporaryFolders()
        let home = temporary.path + "/home"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        guard mount("tmpfs", home, "tmpfs", UInt(MS_RDONLY), nil) == 0 else {
            print("skipped: no right to mount a read-only file system")
            return
        }
        defer { umount2(home, Int32(MNT_DETACH)) }
        let installation = try Installation(temporary)
        let path = try RunningSession.silence("long.wav", hours: 1, in: temporary)
        var program = installation.program
        program.environment["HOME"] = home
        for name in ["STATE", "CONFIG", "DATA", "CACHE"] {
            program.environment["XDG_\(name)_HOME"] = "\(home)/.\(name.lowercased())"
        }
        let outcome = try await program.run("play", path, "--detach")
        #expect(outcome == .init(output: "", errors: "", code: 0))
        let status = try await installation.status()
        #expect(status.status == "playing")
        try installation.end()
    }
}

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

/// A named pipe that a shell has open, into which it writes a sound when told.
private final class Feed {
    let path: String
    private let shell = Process()
    private let input = Pipe()

    init(_ sound: String) throws {
        path = sound + ".pipe.wav"
        try #require(mkfifo(path, 0o600) == 0)
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", #"exec > "$1"; read go && cat "$0""#, sound, path]
        shell.standardInput = input
        try shell.run()
    }

    func write() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

    /// Closes the pipe if nothing has been written.
    func close() throws { try input.fileHandleForWriting.close() }

    deinit { shell.terminate() }
}

@Suite(.timeLimit(.minutes(2)))
struct `A session that ends by itself` {
    /// Starts a player of a long sound that is audible when this returns.
    private func player(_ session: RunningSession) async throws -> Program.Running {
        let path = try session.silence("listened.wav", hours: 1)
        let player = try session.program.start(["play", path])
        try await session.until { $0.status == "playing" }
        return player
    }

    private func quit(_ player: Program.Running) async throws {
        kill(player.processIdentifier, SIGINT)
        #expect(try await blocking { player.outcome() }.code == 128 + SIGINT)
    }

    @Test func `completes a render when the last player leaves, and ends after it`() async throws {
        let session = try RunningSession(endsByItself: true)
        let long = try session.silence("long.wav", hours: 1)
        let render = try session.program.start(["play", long, "--output", "null:fast"])
        try await session.until(render: "began")
        try await quit(player(session))
        #expect(try await blocking { render.outcome() } == .init(output: "", errors: "", code: 0))
        try await session.end()
    }

    @Test func `ends at once when the last player leaves, even in the middle of its request`() async throws {
        let session = try RunningSession(endsByItself: true)
        try await quit(player(session))
        try await session.end()

        let other = try RunningSession(endsByItself: true)
        let feed = try Feed(other.sound("short.wav", milliseconds: 2_000))
        let loading = try other.program.start(["play", feed.path])
        try await other.until { $0.status == "loading" }
        try await quit(loading)
        // The session waits for an engine that is still reading.
        try feed.close()
        try await other.end()
    }

    @Test func `ends with the last player, whichever client started playback`() async throws {
        let session = try RunningSession(endsByItself: true)
        let player = try await player(session)
        #expect(try await session.program.run("play", session.silence("long.wav", hours: 1), "--detach").code == 0)
        try await quit(player)
        try await session.end()
    }

    @Test func `continues playback that was started while it completed a render`() async throws {
        let session = try RunningSession(endsByItself: true)
        let long = try session.silence("long.wav", hours: 1)
        let render = try session.program.start(["play", long, "--output", "null:fast"])
        try await session.until(render: "began")
        try await quit(player(session))
        #expect(try await session.program.run("play", long, "--detach").code == 0)
        #expect(try await blocking { render.outcome() } == .init(output: "", errors: "", code: 0))
        #expect(try await session.status().status.status == "playing")
        #expect(try await session.program.run("pause").code == 0)
    }

    @Test func `continues such playback even if it is held when the render ends`() async throws {
        let session = try RunningSession(endsByItself: true)
        let long = try session.silence("long.wav", hours: 1)
        let render = try session.program.start(["play", long, "--output", "null:fast"])
        try await session.until(render: "began")
        try await quit(player(session))
        #expect(try await session.program.run("play", long, "--detach").code == 0)
        #expect(try await session.program.run("claim", "call").code == 0)
        #expect(try await blocking { render.outcome() } == .init(output: "", errors: "", code: 0))
        #expect(try await session.program.run("release", "call").code == 0)
        try await session.until { $0.status == "playing" }
        #expect(session.isAlive)
    }

    @Test func `resumes what a clip interrupted, even if another owner took audio focus meanwhile`() async throws {
        let session = try RunningSession(endsByItself: true)
        let long = try session.silence("long.wav", hours: 1)
        #expect(try await session.program.run("play", long, "--detach").code == 0)
        let clip = try session.program.start([
            "clip", "play", try session.silence("part.wav", hours: 1), "--start", "1", "--end", "3000", "--owner",
            "viewer",
        ])
        try await session.until { $0.owner == "viewer" && $0.status == "playing" }
        #expect(try await session.program.run("claim", "call").code == 0)
        try await quit(clip)
        #expect(try await session.program.run("release", "call").code == 0)
        try await session.until { $0.status == "playing" }
        #expect(session.isAlive)
        #expect(try await session.status().status.owner == "main")
    }

    @Test func `ends with the last player, even while its item is held`() async throws {
        let session = try RunningSession(endsByItself: true)
        let player = try await player(session)
        #expect(try await session.program.run("claim", "call").code == 0)
        try await quit(player)
        try await session.end()
    }

    @Test func `ends with the item that replaced the one that its player started`() async throws {
        let session = try RunningSession(endsByItself: true)
        let player = try await player(session)
        #expect(
            try await session.program.run("play", session.sound("short.wav", milliseconds: 500), "--detach").code == 0)
        #expect(try await blocking { player.outcome() } == .init(output: "", errors: "", code: 0))
        try await session.end()
    }

    @Test func `ends with the last player, even while another item still loads`() async throws {
        let session = try RunningSession(endsByItself: true)
        let player = try await player(session)
        let feed = try Feed(session.sound("short.wav", milliseconds: 100))
        let starting = try session.program.start(["play", feed.path, "--detach"])
        try await session.until { $0.status == "loading" }
        try await quit(player)
        try feed.close()
        // It is given up or found to be no sound, whichever comes first.
        #expect(try await blocking { starting.outcome() }.errors.filter(\.isNewline).count <= 1)
        try await session.end()
    }

    @Test func `stays as a service, and stops playback with its last player`() async throws {
        let session = try RunningSession()
        let first = try await player(session)
        let second = try await player(session)
        try await quit(first)
        // The item of the second player may still be on its way.
        try await session.until { $0.status == "playing" }
        try await quit(second)
        try await session.until { $0.intent == "stop" }
        #expect(session.isAlive)
    }

    @Test func `ends with the last player if detached playback has failed`() async throws {
        let session = try RunningSession(endsByItself: true)
        let player = try await player(session)
        let text = try session.temporary.file("text.wav", "no sound")
        #expect(try await session.program.run("play", text, "--detach").code == 65)
        try await quit(player)
        try await session.end()
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `Renders and inspections` {
    /// Starts a session with an engine that never answers.
    private func session() throws -> (session: RunningSession, item: String) {
        let session = try RunningSession()
        try session.engine("stuck", from: "fixture.c", ["-DFIXTURE_ID=\"stuck\"", "-DFIXTURE_HANGS"])
        return (session, try session.temporary.file("item.zzz", "x"))
    }

    @Test(arguments: [["inspect"], ["play", "--output", "null:fast", "--detach"]])
    func `are limited to eight at a time, and the next one is told to try again`(_ command: [String]) async throws {
        let (session, item) = try session()
        let all = try (0..<8).map { _ in try session.program.start(command + [item]) }
        try await session.wait {
            try #require(all.allSatisfy { $0.process.isRunning })
            return session.runners().count == 8
        }
        let outcome = try await session.program.run(command + [item])
        #expect(outcome.code == 75 && outcome.errors.filter(\.isNewline).count == 1, "\(outcome)")
        #expect(outcome.errors.contains("8 ") && outcome.errors.contains("try again"), "\(outcome)")
        #expect(session.runners().count == 8)
        session.signal(SIGTERM)
        try await session.end()
        for one in all { _ = try await blocking { one.outcome() } }
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `A detached render` {
    @Test func `is answered when it has begun, and the session completes it`() async throws {
        let session = try RunningSession(endsByItself: true)
        let long = try session.silence("long.wav", hours: 1)
        #expect(
            try await session.program.run("play", long, "--output", "null:fast", "--detach")
                == .init(output: "", errors: "", code: 0))
        #expect(try await session.render("began") != nil)
        #expect(try await session.render("ended") == nil)
        let player = try session.program.start(["play", long])
        try await session.until { $0.status == "playing" }
        kill(player.processIdentifier, SIGINT)
        try await session.end()
        let log = try String(contentsOfFile: session.temporary.folders.transitionLog, encoding: .utf8)
        let ended = log.split(separator: "\n").first { $0.contains(#""event":"render""#) && $0.contains(#""ended""#) }
        #expect(ended?.contains(#""errorMessage":null"#) == true, "\(ended ?? "")")
    }

    @Test func `reports at once why it cannot begin`() async throws {
        let session = try RunningSession()
        let sound = try session.sound("sound.wav", milliseconds: 100)
        for (arguments, code) in [
            (["play", sound, "--output", "wav:/nowhere/x.wav"], Int32(73)),
            (["play", try session.temporary.file("text.wav", "no sound"), "--output", "null:fast"], 65),
            (["play", session.temporary.path + "/nothing.wav", "--output", "null:fast"], 66),
        ] {
            let outcome = try await session.program.run(arguments + ["--detach"])
            #expect(outcome.code == code && outcome.errors.filter(\.isNewline).count == 1, "\(outcome)")
        }
    }
}

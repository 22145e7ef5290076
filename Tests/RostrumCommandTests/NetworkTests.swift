// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

/// `http` through the confined engine, with the permission that its manifest requests and the user grants, and without.
@Suite(.timeLimit(.minutes(1)))
struct `An engine and the network` {
    /// A port of this machine that never answers, and that knows whether a program has connected.
    private final class Port: Sendable {
        let number: Int
        private let descriptor: Int32

        init() throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let isBound = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                        && getsockname(descriptor, $0, &length) == 0
                }
            }
            try #require(isBound)
            number = Int(UInt16(bigEndian: address.sin_port))
        }

        deinit { close(descriptor) }

        func isVisited(within milliseconds: Int32) -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, milliseconds) > 0
        }
    }

    /// The server of Tests/Fixtures over this folder, as long as this value lives.
    private final class Server {
        let address: String
        private let process = Process()
        private let input = Pipe()

        init(_ folder: String) throws {
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Fixtures/http-server.py").path
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", script, folder]
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = input
            try process.run()
            var line = ""
            while !line.hasSuffix("\n") {
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty)
                line += String(decoding: piece, as: UTF8.self)
            }
            address = "http://127.0.0.1:" + line.dropLast()
        }

        deinit {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    /// Installs the ffmpeg engine where the session finds it first, with these permissions in its manifest.
    private func install(in session: RunningSession, permissions: String) throws {
        let built = URL(fileURLWithPath: Program.built).deletingLastPathComponent().path + "/engines/ffmpeg.engine"
        let own = try session.engine("ffmpeg", in: "named")
        let manifest = try String(contentsOfFile: built + "/manifest.json", encoding: .utf8)
        let changed = manifest.replacing(/"permissions"\s*:\s*\[[^\]]*\]/, with: "\"permissions\": [\(permissions)]")
        try Data(changed.utf8).write(to: URL(fileURLWithPath: own + "/manifest.json"))
        let tree = try #require(
            try JSONSerialization.jsonObject(with: Data(changed.utf8)) as? [String: Any])
        let module = try #require(tree["module"] as? String)
        try FileManager.default.copyItem(atPath: "\(built)/\(module)", toPath: "\(own)/\(module)")
        for file in [module, "manifest.json"] { chmod("\(own)/\(file)", 0o644) }
    }

    private static let heard = Program.Outcome(output: "", errors: "", code: 0)

    @Test func `an address is played by the engine that came with the programs`() async throws {
        let session = try RunningSession()
        _ = try session.sound("sound.wav", milliseconds: 200)
        let server = try Server(session.temporary.path)
        #expect(try await session.program.run("play", "\(server.address)/file/sound.wav") == Self.heard)
        let status = try await session.status().status
        #expect(status.status == "ended" && status.engine == "ffmpeg")
    }

    @Test func `without the permission no connection is attempted`() async throws {
        let session = try RunningSession()
        let port = try Port()
        try install(in: session, permissions: "")
        let outcome = try await session.program.run(
            "play", "http://127.0.0.1:\(port.number)/sound.wav", "--engine", "ffmpeg")
        #expect(outcome.code != 0 && outcome.errors.hasPrefix("rostrum: "))
        #expect(outcome.errors.filter(\.isNewline).count == 1, "\(outcome)")
        #expect(!port.isVisited(within: 0))
        #expect(session.isAlive)
        // An engine with the permission does connect to this port.
        let free = try RunningSession()
        let running = try free.program.start(["play", "http://127.0.0.1:\(port.number)/sound.wav"])
        #expect(try await blocking { port.isVisited(within: 20_000) })
        #expect(try await free.program.run("stop").code == 0)
        _ = try await blocking { running.outcome() }
    }

    @Test func `a permission in the manifest applies once the user grants it`() async throws {
        let session = try RunningSession()
        _ = try session.sound("sound.wav", milliseconds: 200)
        let server = try Server(session.temporary.path)
        let address = "\(server.address)/file/sound.wav"
        try install(in: session, permissions: "\"network\"")
        #expect(try await session.program.run("play", address, "--engine", "ffmpeg").code != 0)
        #expect(try await session.program.run("engines", "trust", "ffmpeg").code == 0)
        #expect(try await session.program.run("play", address, "--engine", "ffmpeg") == Self.heard)
        // A process that was started with the permission ends once it is not in use any more.
        #expect(try await session.program.run("stop").code == 0)
        #expect(try await session.program.run("engines", "untrust", "ffmpeg").code == 0)
        #expect(try await session.program.run("play", address, "--engine", "ffmpeg").code != 0)
    }

    @Test func `a revoked permission stays with what plays, and with nothing after it`() async throws {
        let session = try RunningSession()
        let (one, two) = (
            try session.sound("one.wav", milliseconds: 60_000), try session.sound("two.wav", milliseconds: 60_000)
        )
        try install(in: session, permissions: "\"network\"")
        #expect(try await session.program.run("engines", "trust", "ffmpeg").code == 0)
        #expect(try await session.program.run("play", one, "--engine", "ffmpeg", "--detach").code == 0)
        #expect(session.runners().map { $0.contains("--network") } == [true])
        let taken = try await session.program.run("engines", "untrust", "ffmpeg")
        #expect(
            taken.output
                == "ffmpeg is no longer trusted; it is in use: its process continues, and ends when another "
                + "item is opened\n")
        #expect(try await session.detail(of: "ffmpeg").permissions.granted == [])
        #expect(try await session.program.run("seek", "20").code == 0)
        #expect(try await session.status().status.status == "playing")
        #expect(session.runners().map { $0.contains("--network") } == [true])
        // The next item is opened by a process without the permission.
        #expect(try await session.program.run("play", two, "--engine", "ffmpeg", "--detach").code == 0)
        #expect(session.runners().map { $0.contains("--network") } == [false])

        // So is the same item, after it was stopped.
        #expect(try await session.program.run("engines", "trust", "ffmpeg").code == 0)
        #expect(session.runners().map { $0.contains("--network") } == [false])
        #expect(try await session.program.run("stop").code == 0)
        #expect(try await session.program.run("play", two, "--engine", "ffmpeg", "--detach").code == 0)
        #expect(session.runners().map { $0.contains("--network") } == [true])
        // A process that is not in use ends at once.
        #expect(try await session.program.run("stop").code == 0)
        #expect(
            try await session.program.run("engines", "untrust", "ffmpeg").output
                == "ffmpeg is no longer trusted\n")
        #expect(session.runners().isEmpty)
    }
}

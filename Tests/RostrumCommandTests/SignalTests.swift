// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing
import WaitTestSupport

@Suite(.timeLimit(.minutes(3)))
struct `A session that a signal ends` {
    /// The time within which a session ends, on which whatever ends it may rely.
    private static let limit = Duration.seconds(2)

    /// Ends a session and waits for its exit.
    ///
    /// It has ended in order if its log is complete, and its socket is gone.
    private func end(_ session: RunningSession, _ signal: Int32) async throws -> [[String: Any]] {
        let start = ContinuousClock.now
        session.signal(signal)
        try await session.end()
        let after = ContinuousClock.now - start
        #expect(after < Self.limit, "\(after)")
        #expect(session.exit == .init(reason: .exit, status: 0), "\(signal)")
        #expect(access(session.temporary.folders.socket, F_OK) != 0)
        let log = try String(contentsOfFile: session.temporary.folders.transitionLog, encoding: .utf8)
        return try log.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func `while it plays saves its place and its log`(
        signal: Int32
    ) async throws {
        let temporary = try TemporaryFolders()
        let session = try RunningSession(in: temporary)
        let path = try session.silence("long.wav", hours: 1)
        #expect(try await session.program.run("play", path, "--at", "10:00", "--detach").code == 0)
        try await session.until { $0.status == "playing" }
        for runner in session.runnerIDs() {
            // Children inherit blocked and ignored signals, unless these are reset.
            let words = try String(contentsOfFile: "/proc/\(runner)/status", encoding: .utf8)
            let ending = [SIGTERM, SIGINT, SIGHUP, SIGPIPE].reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) }
            for name in ["SigBlk", "SigIgn"] {
                let line = try #require(words.split(separator: "\n").first { $0.hasPrefix(name) })
                let set = try #require(UInt64(line.split(whereSeparator: \.isWhitespace)[1], radix: 16))
                #expect(set & ending == 0, "\(line)")
            }
        }
        let log = try await end(session, signal)
        #expect(log.last?["to"] as? String != "playing" && log.contains { $0["intent"] as? String == "stop" })

        let next = try RunningSession(in: temporary)
        #expect(try await next.program.run("play", path, "--detach").code == 0)
        let position = try await next.status().status.position.ms
        #expect(try #require(position) >= 600_000)
    }

    @Test func `while it waits for another session to leave ends at once, like any program`() async throws {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        // The holder of the lock does not answer, like a session that leaves.
        let lock = open(temporary.folders.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX) == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.built).deletingLastPathComponent()
            .appendingPathComponent("rostrumd")
        process.arguments = ["--output", "null"]
        process.environment = temporary.environment
        process.standardError = FileHandle.nullDevice
        try process.run()
        let threads = "/proc/\(process.processIdentifier)/task"
        func waits() -> Bool {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? []
            return all.contains {
                (try? String(contentsOfFile: "\(threads)/\($0)/comm", encoding: .utf8)) == "session-lock\n"
            }
        }
        await until { waits() }
        let start = ContinuousClock.now
        kill(process.processIdentifier, SIGTERM)
        try await blocking { process.waitUntilExit() }
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
        #expect(ContinuousClock.now - start < Self.limit)
    }

    @Test func `while nothing plays ends as well`() async throws {
        let session = try RunningSession()
        session.signal(SIGTERM)
        try await session.end()
        #expect(session.exit == .init(reason: .exit, status: 0))
    }

    @Test func `while it loads does not wait for an item that cannot be opened`() async throws {
        let session = try RunningSession()
        let path = session.temporary.path + "/pipe.wav"
        try #require(mkfifo(path, 0o600) == 0)
        // The test holds both ends, so that a reader blocks.
        let held = open(path, O_RDWR | O_CLOEXEC)
        defer { close(held) }
        let loading = try session.program.start(["play", path, "--detach"])
        try await session.until { $0.status == "loading" }
        _ = try await end(session, SIGTERM)
        // The request was taken up and the item never heard; the request is not sent to another session.
        #expect(try await blocking { loading.outcome() }.code == 75)
        #expect(access(session.temporary.folders.socket, F_OK) != 0)
    }

    @Test func `while it imports ends in order, with whole books`() async throws {
        let session = try RunningSession()
        for number in 0..<200 {
            try FileManager.default.createDirectory(
                atPath: "\(session.temporary.path)/shelf/book \(number)", withIntermediateDirectories: true)
            _ = try session.sound("shelf/book \(number)/a.wav", milliseconds: 20)
        }
        let importing = try session.program.start(["library", "add", session.temporary.path + "/shelf", "--json"])
        _ = try await blocking { importing.read() }
        session.signal(SIGTERM)
        try await session.end()
        #expect(session.exit == .init(reason: .exit, status: 0))
        _ = try await blocking { importing.outcome() }
        let books = try await session.program.run("library", "--json")
        #expect(books.code == 0)
        let lines = books.output.split(separator: "\n")
        #expect(lines.count < 200, "it was not ended while it imported")
        #expect(lines.allSatisfy { $0.contains("\"durationMs\":20") }, "\(lines.prefix(3))")
    }

    @Test func `while it renders completes the file as far as it is`() async throws {
        let session = try RunningSession()
        let long = try session.silence("long.wav", hours: 5)
        let file = session.temporary.path + "/out.wav"
        #expect(try await session.program.run("play", long, "--output", "wav:\(file)", "--detach").code == 0)
        // The answer says that it has begun, not that anything of it is written.
        await until {
            var status = stat()
            return stat(file, &status) == 0 && status.st_size > 1_000
        }
        let log = try await end(session, SIGTERM)
        let ended = log.filter { $0["event"] as? String == "render" && $0["action"] as? String == "ended" }
        #expect(ended.count == 1)
        let bytes = try Data(contentsOf: URL(filePath: file))
        func length(at offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) } }
        let data = try #require(bytes.prefix(200).range(of: Data("data".utf8)))
        #expect(length(at: 4) == bytes.count - 8)
        #expect(length(at: data.upperBound) == bytes.count - data.upperBound - 4 && bytes.count > 1_000)
    }

    @Test func `gives an engine time to end by itself`() async throws {
        let session = try RunningSession()
        try session.engine("slow", from: "fixture.c", ["-DFIXTURE_ID=\"slow\"", "-DFIXTURE_END_MS=500"])
        let item = try session.temporary.file("item.zzz", "x")
        #expect(try await session.program.run("play", item, "--engine", "slow", "--detach").code == 0)
        let clock = ContinuousClock()
        let start = clock.now
        _ = try await end(session, SIGTERM)
        #expect(clock.now - start >= .milliseconds(500))
    }
}

// SPDX-License-Identifier: Apache-2.0

import CTransport
import FakeSession
import Glibc
import SessionProtocol
import Testing

@testable import ControlSocket

private let pause = #"{"jsonrpc":"2.0","method":"pause","id":1}"#
private let pauseAnswer = #"{"id":1,"jsonrpc":"2.0","result":null}"#
/// A line without its end, with `id` 2.
private let beginning = #"{"jsonrpc":"2.0","method":"read","id":2,"params":{"items":["descriptor:0"]}"#
private let readAnswer = #"{"id":2,"jsonrpc":"2.0","result":null}"#

/// A file that is passed as a descriptor; its open copies can be counted.
private final class Passed: Sendable {
    let readable: Int32
    let writable: Int32
    private let name: String

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(ctransport_pipe(&ends) == 0)
        (readable, writable) = (ends[0], ends[1])
        var status = stat()
        try #require(fstat(readable, &status) == 0)
        name = "pipe:[\(status.st_ino)]"
    }

    deinit { close(readable) }

    /// Returns how often the file is open in this process, apart from the test's own two ends.
    func openCount() throws -> Int {
        let folder = try #require(opendir("/proc/self/fd"))
        defer { closedir(folder) }
        var count = -2
        while let entry = readdir(folder) {
            let number = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var target = [UInt8](repeating: 0, count: 64)
            let length = target.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { readlink("/proc/self/fd/" + number, $0, bytes.count) } ?? -1
            }
            if length > 0, String(decoding: target[..<length], as: UTF8.self) == name { count += 1 }
        }
        return count
    }

    /// Returns `true` once the file is not open any more; the test's own end is closed first.
    func isLetGo() async throws -> Bool {
        close(writable)
        return try await blocking { [readable] in
            var wait = pollfd(fd: readable, events: Int16(POLLIN), revents: 0)
            return poll(&wait, 1, 30_000) == 1 && wait.revents & Int16(POLLHUP) != 0
        }
    }
}

/// Raises the limit of open files, because the clients and the server share a process with all other tests.
private func allowManyFiles() {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, 4096) else { return }
    limit.rlim_cur = min(limit.rlim_max, 4096)
    setrlimit(resource, &limit)
}

extension RawClient {
    /// Begins a line, with or without descriptors, and returns when the session has received it.
    fileprivate func begin(_ line: String = beginning, descriptors: [Int32] = []) async throws {
        // The session answers the complete line only after it has read what follows it.
        try await send(pause + "\n" + line, descriptors: descriptors)
        #expect(try await self.line() == pauseAnswer)
    }

    fileprivate func end() async throws {
        try await send("}\n")
        #expect(try await line() == readAnswer)
    }

    /// Returns `true` if the client was told the reason in one line and disconnected.
    fileprivate func isTurnedAway() async throws -> Bool {
        guard let line = try await line() else { return false }
        let next = try await self.line()
        return line.contains(#""data":{"exit":75}"#) && next == nil
    }
}

extension Fixture {
    fileprivate init(_ limits: CrowdLimits, answer: @escaping FakeSession.Answer = { _, _, _ in .done }) throws {
        temporary = try TemporaryFolders()
        session = FakeSession(answer: answer)
        server = try ControlServer(
            ListeningSocket.open(in: temporary.folders), service: session, calls: SystemCalls(), limits: limits)
    }
}

@Suite(.timeLimit(.minutes(3)))
struct `A crowd of clients` {
    @Test func `with unfinished lines and descriptors is held to a limit, and an ordinary client is served`()
        async throws
    {
        allowManyFiles()
        let limit = CrowdLimits().descriptors
        let fixture = try Fixture()
        let passed = try Passed()
        let descriptors = [Int32](repeating: passed.writable, count: Connection.descriptorLimit)
        let stay = limit / descriptors.count
        var crowd: [RawClient] = []
        for number in 0..<200 {
            let client = try fixture.client()
            try await client.begin(descriptors: descriptors)
            crowd.append(client)
            if number % 20 == 19 { #expect(try passed.openCount() == min(limit, (number + 1) * descriptors.count)) }
            // This client has waited longest.
            if number >= stay { #expect(try await crowd[number - stay].isTurnedAway()) }
        }
        let ordinary = try fixture.client()
        try await ordinary.send(pause + "\n")
        #expect(try await ordinary.line() == pauseAnswer)
        // Of those that were not turned away, one half ends its lines and the other half leaves.
        for client in crowd[(200 - stay)..<(200 - stay / 2)] { try await client.end() }
        crowd = []
        #expect(try await passed.isLetGo())
        // They no longer count, so there is room for as many again.
        let next = try Passed()
        for _ in 0..<stay {
            crowd.append(try fixture.client())
            try await crowd.last?.begin(
                descriptors: [Int32](repeating: next.writable, count: Connection.descriptorLimit))
        }
        #expect(try next.openCount() == limit)
        for client in crowd { try await client.end() }
        #expect(try await next.isLetGo())
    }

    @Test func `loses a client that never reads its answers, and the others are answered`() async throws {
        var limits = CrowdLimits()
        limits.unread = 400_000
        let answer = String(repeating: "x", count: 100_000)
        let fixture = try Fixture(limits) { command, _, _ in command == .pause ? .message(answer) : .done }
        let (stuck, other) = (try fixture.client(), try fixture.client())
        try await stuck.send(String(repeating: pause + "\n", count: 32))
        let client = await fixture.session.command { $0 == .pause }
        _ = await fixture.session.event { $0 == .disconnected(client) }
        for _ in 0..<10 {
            try await other.request("stop", id: 1)
            #expect(try await other.line() == pauseAnswer)
        }
        var answers = 0
        while try await stuck.line() != nil { answers += 1 }
        #expect(answers < 32)
    }

    @Test func `loses a client with a huge line, and the others continue`() async throws {
        var limits = CrowdLimits()
        limits.input = 200_000
        let fixture = try Fixture(limits)
        let passed = try Passed()
        let (small, huge) = (try fixture.client(), try fixture.client())
        try await small.begin(beginning + String(repeating: " ", count: 40_000), descriptors: [passed.writable])
        try await huge.send([UInt8](repeating: UInt8(ascii: "x"), count: 300_000))
        #expect(try await huge.isTurnedAway())
        try await small.end()
        #expect(try await passed.isLetGo())
    }

    @Test func `loses a client that sends thousands of invalid lines, and the others continue`() async throws {
        var limits = CrowdLimits()
        limits.input = 1 << 20
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture(limits) { command, _, _ in
            if command == .engines { for await _ in gate { break } }
            return .done
        }
        let passed = try Passed()
        let (small, noisy) = (try fixture.client(), try fixture.client())
        try await small.begin(descriptors: [passed.writable])
        // The lines follow a request that takes long, so that none of them begins.
        try await noisy.request("engines", id: 1)
        _ = await fixture.session.command { $0 == .engines }
        try await noisy.send([UInt8](repeating: UInt8(ascii: "\n"), count: 40_000))
        // Empty lines do not count as lines.
        try await small.send("}\n" + pause + "\n")
        #expect(try await small.line() == readAnswer)
        #expect(try await small.line() == pauseAnswer)
        try await small.begin(descriptors: [passed.writable])
        try await noisy.send(String(repeating: "x\n", count: 40_000))
        #expect(try await noisy.isTurnedAway())
        try await small.end()
        open.yield()
        await fixture.server.stop()
    }

    @Test func `that left at once still has its requests carried out, after thousands of invalid lines`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture { command, _, _ in
            if command == .engines { for await _ in gate { break } }
            return .done
        }
        let client = try fixture.client()
        try await client.request("engines", id: 1)
        _ = await fixture.session.command { $0 == .engines }
        let passed = try Passed()
        try await client.send(String(repeating: "x\n", count: 5_000) + pause + "\n")
        try await client.send(beginning + "}\n", descriptors: [passed.writable])
        client.hangUp()
        open.yield()
        _ = await fixture.session.command { $0 == .pause }
        #expect(try await passed.isLetGo())
        await fixture.server.stop()
    }

    @Test func `at its limit lets one more in for the heaviest, or tells it that there is no room`() async throws {
        var limits = CrowdLimits()
        limits.clients = 3
        let fixture = try Fixture(limits)
        let clients = [try fixture.client(), try fixture.client(), try fixture.client()]
        for client in clients {
            try await client.send(pause + "\n")
            #expect(try await client.line() == pauseAnswer)
        }
        // None of them has begun anything.
        #expect(try await fixture.client().isTurnedAway())
        try await clients[1].begin(beginning)
        try await clients[2].begin(beginning + "      ")
        let other = try fixture.client()
        try await other.send(pause + "\n")
        #expect(try await other.line() == pauseAnswer)
        #expect(try await clients[2].isTurnedAway())
        for client in clients[...1] { try await client.send("\n" + pause + "\n") }
        #expect(try await clients[0].line() == pauseAnswer)
    }

    @Test func `that has left gives up what others need`() async throws {
        var limits = CrowdLimits()
        limits.descriptors = 16
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture(limits) { command, _, _ in
            if command == .engines { for await _ in gate { break } }
            return .done
        }
        let (left, needed) = (try Passed(), try Passed())
        let (gone, other) = (try fixture.client(), try fixture.client())
        try await gone.request("engines", id: 1)
        for _ in 0..<2 {
            try await gone.send(beginning + "}\n", descriptors: [Int32](repeating: left.writable, count: 8))
        }
        let client = await fixture.session.command { $0 == .engines }
        gone.hangUp()
        _ = await fixture.session.event { $0 == .disconnected(client) }
        // Its requests still count, until another client needs the room.
        #expect(try left.openCount() == 16)
        try await other.begin(descriptors: [Int32](repeating: needed.writable, count: 8))
        #expect(try await left.isLetGo())
        #expect(try needed.openCount() == 8)
        try await other.end()
        #expect(try await needed.isLetGo())
        open.yield()
    }
}

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Synchronization
import Testing
import WaitTestSupport

@testable import ControlSocket

private let pauseAnswer = #"{"id":1,"jsonrpc":"2.0","result":null}"#

@Suite(.timeLimit(.minutes(1)))
struct `Requests on the control socket` {
    @Test func `are answered with the session's answer`() async throws {
        let fixture = try Fixture { command, _, _ throws(SessionError) in
            if command == .status { return .status(.idle) }
            throw SessionError(.unavailable, "nothing plays: pause; play something")
        }
        let client = try fixture.client()
        try await client.request("status", id: 1)
        let status = String(decoding: try JSONLine.text(Status.idle), as: UTF8.self)
        #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":\#(status)}"#)
        try await client.request("pause", id: 2)
        #expect(
            try await client.line() == """
                {"error":{"code":-32069,"data":{"exit":69},"message":"nothing plays: pause; play something"},"id":2,\
                "jsonrpc":"2.0"}
                """)
        await fixture.server.stop()
    }

    @Test func `that are malformed get an error, and the connection stays open`() async throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        for line in ["}{", "[]", #"{"jsonrpc":"2.0","method":"fly","id":9}"#, "\u{FFFD}\u{1}"] {
            try await client.send(line + "\n")
            #expect(try await client.line()?.hasPrefix(#"{"error":"#) == true)
        }
        try await client.request("pause", id: 1)
        #expect(try await client.line() == pauseAnswer)
    }

    @Test func `may come in pieces or many at once, and keep their order`() async throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        for byte in #"{"jsonrpc":"2.0","method":"pause","id":1}"#.utf8 { try await client.send([byte]) }
        try await client.send("\n")
        #expect(try await client.line() == pauseAnswer)
        let lines = (0..<500).map { $0 % 7 == 3 ? "nonsense" : #"{"jsonrpc":"2.0","method":"pause","id":\#($0)}"# }
        async let sending = client.send(lines.joined(separator: "\n") + "\n")
        for number in 0..<500 {
            let line = try await client.line()
            #expect(line?.contains(number % 7 == 3 ? #""id":null"# : #""id":\#(number),"#) == true)
        }
        #expect(try await sending)
    }

    @Test func `of one read wait while the limit of requests under way is reached`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let session = FakeSession { command, _, _ in
            if command == .stop { for await _ in gate { break } }
            return .done
        }
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let output = ClientOutput(descriptor: ends[0])
        let worker = try ClientWorker(
            client: ClientID(rawValue: 1), service: session, output: output, signal: LoopSignal(),
            executor: nil)
        var connection = Connection(descriptor: ends[0], worker: worker, output: output)
        defer {
            connection.close(handingOn: false)
            close(ends[1])
        }
        let methods = ["stop"] + [String](repeating: "pause", count: 700)
        let lines = Array(methods.map { "{\"jsonrpc\":\"2.0\",\"method\":\"\($0)\",\"id\":1}\n" }.joined().utf8)
        try #require(write(ends[1], lines, lines.count) == lines.count)
        connection.receive()
        connection.handOn()
        #expect(output.requests == ClientOutput.requestLimit)
        #expect(!connection.wantsInput && !connection.hasRoom)
        open.yield()
        await until {
            connection.handOn()
            return session.commands.count >= methods.count
        }
        #expect(connection.wantsInput)
    }

    @Test(arguments: [false, true])
    func `whose answers are not read wait, and are all answered once they are read`(endsInput: Bool) async throws {
        let answer = String(repeating: "x", count: 100_000)
        let fixture = try Fixture { _, _, _ in .message(answer) }
        let client = try fixture.client()
        let lines = (0..<200).map { #"{"jsonrpc":"2.0","method":"pause","id":\#($0)}"# + "\n" }
        try await client.send(lines.joined())
        if endsInput { client.endInput() }
        for number in 0..<200 { #expect(try await client.line()?.contains(#""id":\#(number),"#) == true) }
        guard endsInput else { return }
        #expect(try await client.line() == nil)
    }

    @Test func `of more than a MiB close the connection after earlier requests are answered`() async throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        try await client.request("pause", id: 1)
        async let sending = client.send([UInt8](repeating: UInt8(ascii: "x"), count: LineFramer.requestLimit + 100_000))
        #expect(try await client.line() == pauseAnswer)
        #expect(try await client.line()?.contains("a line of more than 1048576 bytes") == true)
        #expect(try await client.line() == nil)
        _ = try await sending
        let other = try fixture.client()
        try await other.request("pause", id: 1)
        #expect(try await other.line() == pauseAnswer)
    }

    @Test func `that are short begin on the thread that reads them, others elsewhere`() async throws {
        let threads = Mutex<[String]>([])
        let fixture = try Fixture { _, _, _ in
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            threads.withLock { $0.append(name ?? "") }
            return .done
        }
        let (one, other) = (try fixture.client(), try fixture.client())
        for (client, method) in [(one, "pause"), (other, "toggle"), (one, "engines"), (other, "resume")] {
            try await client.request(method, id: 1)
            #expect(try await client.line() == pauseAnswer)
        }
        let began = threads.withLock { $0 }
        #expect(began.map { $0 == "control-socket\n" } == [true, true, false, true])
    }

    @Test func `that are under way when the server stops are carried out`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture { _, _, _ in
            for await _ in gate { break }
            end.yield()
            return .done
        }
        let client = try fixture.client()
        try await client.request("pause", id: 1)
        _ = await fixture.session.command { $0 == .pause }
        await fixture.server.stop()
        open.yield()
        for await _ in ends { break }
    }

    @Test func `without an id are carried out and not answered`() async throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        try await client.send(#"{"jsonrpc":"2.0","method":"stop"}"# + "\n")
        try await client.request("pause", id: 1)
        #expect(try await client.line() == pauseAnswer)
        #expect(fixture.session.commands == [.stop, .pause])
    }

    @Test func `that wait do not hold up other clients`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture { command, _, _ in
            if case .play = command { for await _ in gate { break } }
            return .done
        }
        let (waiting, other) = (try fixture.client(), try fixture.client())
        try await waiting.request("play", id: 7)
        try await waiting.request("pause", id: 8)
        _ = await fixture.session.command { if case .play = $0 { true } else { false } }
        try await other.request("toggle", id: 1)
        #expect(try await other.line() == pauseAnswer)
        #expect(!fixture.session.commands.contains(.pause))
        open.yield()
        #expect(try await waiting.line()?.contains(#""id":7"#) == true)
        #expect(try await waiting.line()?.contains(#""id":8"#) == true)
    }

    @Test func `of fifty clients at once are all answered`() async throws {
        let fixture = try Fixture()
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                let client = try fixture.client()
                group.addTask {
                    for round in 0..<20 {
                        try await client.request("pause", id: number * 100 + round)
                        #expect(try await client.line()?.contains("\"id\":\(number * 100 + round),") == true)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(fixture.session.commands.count == 1000)
    }

    @Test func `of a client that leaves at once are still carried out`() async throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        try await client.request("stop", id: 1)
        client.hangUp()
        let sender = await fixture.session.command { $0 == .stop }
        _ = await fixture.session.event { $0 == .disconnected(sender) }
    }

    @Test func `of a client that has ended its input are answered, then the connection closes`() async throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        try await client.request("pause", id: 1)
        client.endInput()
        #expect(try await client.line() == pauseAnswer)
        #expect(try await client.line() == nil)
    }

    @Test func `to attach are dropped if their client is gone before they begin`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture { command, _, _ in
            if command == .engines { for await _ in gate { break } }
            return .done
        }
        let client = try fixture.client()
        try await client.request("engines", id: 1)
        try await client.request("play", id: 2, params: #"{"items":["/a"],"attach":true}"#)
        try await client.request("stop", id: 3)
        let sender = await fixture.session.command { $0 == .engines }
        client.hangUp()
        _ = await fixture.session.event { $0 == .disconnected(sender) }
        open.yield()
        _ = await fixture.session.command { $0 == .stop }
        #expect(fixture.session.commands == [.engines, .stop])
    }

    @Test(arguments: [false, true])
    func `to export are ended if their client is gone, before they begin or later`(_ isEarly: Bool) async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let fixture = try Fixture { command, _, _ in
            if command == .engines, isEarly { for await _ in gate { break } }
            if case .manageClips = command {
                // The wait ends only because the task is cancelled.
                let (never, hold) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                hold.finish()
                if Task.isCancelled { end.finish() }
            }
            return .done
        }
        let client = try fixture.client()
        try await client.request("engines", id: 1)
        try await client.request("clips", id: 2, params: #"{"action":"export","ids":["7"],"path":"/a"}"#)
        if isEarly {
            let sender = await fixture.session.command { $0 == .engines }
            client.hangUp()
            _ = await fixture.session.event { $0 == .disconnected(sender) }
            open.yield()
        } else {
            _ = await fixture.session.command { if case .manageClips = $0 { true } else { false } }
            client.hangUp()
        }
        for await _ in ends {}
    }
}

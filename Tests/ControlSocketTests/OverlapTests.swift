// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Synchronization
import Testing

@testable import ControlSocket

/// A request that waits for sound, and what its client asks for meanwhile.
@Suite(.timeLimit(.minutes(1)))
struct `A request that waits for sound` {
    private static let play = #"{"jsonrpc":"2.0","method":"play","params":{"items":["/a.wav"]},"id":1}"#

    private static func isPlay(_ command: SessionCommand) -> Bool {
        if case .play = command { true } else { false }
    }

    private static func line(_ method: String, _ id: Int) -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)","id":\#(id)}"#
    }

    /// Is answered when it opens.
    private final class Gate: Sendable {
        let begun: AsyncStream<Void>
        private let begin: AsyncStream<Void>.Continuation
        // Reason for the lock: requests come from several tasks, the test opens.
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

        init() { (begun, begin) = AsyncStream.makeStream() }

        func pass() async {
            begin.yield()
            await withCheckedContinuation { continuation in
                let isOpen = waiting.withLock { waiting in
                    waiting?.append(continuation)
                    return waiting == nil
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let all = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            for continuation in all ?? [] { continuation.resume() }
        }
    }

    /// A session whose `play` is answered when the gate opens.
    private func session(takesUp: Bool = true) -> (session: FakeSession, gate: Gate) {
        let gate = Gate()
        let session = FakeSession(
            answer: { command, _, _ throws(SessionError) in
                if Self.isPlay(command) {
                    await gate.pass()
                    throw SessionError(.busy, "“a” was not heard: another command came before that")
                }
                return .done
            }, takesUp: { takesUp && Self.isPlay($0) })
        return (session, gate)
    }

    @Test func `lets the next ones begin, and its answer comes when it comes`() async throws {
        let (session, gate) = session()
        let fixture = try Fixture(session)
        let client = try fixture.client()
        try await client.send(Self.play + "\n" + Self.line("pause", 2) + "\n" + Self.line("stop", 3) + "\n")
        #expect(try await client.line()?.contains(#""id":2"#) == true)
        #expect(try await client.line()?.contains(#""id":3"#) == true)
        #expect(session.commands.map { Self.isPlay($0) } == [true, false, false], "in the order in which they came")
        gate.open()
        #expect(try await client.line()?.contains(#""id":1"#) == true)
        await fixture.server.stop()
    }

    @Test func `holds them up until it is taken up`() async throws {
        let (session, gate) = session(takesUp: false)
        let fixture = try Fixture(session)
        let client = try fixture.client()
        try await client.send(Self.play + "\n" + Self.line("pause", 2) + "\n")
        _ = await session.command { Self.isPlay($0) }
        // Another client's, begun after that: what was to follow the first would have begun before.
        let other = try fixture.client()
        try await other.request("stop", id: 9)
        #expect(try await other.line()?.contains(#""id":9"#) == true)
        #expect(!session.commands.contains(.pause))
        gate.open()
        #expect(try await client.line()?.contains(#""id":1"#) == true)
        #expect(try await client.line()?.contains(#""id":2"#) == true)
        await fixture.server.stop()
    }

    @Test func `waits with no more than a bound of others`() async throws {
        let (session, gate) = session()
        let fixture = try Fixture(session)
        let client = try fixture.client()
        let plays = [String](repeating: Self.play, count: 40)
        try await client.send((plays + [Self.line("pause", 99)]).joined(separator: "\n") + "\n")
        // One that waits in the queue waits for one of those before it.
        var begun = 0
        for await _ in gate.begun {
            begun += 1
            if begun == 9 { break }
        }
        let other = try fixture.client()
        try await other.request("stop", id: 9)
        #expect(try await other.line()?.contains(#""id":9"#) == true)
        #expect(session.commands.count { Self.isPlay($0) } == 9 && !session.commands.contains(.pause))
        gate.open()
        var lines: [String] = []
        for _ in 0..<41 { lines.append(try #require(try await client.line())) }
        #expect(lines.count { $0.contains("not heard") } == 40 && lines.contains { $0.contains(#""id":99"#) })
        await fixture.server.stop()
    }

    @Test func `is over before its client counts as gone for good`() async throws {
        let (session, gate) = session()
        let fixture = try Fixture(session)
        let client = try fixture.client()
        try await client.send(Self.play + "\n" + Self.line("pause", 2) + "\n")
        #expect(try await client.line()?.contains(#""id":2"#) == true)
        client.hangUp()
        let isGone: @Sendable (FakeSession.Event) -> Bool = { if case .disconnected = $0 { true } else { false } }
        _ = await session.event(where: isGone)
        #expect(session.events.count(where: isGone) == 1, "at once, though its play waits")
        gate.open()
        let count = Mutex(0)
        _ = await session.event { event in
            isGone(event)
                && count.withLock {
                    $0 += 1
                    return $0 >= 2
                }
        }
        await fixture.server.stop()
    }
}

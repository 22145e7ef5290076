// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Synchronization
import Testing

@testable import ControlSocket

/// A request that waits for sound, and the requests that its client sends meanwhile.
@Suite(.timeLimit(.minutes(1)))
struct `A request that waits for sound` {
    private static let play = #"{"jsonrpc":"2.0","method":"play","params":{"items":["/a.wav"]},"id":1}"#

    private static func isPlay(_ command: SessionCommand) -> Bool {
        if case .play = command { true } else { false }
    }

    private static func line(_ method: String, _ id: Int) -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)","id":\#(id)}"#
    }

    /// A gate at which a request waits for its answer until it opens.
    private final class Gate: Sendable {
        let begun: AsyncStream<Void>
        private let begin: AsyncStream<Void>.Continuation
        // The lock is needed because requests come from several tasks and the test opens the gate.
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

    /// Returns a session that answers `play` when the gate opens.
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

    @Test func `lets the next ones begin, and is answered after them`() async throws {
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

    @Test func `holds up the next ones until it is taken up`() async throws {
        let (session, gate) = session(takesUp: false)
        let fixture = try Fixture(session)
        let client = try fixture.client()
        try await client.send(Self.play + "\n" + Self.line("pause", 2) + "\n")
        _ = await session.command { Self.isPlay($0) }
        // Another client's request is begun later. If the first client's next request were not held up, it would have
        // begun before.
        let other = try fixture.client()
        try await other.request("stop", id: 9)
        #expect(try await other.line()?.contains(#""id":9"#) == true)
        #expect(!session.commands.contains(.pause))
        gate.open()
        #expect(try await client.line()?.contains(#""id":1"#) == true)
        #expect(try await client.line()?.contains(#""id":2"#) == true)
        await fixture.server.stop()
    }

    @Test func `waits together with only a limited number of others`() async throws {
        let (session, gate) = session()
        let fixture = try Fixture(session)
        let client = try fixture.client()
        let plays = [String](repeating: Self.play, count: 40)
        try await client.send((plays + [Self.line("pause", 99)]).joined(separator: "\n") + "\n")
        // A request in the queue waits until one of those before it is answered.
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

    @Test func `is over before its client is reported as gone for the second time`() async throws {
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

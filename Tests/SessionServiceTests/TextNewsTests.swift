// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import MediaPlayback
import SessionProtocol
import Synchronization
import Testing

/// The news of sentences that are known after their text was sent.
@Suite struct TextNewsTests {
    private let news = TextNews()
    private let sent = SentNews()
    private let client = ClientID(rawValue: 1)

    /// The news that a client was sent, by their ends.
    private final class SentNews: Sendable {
        private let ends = Mutex<[Int64]>([])

        func send(_ notification: SessionNotification) {
            if case .text(let progress) = notification { ends.withLock { $0.append(progress.end) } }
        }

        func take() -> [Int64] {
            ends.withLock { ends in
                defer { ends = [] }
                return ends
            }
        }
    }

    private func follow(_ bytes: Int, from offset: Int64 = 0, known: Int64? = 0, _ making: ScriptMaking?) {
        let text = String(repeating: "a", count: bytes)
        news.follow(
            TextPassage(uri: "x", size: 1000, offset: offset, text: text, sentences: [], known: known), making,
            of: client, send: sent.send)
    }

    @Test func `a part is told of once, when all of it is known`() {
        let making = ScriptMaking(end: 5) {}
        follow(10, making)
        follow(20, from: 100, making)
        making.advance(to: 9)
        #expect(sent.take() == [])
        making.advance(to: 10)
        #expect(sent.take() == [10])
        making.advance(to: 119)
        #expect(sent.take() == [])
        making.end(.success(()))
        #expect(sent.take() == [120])
        // It became known while the part was on its way.
        follow(10, making)
        #expect(sent.take() == [10])
    }

    @Test func `nothing is told of what is known, cannot be made, or nobody wants`() {
        let making = ScriptMaking(end: 5) {}
        follow(10, known: nil, making)
        follow(10, nil)
        news.follow(
            TextPassage(uri: "x", size: 9, offset: 0, text: "a", sentences: [], known: 0), making, of: client, send: nil
        )
        follow(10, from: 50, making)
        making.end(.failure(ItemError(.unreadable, "the reader is gone")))
        #expect(sent.take() == [])
    }

    @Test func `a client waits for so many parts at a time, and for others when those are there`() {
        let making = ScriptMaking(end: 5) {}
        for _ in 0...TextNews.mostWaits { follow(10, making) }
        making.advance(to: 10)
        #expect(sent.take().count == TextNews.mostWaits)
        follow(20, making)
        making.advance(to: 20)
        #expect(sent.take() == [20])
    }

    @Test func `the making of a text is not kept for the news`() {
        var making: ScriptMaking? = ScriptMaking(end: 5) {}
        follow(10, making)
        weak let seen = making
        making = nil
        #expect(seen == nil && sent.take() == [])
    }
}

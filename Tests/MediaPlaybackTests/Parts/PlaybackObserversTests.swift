// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import PlaybackCore
import Synchronization
import Testing

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `Observers of playback` {
    private func snapshot(_ machine: PlaybackMachine = PlaybackMachine()) -> PlaybackSnapshot {
        PlaybackSnapshot(
            state: machine.state, position: nil, provenance: .unknown, media: nil, isSessionActive: false, route: nil,
            hungOutputs: 0, sleep: nil, sound: SoundOptions(), warning: nil, known: KnownMedia())
    }

    @Test func `each stream has every change, until the end`() async {
        var observers = PlaybackObservers(mirror: StateMirror())
        let streams = (observers.add { _ in }, observers.add { _ in })
        observers.publish(.finished(uri: "a", nil), session: SessionView()) { snapshot() }
        observers.finish()
        for stream in [streams.0, streams.1] {
            var changes: [PlaybackChange] = []
            for await change in stream { changes.append(change) }
            #expect(changes == [.finished(uri: "a", nil)])
        }
    }

    @Test func `the end of a stream is reported by its number`() async {
        var observers = PlaybackObservers(mirror: StateMirror())
        let (ended, tell) = AsyncStream.makeStream(of: UInt64.self)
        _ = observers.add { _ in }
        _ = observers.add { tell.yield($0) }
        var numbers = ended.makeAsyncIterator()
        #expect(await numbers.next() == 2, "nobody holds the second stream")
    }

    @Test func `a snapshot is made only for a change of state, and only if somebody follows`() {
        var observers = PlaybackObservers(mirror: StateMirror())
        var made = 0
        func publish(_ change: PlaybackChange) {
            observers.publish(change, session: SessionView()) {
                made += 1
                return snapshot()
            }
        }
        publish(.state)
        #expect(made == 0)
        let told = Mutex(0)
        observers.follow { _ in told.withLock { $0 += 1 } }
        publish(.finished(uri: nil, nil))
        publish(.state)
        #expect(made == 1 && told.withLock(\.self) == 1)
    }

    @Test func `a session is unpublished until its state is published`() {
        var observers = PlaybackObservers(mirror: StateMirror())
        var active = SessionView()
        active.hungOutputs = 1
        #expect(observers.isUnpublished(active))
        observers.publish(.state, session: active) { snapshot() }
        #expect(!observers.isUnpublished(active))
    }
}

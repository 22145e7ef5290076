// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite struct `What is on its way to the library` {
    private func subject(_ uri: String, generation: UInt32 = 1) -> JournalSubject {
        JournalSubject(
            owner: .main, uri: uri, kind: .audio, engine: EngineID("ffmpeg"), generation: generation, floor: nil,
            tracks: [])
    }

    @Test func `a fault is told once, and its end once`() {
        var keeping = PlaceKeeping()
        let full = PlaceStoreError(.diskFull, "the disk is full")
        #expect(!keeping.note(fault: nil))
        #expect(keeping.note(fault: full) && keeping.fault == full)
        #expect(!keeping.note(fault: full))
        #expect(keeping.note(fault: nil) && keeping.fault == nil)
    }

    @Test func `the journal is told only of what it does not follow yet`() {
        var keeping = PlaceKeeping()
        #expect(!keeping.follow(nil))
        #expect(keeping.follow(subject("a")))
        #expect(!keeping.follow(subject("a")))
        #expect(keeping.follow(subject("a", generation: 2)))
        #expect(keeping.follow(nil))
    }

    @Test func `one heartbeat runs while something sounds`() async {
        var keeping = PlaceKeeping()
        var started: [Task<Void, Never>] = []
        func start() -> Task<Void, Never> {
            let task = Task<Void, Never> { try? await Task.sleep(for: .seconds(3600)) }
            started.append(task)
            return task
        }
        keeping.beat(false, start)
        keeping.beat(true, start)
        keeping.beat(true, start)
        #expect(started.count == 1)
        keeping.beat(false, start)
        await started[0].value
        keeping.beat(true, start)
        #expect(started.count == 2)
        keeping.beat(false, start)
    }
}

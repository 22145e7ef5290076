// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `The part that keeps places` {
    private func subject(_ uri: String, generation: UInt32 = 1) -> JournalSubject {
        JournalSubject(
            owner: .main, uri: uri, kind: .audio, engine: EngineID("ffmpeg"), generation: generation, floor: nil,
            tracks: [])
    }

    @Test func `a fault is reported once, and so is its end`() {
        var keeping = PlaceKeeping()
        let full = PlaceStoreError(.diskFull, "the disk is full")
        var told: [Bool] = []
        for fault in [nil, full, full, nil] {
            told.append(keeping.note(fault: fault))
            #expect(keeping.fault == fault)
        }
        #expect(told == [false, true, false, true])
    }

    @Test func `the journal is notified only when its subject changes`() {
        var keeping = PlaceKeeping()
        let subjects = [nil, subject("a"), subject("a"), subject("a", generation: 2), nil]
        var told: [Bool] = []
        for subject in subjects { told.append(keeping.follow(subject)) }
        #expect(told == [false, true, false, true, true])
    }

    private func playing(_ uri: String, _ track: Int, _ units: Int64) -> Playing {
        Playing(
            item: ItemReference(uri: uri, kind: .audio, title: uri, items: []), engine: EngineID("ffmpeg"),
            position: MediaPosition(track: track, units: units), provenance: .restored)
    }

    @Test func `an item resumes at a place until it is past that, in its track`() {
        var keeping = PlaceKeeping()
        let place = playing("a", 1, 50)
        #expect(keeping.resumption(of: place, inTrack: 1) == nil)
        keeping.noteStart(of: place, resumes: true)
        #expect(keeping.resumption(of: place, inTrack: 1) == place)
        #expect(keeping.resumption(of: playing("a", 1, 40), inTrack: 1) == place, "rewound")
        #expect(keeping.resumption(of: playing("a", 1, 51), inTrack: 1) == nil, "past it")
        #expect(keeping.resumption(of: place, inTrack: 0) == nil)
        #expect(keeping.resumption(of: playing("b", 1, 50), inTrack: 1) == nil)
    }

    @Test(arguments: [true, false])
    func `an item does not resume at a place where the user wants it`(_ seeks: Bool) {
        var keeping = PlaceKeeping()
        let place = playing("a", 1, 50)
        keeping.noteStart(of: place, resumes: true)
        if seeks { keeping.noteSeek() } else { keeping.noteStart(of: place, resumes: false) }
        #expect(keeping.resumption(of: place, inTrack: 1) == nil)
    }

    @Test func `one heartbeat runs while something sounds`() async {
        var keeping = PlaceKeeping()
        var started: [Task<Void, Never>] = []
        func start() -> Task<Void, Never> {
            let task = Task.endless()
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

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Keeping the place` {
    @Test func `sound is followed, and silence is not`() async throws {
        let rig = Rig(keepsJournal: true)
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.tape.wait(for: "journal: book.m4b (1)")
        rig.output.hear(5_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "journal: nothing")
        try await rig.controller.resume()
        try await rig.controller.seek(.seconds(60))
        await rig.tape.wait(for: "journal: book.m4b (2)")
        await rig.controller.stop()
        let followed = rig.tape.lines.filter { $0.hasPrefix("journal:") }.map { String($0.prefix(20)) }
        #expect(followed.first == "journal: book.m4b (1")
        #expect(followed.contains("journal: nothing"))
    }

    /// Only `main` has places that last.
    @Test func `a place of an owner other than main is not kept`() async throws {
        let rig = Rig(keepsJournal: true)
        var request = Rig.request("book.m4b")
        request.owner = OwnerID("clip-viewer-1")
        try await rig.controller.play(request)
        rig.output.hear(5_000)
        await rig.controller.pause()
        #expect(!rig.tape.lines.contains { $0.hasPrefix("journal: book") })
    }

    @Test func `a place that cannot be saved is reported during playback, until it is saved again`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(5_000)
        rig.store.fail(saves: PlaceStoreError(.diskFull, "/home is full"))
        try await rig.controller.seek(.seconds(20))
        await rig.tape.wait(for: "store: book.m4b 20000")
        await rig.controller.placesAreSaved()
        var snapshot = await rig.controller.snapshot()
        #expect(snapshot.warning == "the place is not saved: /home is full")
        #expect(snapshot.state.intent == .play)
        #expect(snapshot.state.error == nil)
        rig.store.fail(saves: nil)
        try await rig.controller.seek(.seconds(30))
        await rig.tape.wait(for: "store: book.m4b 30000")
        await rig.controller.placesAreSaved()
        snapshot = await rig.controller.snapshot()
        #expect(snapshot.warning == nil)
    }

    /// The item is 100 s long.
    @Test(arguments: [(94_000, false), (95_000, true), (99_500, true)] as [(Int64, Bool)])
    func `an item stopped in its last five seconds counts as finished`(_ place: Int64, _ isFinished: Bool) async throws
    {
        for stops in [true, false] {
            let rig = Rig()
            try await rig.controller.play(Rig.request("book.m4b"))
            rig.output.hear(place)
            if stops { await rig.controller.stop() } else { await rig.controller.pause() }
            await rig.tape.wait(for: "store: book.m4b \(place)\(isFinished ? " finished" : "") (heard)")
            if stops {
                // In this session, too, it starts again from the beginning.
                try await rig.controller.play(Rig.request("book.m4b"))
                #expect(await rig.controller.snapshot().state.floor?.units == (isFinished ? 0 : place))
            } else {
                try await rig.controller.resume()
                #expect(await rig.controller.snapshot().state.current?.position.units == place, "it goes on")
            }
        }
    }

    /// An import may keep the library busy.
    @Test func `a durable place is in the journal before the library has it`() async throws {
        let rig = Rig(keepsJournal: true)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.gate.close("save")
        rig.output.hear(5_000)
        try await rig.controller.seek(.seconds(60))
        await rig.tape.wait(for: "journal: keep book.m4b 60000 (2)")
        #expect(!rig.tape.lines.contains { $0.hasPrefix("store: book.m4b 60000") })
        rig.gate.open("save")
        await rig.tape.wait(for: "store: book.m4b 60000 (user)")
    }

    /// The journal stores only places; a finished item starts again from the beginning.
    @Test func `the end is not kept in the journal as a place to resume from`() async throws {
        let rig = Rig(keepsJournal: true)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(99_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.m4b 99000 finished (heard)")
        #expect(!rig.tape.lines.contains { $0.hasPrefix("journal: keep") })
    }

    /// An engine may count past the end that it stated, as a file may grow.
    @Test func `a place beyond the exact end of a file is its end`() async throws {
        let rig = Rig(keepsJournal: true)
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.tape.wait(for: "journal: book.m4b (1)")
        rig.output.hear(150_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.m4b 100000 finished (heard)")
        #expect(rig.tape.lines.contains { $0.hasPrefix("journal: book.m4b (1) from") && $0.hasSuffix(" to 100000") })
    }

    /// Saves a place as if it was heard until just now.
    private func save(_ place: MediaPosition, in rig: Rig, at time: Int64) async throws {
        try await rig.store.save(
            SavedPlace(
                owner: .main, uri: "book.m4b", kind: .audio, engine: EngineID("ffmpeg"), position: place,
                provenance: .heard, updatedAt: time), durably: true)
    }

    // This also holds if it was to start a little before that place.
    @Test(arguments: [0, 3600] as [Int64])
    func `a file that is shorter than its saved place does not start, and the place stays`(_ pause: Int64) async throws
    {
        let clock = HandClock()
        let rig = Rig(wallClock: clock)
        try await save(MediaPosition(track: 0, units: 150_000), in: rig, at: clock.now - pause * 1000)
        await #expect {
            try await rig.controller.play(Rig.request("book.m4b"))
        } throws: { ($0 as? PlaybackError)?.kind == .badContent }
        #expect(!rig.tape.lines.contains { $0.hasPrefix("output: open") })
        await rig.controller.placesAreSaved()
        guard case .progress(let place) = await rig.store.place(of: "book.m4b", owner: .main) else {
            Issue.record("the place is gone")
            return
        }
        #expect(place.position.units == 150_000 && !place.finished)
        // An explicit start is not refused.
        try await rig.controller.play(Rig.request("book.m4b", start: .at(.seconds(10))))
    }

    @Test func `a track that turns out to be shorter is not skipped as if it had been heard`() async throws {
        let clock = HandClock()
        let rig = Rig(wallClock: clock)
        rig.engines.files.withLock { $0 = 3 }
        let kept = MediaPosition(track: 1, units: 10_000)
        try await save(kept, in: rig, at: clock.now)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.engines.report(
            .track(
                index: 1,
                TrackDescription(
                    timeline: TimelineTrack(unitsPerSecond: 1000, duration: 5_000, confidence: .exact),
                    format: AudioFormat(sampleRate: 44_100, channels: 1), encoding: .int16, codec: "test",
                    title: nil)))
        while await rig.controller.snapshot().state.status != .error { await Task.yield() }
        #expect(await rig.controller.snapshot().state.error?.kind == .badContent)
        await rig.tape.wait(for: "output: close")
        await rig.controller.placesAreSaved()
        guard case .progress(let place) = await rig.store.place(of: "book.m4b", owner: .main) else {
            Issue.record("the place is gone")
            return
        }
        #expect(place.position == kept && !place.finished)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import BookTimeline
import JSON
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing
import TransitionRecords

@Suite(.timeLimit(.minutes(1))) struct `A better duration` {
    @Test func `rebuilds the timeline and moves no place`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(60_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.m4b 60000 (heard)")
        let before = await rig.controller.snapshot()
        #expect(before.media?.timeline.duration == 100)
        let changes = await rig.controller.observe()
        rig.engines.report(
            .track(
                index: 0,
                TrackDescription(
                    timeline: TimelineTrack(unitsPerSecond: 1000, duration: 250_000, confidence: .exact),
                    format: AudioFormat(sampleRate: 44_100, channels: 1), encoding: .int16, codec: "test", title: nil)))
        for await change in changes where change == .state { break }
        let after = await rig.controller.snapshot()
        #expect(after.media?.timeline.duration == 250)
        #expect(after.position == before.position)
        #expect(after.media?.timeline.chapters == before.media?.timeline.chapters)
        #expect(await rig.store.place(of: "book.m4b", owner: .main).units == 60_000)
        try await rig.controller.seek(.fraction(0.9))
        await rig.tape.wait(for: "ffmpeg: seek 0:225000")
    }

    /// Returns the event for a first track of this length.
    private static func track(_ milliseconds: Int64) -> EngineEvent {
        .track(
            index: 0,
            TrackDescription(
                timeline: TimelineTrack(unitsPerSecond: 1000, duration: milliseconds, confidence: .exact),
                format: AudioFormat(sampleRate: 44_100, channels: 1), encoding: .int16, codec: "test", title: nil))
    }

    /// Returns when all that the engine reported has been taken.
    private func isTaken(_ rig: Rig, _ message: String) async {
        rig.engines.report(.log(level: "info", message: message))
        while !rig.log.entries.contains(where: { $0.fields["message"] == .string(message) }) { await Task.yield() }
    }

    @Test func `is published a few times in a flood of them, and the last one counts`() async throws {
        let clock = ManualClock()
        let rig = Rig(clock: clock)
        try await rig.controller.play(Rig.request("book.m4b"))
        let told = Mutex<[Double?]>([])
        await isTaken(rig, "before")
        let changes = await rig.controller.observe()
        let listening = Task {
            for await change in changes where change == .state {
                let duration = await rig.controller.snapshot().media?.timeline.duration
                told.withLock { $0.append(duration) }
            }
        }
        for count in 1...1000 { rig.engines.report(Self.track(100_000 + Int64(count))) }
        await isTaken(rig, "flood")
        #expect(await rig.controller.snapshot().media?.timeline.duration == 100.001, "the first one, at once")
        let before = clock.sleepers
        #expect(before > 0)
        clock.advance(by: .milliseconds(100))
        while told.withLock({ $0.last != 101 }) { await Task.yield() }
        #expect(told.withLock { Set($0) } == [100.001, 101])
        listening.cancel()
    }

    @Test func `is used by the next command, whether it was published or not`() async throws {
        let clock = ManualClock()
        let rig = Rig(clock: clock)
        try await rig.controller.play(Rig.request("book.m4b"))
        for milliseconds: Int64 in [150_000, 200_000] { rig.engines.report(Self.track(milliseconds)) }
        await isTaken(rig, "both")
        try await rig.controller.seek(.fraction(0.9))
        await rig.tape.wait(for: "ffmpeg: seek 0:180000")
    }

    @Test func `is not applied to the next item if it belongs to the previous one`() async throws {
        let clock = ManualClock()
        let rig = Rig(clock: clock)
        try await rig.controller.play(Rig.request("book.m4b"))
        for milliseconds: Int64 in [150_000, 200_000] { rig.engines.report(Self.track(milliseconds)) }
        await isTaken(rig, "both")
        try await rig.controller.play(Rig.request("other.m4b"))
        clock.advance(by: .seconds(1))
        await isTaken(rig, "late")
        #expect(await rig.controller.snapshot().media?.timeline.duration == 100)
        #expect(await rig.controller.snapshot().media?.content.title == "other.m4b")
    }
}

extension PlaceLookup {
    fileprivate var units: Int64? {
        if case .progress(let place) = self { place.position.units } else { nil }
    }
}

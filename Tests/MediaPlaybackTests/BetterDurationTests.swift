// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A better duration` {
    @Test func `derives the timeline again and moves no place`() async throws {
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
}

extension PlaceLookup {
    fileprivate var units: Int64? {
        if case .progress(let place) = self { place.position.units } else { nil }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// What plays moves to other tracks of the same content.
@Suite struct `A hot swap` {
    private static let streamed = ItemReference(
        uri: "https://books.example/1", kind: .audio, title: "Book", items: ["https://books.example/1"])
    private static let local = ItemReference(
        uri: streamed.uri, kind: .audio, title: "Book", items: ["/books/1.m4b"], isRemote: false)
    private static let broken = PlaybackError(.defect, message: "signal 11")

    /// Returns a stage on which a book from a server is audible at 60 s.
    private static func playing() -> Stage {
        var stage = Stage.playingBook(at: 60_000, streamed)
        stage.on(.heard(generation: 1, at(60_500)))
        return stage
    }

    /// Returns the same with the other tracks open in another process that the stream may join.
    private static func joining() -> Stage {
        var stage = playing()
        stage.on(.swap(id: 7, to: local), .swapReady(id: 7, off: 3))
        return stage
    }

    private static func replies(_ effects: [PlaybackEffect]) -> [PlaybackError?] {
        effects.compactMap { if case .reply(7, let error) = $0 { .some(error) } else { nil } }
    }

    @Test func `changes the tracks only once the stream reads them, and nothing else`() {
        var stage = Self.playing()
        let before = stage.state
        let asked = stage.on(.swap(id: 7, to: Self.local))
        guard case .prepareSwap(7, let playing, 8_000)? = asked.first, asked.count == 1 else {
            Issue.record("\(asked)")
            return
        }
        #expect(playing.item == Self.local && playing.engine == ffmpeg)
        #expect(stage.on(.swapReady(id: 7, off: 3)) == [.joinSwap(id: 7, generation: 1)])
        #expect(stage.state.current == before.current && stage.state.isRemote)
        let moved = stage.on(.swapped(id: 7))
        #expect(moved.prefix(2) == [.reply(id: 7, nil), .commitSwap(id: 7)])
        #expect(
            moved.contains { if case .rememberItem(.main, let last) = $0 { last.item == Self.local } else { false } })
        var same = stage.state
        #expect(same.current?.item == Self.local && !same.isRemote)
        same.loaded = before.loaded
        same.memory = before.memory
        same.watchdog = before.watchdog
        #expect(same == before, "the generation, the place and the stream are as they were")
    }

    @Test func `is refused if it is off by more than a second and a half, or cannot be opened`() {
        let refusals: [(PlaybackEvent, PlaybackError.Kind)] = [
            (.swapReady(id: 7, off: 1_501), .badContent), (.swapFailed(id: 7, Self.broken), .defect),
        ]
        for (event, kind) in refusals {
            var stage = Self.playing()
            let before = stage.state
            stage.on(.swap(id: 7, to: Self.local))
            let effects = stage.on(event)
            #expect(Self.replies(effects).map { $0?.kind } == [kind] && effects.contains(.dropSwap(id: 7)))
            #expect(stage.state == before)
        }
        var stage = Self.playing()
        stage.on(.swap(id: 7, to: Self.local))
        #expect(stage.on(.swapReady(id: 7, off: 1_500)) == [.joinSwap(id: 7, generation: 1)])
    }

    @Test func `concerns only what is loaded`() {
        var stage = Self.playing()
        for item in [bookItem, ItemReference(uri: Self.streamed.uri, kind: .text, title: "Text", items: [])] {
            let effects = stage.on(.swap(id: 7, to: item))
            #expect(Self.replies(effects).map { $0?.kind } == [.unavailable] && effects.count == 1)
        }
        var nothing = Stage()
        #expect(Self.replies(nothing.on(.swap(id: 7, to: Self.local))).map { $0?.kind } == [.unavailable])
    }

    @Test func `is recognised by its command, and a late result changes nothing`() {
        var stage = Self.playing()
        let stale: [PlaybackEvent] = [.swapReady(id: 3, off: 0), .swapped(id: 3), .swapFailed(id: 3, Self.broken)]
        for event in stale { #expect(stage.on(event) == [.dropped(.stale)]) }
        stage.on(.swap(id: 7, to: Self.local))
        #expect(stage.on(.swapped(id: 7)) == [.dropped(.stale)], "nothing was to join yet")
        for event in stale { #expect(stage.on(event) == [.dropped(.stale)]) }
        #expect(stage.state.loaded.swap?.stage == .preparing)
    }

    @Test func `gives way to a later one, and to whatever ends what plays`() {
        let overtaking: [PlaybackEvent] = [
            .swap(id: 8, to: Self.local), .play(id: 8, order(bookItem, ffmpeg)), .stopNow,
            .switchEngine(id: 8, espeak, kinds: [.audio], heard: nil),
            .claim(id: 8, OwnerID("viewer"), heard: nil),
        ]
        for start in [Self.playing(), Self.joining()] {
            for event in overtaking {
                var stage = start
                if stage.state.loaded.swap == nil { stage.on(.swap(id: 7, to: Self.local)) }
                let effects = stage.on(event)
                #expect(Self.replies(effects).map { $0?.kind } == [.busy], "\(event)")
                #expect(effects.contains(.dropSwap(id: 7)) && stage.state.loaded.swap?.id != 7)
                #expect(stage.on(.swapped(id: 7)) == [.dropped(.stale)])
            }
        }
    }

    // MARK: A seek

    @Test func `lets a seek go to the process that plays, while the other one opens`() {
        var stage = Self.playing()
        stage.on(.swap(id: 7, to: Self.local))
        #expect(stage.on(.seek(to: at(5_000))).first == .seek(generation: 2, at(5_000)))
        #expect(stage.state.current?.item == Self.streamed)
        #expect(stage.on(.swapReady(id: 7, off: 0)) == [.joinSwap(id: 7, generation: 2)])
    }

    @Test func `lets a seek go to the other process once that is ready`() {
        var stage = Self.joining()
        let effects = stage.on(.seek(to: at(5_000)))
        let commit = effects.firstIndex(of: .commitSwap(id: 7))
        let seek = effects.firstIndex(of: .seek(generation: 2, at(5_000)))
        #expect(commit != nil && seek != nil && (commit ?? 0) < (seek ?? 0) && Self.replies(effects) == [nil])
        #expect(stage.state.current?.item == Self.local && stage.state.current?.position == at(5_000))
    }

    // MARK: Silence

    @Test func `waits for a pause to end, and says so`() {
        var stage = Self.joining()
        #expect(Self.replies(stage.on(.pauseNow)) == [nil], "nothing more can be done for now")
        #expect(stage.state.current?.item == Self.streamed)
        stage.on(.silenced(generation: 1, heard: at(61_000)))
        #expect(stage.on(.resume(id: 8)).contains(.resumeStream))
        let moved = stage.on(.swapped(id: 7))
        #expect(moved.contains(.commitSwap(id: 7)) && Self.replies(moved).isEmpty)
        #expect(stage.state.current?.item == Self.local && stage.state.current?.position == at(61_000))
    }

    @Test func `is prepared during a pause as well`() {
        var stage = Self.playing()
        stage.on(.swap(id: 7, to: Self.local), .pauseNow, .silenced(generation: 1, heard: at(61_000)))
        let effects = stage.on(.swapReady(id: 7, off: 0))
        #expect(effects == [.joinSwap(id: 7, generation: 1), .reply(id: 7, nil)])
    }

    @Test func `is made at once where no stream is left, and the sound begins where it was heard`() {
        var long = Self.joining()
        long.on(.pauseNow, .silenced(generation: 1, heard: at(61_000)))
        #expect(long.ring().contains(.commitSwap(id: 7)), "the device is given up")
        #expect(long.on(.resume(id: 8)).contains(.seek(generation: 2, at(61_000))))
        #expect(long.state.current?.item == Self.local)

        var opened = Stage()
        opened.on(
            .play(id: 1, order(Self.streamed, ffmpeg, at: 60_000)), .pauseNow, .loaded(generation: 1, start: at(60_000))
        )
        opened.on(.swap(id: 7, to: Self.local))
        let made = opened.on(.swapReady(id: 7, off: 0))
        #expect(made.prefix(2) == [.reply(id: 7, nil), .commitSwap(id: 7)] && made.count == 3)
        #expect(opened.on(.resume(id: 8)).contains(.seek(generation: 2, at(60_000))), "it may have begun elsewhere")
    }

    @Test func `needs no process where nothing is open`() {
        var stage = Self.playing()
        stage.on(.engineFailed(generation: 1, PlaybackError(.badContent, message: "damaged"), heard: at(61_000)))
        #expect(stage.state.phase == .failed)
        let effects = stage.on(.swap(id: 7, to: Self.local))
        #expect(effects.prefix(2) == [.reply(id: 7, nil), .commitSwap(id: 7)])
        let again = stage.on(.resume(id: 8))
        #expect(again.contains { if case .load(_, let playing, _) = $0 { playing.item == Self.local } else { false } })
    }

    @Test func `waits for a stream that opens`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(Self.streamed, ffmpeg)))
        stage.on(.swap(id: 7, to: Self.local))
        #expect(stage.on(.swapReady(id: 7, off: 0)).isEmpty)
        #expect(stage.on(.loaded(generation: 1, start: at(0))).contains(.openStream(generation: 1)))
        #expect(stage.on(.streamOpened(generation: 1)) == [.joinSwap(id: 7, generation: 1)])
    }

    @Test func `is made at the end of the item, which begins again there`() {
        var stage = Self.joining()
        let effects = stage.on(.ended(generation: 1, atLimit: false))
        #expect(effects.contains(.commitSwap(id: 7)) && stage.state.phase == .ended)
        #expect(stage.state.current?.item == Self.local)
    }

    // MARK: Losses

    @Test func `takes over at once from an engine that is lost, and the loss is no attempt`() {
        let losses: [PlaybackEvent] = [
            .engineGone(generation: 1, Self.broken, heard: at(61_000)),
            .engineFailed(generation: 1, PlaybackError(.io, message: "no network"), heard: at(61_000)),
            .engineFailed(generation: 1, PlaybackError(.badContent, message: "damaged"), heard: at(61_000)),
        ]
        for loss in losses {
            var stage = Self.joining()
            let effects = stage.on(loss)
            #expect(effects.contains(.commitSwap(id: 7)) && effects.contains(.seek(generation: 2, at(61_000))))
            #expect(stage.state.current?.item == Self.local && stage.state.attempt == 0)
            #expect(!effects.contains { if case .load = $0 { true } else { false } }, "the tracks are open")
        }
    }

    @Test func `follows a dead engine by itself, and no other process does`() {
        var stage = Self.joining()
        #expect(stage.on(.engineLost(generation: 1, end: at(64_000), wasIdle: false)).isEmpty)
        #expect(stage.on(.swapped(id: 7)).contains(.commitSwap(id: 7)))
    }

    @Test func `is prepared while the engine is brought back, and takes that over`() {
        var stage = Self.playing()
        stage.on(.swap(id: 7, to: Self.local))
        let died = stage.on(.engineGone(generation: 1, Self.broken, heard: at(61_000)))
        #expect(!died.contains(.dropSwap(id: 7)) && stage.state.phase == .loading)
        stage.on(.swapReady(id: 7, off: 0))
        let failed = stage.on(.loadFailed(generation: 2, Self.broken))
        #expect(failed.contains(.commitSwap(id: 7)))
        #expect(failed.contains { if case .load(3, let playing, _) = $0 { playing.item == Self.local } else { false } })
    }

    @Test func `is given up if its sound does not come while the present one goes on`() {
        var stage = Self.joining()
        var refused: [PlaybackError?] = []
        for report in 1...3 {
            refused += Self.replies(stage.on(.heard(generation: 1, at(60_500 + Int64(report) * 5_000))))
        }
        #expect(refused.map { $0?.kind } == [.io] && stage.state.loaded.swap == nil && stage.state.isPlaying)
    }

    @Test func `goes on with the other process if the stream is lost meanwhile`() {
        var stage = Self.joining()
        let lost = stage.on(
            .outputFailed(PlaybackError(.io, message: "no server"), isDeviceGone: false, heard: at(61_000)))
        #expect(lost.contains(.commitSwap(id: 7)) && lost.contains(.seek(generation: 2, at(61_000))))
    }

    @Test func `keeps the place of an item that is left just then`() {
        var stage = Self.joining()
        stage.on(.ended(generation: 1, atLimit: true))
        let saved = stage.on(.silenced(generation: 1, heard: at(62_000)))
        #expect(stage.state.current?.item == Self.local && stage.state.current?.position == at(62_000))
        #expect(
            saved.contains {
                if case .savePlace(.main, let playing, _, _) = $0 { playing.position == at(62_000) } else { false }
            })
    }
}

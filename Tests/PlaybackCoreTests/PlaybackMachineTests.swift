// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@Suite struct `Starting to play` {
    @Test func `the output opens only after an intent to play, and once the item is open`() {
        var stage = Stage()
        let first = stage.on(.play(id: 1, order(bookItem, ffmpeg, at: 500)))
        #expect(
            first.contains(
                .load(
                    generation: 1,
                    Playing(item: bookItem, engine: ffmpeg, position: at(500), provenance: .restored), rate: 1)))
        #expect(!first.contains(.openStream(generation: 1)))
        #expect(stage.state.status == .loading)
        #expect(stage.on(.loaded(generation: 1, start: at(500))).first == .openStream(generation: 1))
        #expect(stage.state.status == .loading)
        stage.on(.streamOpened(generation: 1))
        #expect(stage.state.status == .loading, "nothing is heard yet")
        #expect(stage.on(.started(generation: 1)) == [.reply(id: 1, nil)])
        #expect(stage.state.status == .playing)
    }

    @Test func `a late result of an older load is dropped`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .play(id: 2, order(textItem, espeak)))
        #expect(stage.state.generation == 2)
        let before = stage.state
        #expect(stage.on(.loaded(generation: 1, start: at(0))) == [.dropped(.stale)])
        #expect(stage.on(.loadFailed(generation: 1, PlaybackError(.badContent, message: "late"))) == [.dropped(.stale)])
        #expect(stage.on(.started(generation: 1)) == [])
        #expect(stage.on(.ended(generation: 1, atLimit: false)) == [])
        #expect(stage.state == before)
    }

    @Test func `a play that a newer one displaced before it was audible is told so`() {
        let newer: [PlaybackEvent] = [
            .play(id: 2, order(textItem, espeak)), .stopNow, .claim(id: 2, OwnerID("viewer"), heard: nil),
        ]
        for event in newer {
            var stage = Stage()
            stage.on(.play(id: 1, order(bookItem, ffmpeg)))
            #expect(
                stage.on(event).contains {
                    if case .reply(id: 1, let error?) = $0 { error.kind == .busy } else { false }
                })
        }
    }

    @Test func `all commands that ask for the same sound wait for it`() {
        var stage = Stage()
        let early = stage.on(
            .play(id: 1, order(bookItem, ffmpeg)), .resume(id: 2), .loaded(generation: 1, start: at(0)),
            .streamOpened(generation: 1), .resume(id: 3))
        #expect(!early.contains { if case .reply = $0 { true } else { false } })
        #expect(stage.on(.started(generation: 1)) == [.reply(id: 1, nil), .reply(id: 2, nil), .reply(id: 3, nil)])
    }

    @Test func `an item that cannot be looked up is an error that names it, and starts nowhere`() {
        var stage = Stage.playingBook(at: 5_000)
        let error = PlaybackError(.io, message: "the library cannot be read")
        let effects = stage.on(.lookUpFailed(id: 2, order(textItem, espeak), error, heard: at(6_000)))
        #expect(effects.contains(.reply(id: 2, error)))
        #expect(stage.state.status == .error && stage.state.current?.item == textItem)
        #expect(stage.on(.resume(id: 3)) == [.reply(id: 3, error)])
        #expect(stage.on(.switchEngine(id: 4, espeak, kinds: [.text], heard: nil)) == [.reply(id: 4, error)])
        // This holds across another owner's turn, too.
        stage.on(.claim(id: 5, OwnerID("viewer"), heard: nil), .release(id: 6, OwnerID("viewer"), heard: nil))
        #expect(stage.state.status == .idle && stage.state.remembered[.main]?[.text] == nil)
        #expect(stage.state.remembered[.main]?[.audio]?.position == at(6_000))
    }

    @Test func `the failure of a load is reported to the command, and nothing is loaded`() {
        var stage = Stage()
        let error = PlaybackError(.badContent, message: "not audio")
        stage.on(.play(id: 7, order(bookItem, ffmpeg)))
        let effects = stage.on(.loadFailed(generation: 1, error))
        #expect(effects.contains(.reply(id: 7, error)))
        #expect(effects.contains(.finished(uri: bookItem.uri, error)))
        #expect(stage.state.status == .idle)
        #expect(stage.state.error == error)
    }

    @Test func `a device that does not open is an error, and resume tries again`() {
        var stage = Stage()
        let error = PlaybackError(.unavailable, message: "no sound server")
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)))
        #expect(stage.on(.streamFailed(generation: 1, error)).contains(.reply(id: 1, error)))
        #expect(stage.state.status == .error)
        let again = stage.on(.resume(id: 2))
        #expect(again.contains { if case .load = $0 { true } else { false } })
    }
}

@Suite struct `Pause and resume` {
    @Test func `pause keeps the stream and saves the position that was heard`() {
        var stage = Stage.playingBook()
        #expect(stage.on(.pauseNow) == [.pauseStream(generation: 1)])
        #expect(stage.state.status == .paused)
        let effects = stage.on(.silenced(generation: 1, heard: at(4410)))
        #expect(
            effects == [
                .savePlace(
                    .main, Playing(item: bookItem, engine: ffmpeg, position: at(4410), provenance: .heard),
                    finished: false, durably: true)
            ])
        #expect(stage.on(.resume(id: 2)) == [.resumeStream, .reply(id: 2, nil)])
        #expect(stage.state.status == .playing)
    }

    @Test func `after a seek during a pause, the status is playing once that position is heard`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(4410)), .seek(to: at(9_000)))
        #expect(stage.on(.resume(id: 2)) == [.resumeStream])
        #expect(stage.state.status == .loading && stage.state.clock?.kind == .start)
        #expect(stage.on(.started(generation: 2)) == [.reply(id: 2, nil)])
        #expect(stage.state.status == .playing)
    }

    @Test func `after a step back over a pause, the status is playing once that position is heard`() {
        var stage = Stage.playingBook(at: 50_000)
        stage.on(.pause(owner: nil, heard: at(60_000)), .silenced(generation: 1, heard: at(60_000)))
        let effects = stage.on(.resume(id: 2, owner: nil, heard: nil, back: at(50_000)))
        #expect(effects == [.seek(generation: 2, at(50_000)), .resumeStream])
        #expect(stage.state.status == .loading && stage.state.clock?.kind == .start)
        #expect(stage.on(.started(generation: 2)) == [.reply(id: 2, nil)])
    }

    @Test func `resume after a pause before the first frame waits for that frame`() {
        var stage = Stage()
        stage.on(
            .play(id: 1, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)), .streamOpened(generation: 1),
            .pauseNow)
        #expect(stage.on(.resume(id: 2)) == [.resumeStream])
        #expect(stage.state.status == .loading && stage.state.clock?.kind == .start)
        stage.ring()
        #expect(stage.state.attempt == 1, "no sound: something is done about it")
        stage.on(.started(generation: 2))
        #expect(stage.state.status == .playing)
    }

    @Test func `a first frame that was heard just as the pause came counts`() {
        var stage = Stage()
        stage.on(
            .play(id: 1, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)), .streamOpened(generation: 1),
            .pauseNow, .started(generation: 1))
        #expect(stage.on(.resume(id: 2)) == [.resumeStream, .reply(id: 2, nil)])
    }

    @Test func `playback that was paused during an underrun is playing when sound arrives`() {
        var stage = Stage.playingBook()
        stage.on(.starved(generation: 1), .pauseNow)
        #expect(stage.on(.resume(id: 2)) == [.resumeStream])
        #expect(stage.state.status == .loading)
        #expect(stage.on(.started(generation: 1)) == [.reply(id: 2, nil)])
    }

    @Test func `after a seek during a call, the status is playing once that position is heard`() {
        var stage = Stage.playingBook()
        stage.on(.interruption(began: true), .seek(to: at(9_000)))
        #expect(stage.on(.interruption(began: false)) == [.resumeStream])
        #expect(stage.state.status == .loading && stage.state.clock?.kind == .start)
    }

    @Test func `a second play or pause changes nothing`() {
        var stage = Stage.playingBook()
        #expect(stage.on(.resume(id: 2)) == [.reply(id: 2, nil)])
        stage.on(.pauseNow)
        #expect(stage.on(.pauseNow) == [])
    }

    @Test func `after a pause during the load, nothing sounds when the item is open`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .pauseNow)
        #expect(!stage.on(.loaded(generation: 1, start: at(0))).contains(.openStream(generation: 1)))
        #expect(stage.state.status == .ready)
        #expect(stage.on(.resume(id: 2)) == [.openStream(generation: 1)])
    }

    @Test func `after a pause during the load, the command that started it is told how it ended`() {
        var stage = Stage()
        let held = stage.on(.play(id: 1, order(bookItem, ffmpeg)), .pauseNow)
        #expect(!held.contains { if case .reply = $0 { true } else { false } })
        var other = stage
        #expect(stage.on(.loaded(generation: 1, start: at(0))).contains(.reply(id: 1, nil)))
        let gone = PlaybackError(.noInput, message: "gone")
        #expect(other.on(.loadFailed(generation: 1, gone)).contains(.reply(id: 1, gone)))
    }

    @Test func `an unknown position is not saved`() {
        var stage = Stage.playingBook(at: 500)
        stage.on(.pauseNow)
        #expect(stage.on(.silenced(generation: 1, heard: nil)) == [])
        #expect(stage.state.current?.position == at(500))
    }
}

@Suite struct `Seeking` {
    @Test func `a seek starts a new generation and saves the position that the user chose`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.seek(to: at(9000), heard: at(100)))
        #expect(
            effects == [
                .seek(generation: 2, at(9000)),
                .savePlace(
                    .main, Playing(item: bookItem, engine: ffmpeg, position: at(9000), provenance: .user),
                    finished: false, durably: true),
            ])
        #expect(stage.on(.heard(generation: 1, at(120))) == [], "the old sound may not move the place")
        #expect(stage.state.current?.position == at(9000))
        stage.on(.started(generation: 2))
        #expect(stage.state.status == .playing)
    }

    @Test func `a seek during a load is applied when the item is open`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .seek(to: at(777)))
        let effects = stage.on(.loaded(generation: 1, start: at(0)))
        #expect(effects.prefix(2) == [.seek(generation: 2, at(777)), .openStream(generation: 2)])
    }

    @Test func `a start that is known only after loading is reached before anything sounds`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)))
        let effects = stage.on(.loaded(generation: 1, start: at(88_200)))
        #expect(effects.prefix(2) == [.seek(generation: 2, at(88_200)), .openStream(generation: 2)])
    }
}

@Suite struct `The end` {
    @Test func `a finished item is saved as finished and starts at 0 when played again`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.ended(generation: 1, atLimit: false))
        #expect(effects.first == .closeStream(generation: 1))
        #expect(effects.contains(.finished(uri: bookItem.uri, nil)))
        #expect(
            effects.contains { if case .savePlace(_, _, finished: true, durably: true) = $0 { true } else { false } })
        #expect(stage.state.status == .ended)
        #expect(stage.on(.resume(id: 3)) == [.seek(generation: 2, at(0)), .openStream(generation: 2)])
    }

    @Test func `a start at the very end ends before the output is open, and the command is answered`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)))
        stage.on(.loaded(generation: 1, start: at(88_200)))
        let effects = stage.on(.ended(generation: 2, atLimit: false))
        #expect(effects.contains(.reply(id: 1, nil)))
        #expect(effects.contains(.closeStream(generation: 2)))
        #expect(stage.on(.streamOpened(generation: 2)) == [])
        #expect(stage.state.status == .ended)
    }

    @Test func `a limit is not the end of the item`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.ended(generation: 1, atLimit: true))
        #expect(!effects.contains { if case .savePlace = $0 { true } else { false } })
        #expect(stage.state.status == .paused)
        let saved = stage.on(.silenced(generation: 1, heard: at(5000)))
        #expect(
            saved.contains { if case .savePlace(_, _, finished: false, durably: true) = $0 { true } else { false } })
    }

    @Test func `stop ends the item and keeps its place`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.stopNow)
        #expect(effects == [.closeStream(generation: 1), .unload(ffmpeg), .finished(uri: nil, nil)])
        #expect(stage.state.status == .idle)
        let saved = stage.on(.silenced(generation: 1, heard: at(321)))
        #expect(
            saved == [
                .savePlace(
                    .main, Playing(item: bookItem, engine: ffmpeg, position: at(321), provenance: .heard),
                    finished: false, durably: true)
            ])
        #expect(stage.state.remembered[.main]?[.audio]?.position == at(321))
    }
}

@Suite struct `Failures` {
    @Test func `an engine that dies is restarted at the position that was heard, a few times`() {
        var stage = Stage.playingBook()
        let gone = PlaybackError(.defect, message: "the engine died")
        for attempt in 1...3 {
            let effects = stage.on(
                .engineGone(generation: stage.state.generation, gone, heard: at(5000)))
            #expect(
                effects.contains {
                    if case .load(_, let playing, _) = $0 { playing.position == at(5000) } else { false }
                }, "attempt \(attempt)")
            stage.on(.loaded(generation: stage.state.generation, start: at(5000)))
            stage.on(.streamOpened(generation: stage.state.generation))
        }
        stage.on(.engineGone(generation: stage.state.generation, gone, heard: at(5000)))
        #expect(stage.state.status == .error)
    }

    @Test func `sound after a recovery resets the number of attempts`() {
        var stage = Stage.playingBook()
        stage.on(.engineGone(generation: 1, PlaybackError(.defect, message: "died"), heard: at(1)))
        #expect(stage.state.attempt == 1)
        stage.on(
            .loaded(generation: 2, start: at(1)), .streamOpened(generation: 2), .started(generation: 2),
            .heard(generation: 2, at(4000)))
        #expect(stage.state.attempt == 1, "it may be about to die again")
        stage.on(.heard(generation: 2, at(9000)))
        #expect(stage.state.attempt == 0)
    }

    @Test func `a lost stream saves the place and is reported as a lost route`() {
        var stage = Stage.playingBook()
        let lost = PlaybackError(.io, message: "the sound server went away")
        let effects = stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(777)))
        #expect(
            effects.contains(
                .savePlace(
                    .main, Playing(item: bookItem, engine: ffmpeg, position: at(777), provenance: .heard),
                    finished: false, durably: true)))
        #expect(stage.state.suppression == .routeLost)
        #expect(stage.state.intent == .play)
    }
}

@Suite struct `Interruptions` {
    @Test func `an interruption silences sound that resumes if it was wanted`() {
        var stage = Stage.playingBook()
        #expect(stage.on(.interruption(began: true)) == [.pauseStream(generation: 1)])
        #expect(stage.state.status == .paused)
        #expect(stage.state.suppression == .interruption)
        #expect(stage.on(.interruption(began: false)) == [.resumeStream])
        #expect(stage.state.status == .playing)
    }

    @Test func `a pause by the user in the meantime is kept`() {
        var stage = Stage.playingBook()
        stage.on(.interruption(began: true), .pauseNow)
        #expect(stage.on(.interruption(began: false)) == [])
        #expect(stage.state.status == .paused)
    }

    @Test func `a change of rate saves the place`() {
        var stage = Stage.playingBook(at: 1_000)
        let effects = stage.on(.setRate(2, heard: at(4_000), byEngine: false))
        #expect(
            effects.contains {
                if case .savePlace(.main, let saved, finished: false, durably: true) = $0 {
                    saved.position == at(4_000)
                } else {
                    false
                }
            })
    }
}

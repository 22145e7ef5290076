// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

/// Tests of interruptions and changes of route.
@Suite struct `Routes` {
    private let lost = PlaybackError(.io, message: "the sound server went away")

    @Test func `unplugged headphones silence playback, which never moves to the loudspeaker by itself`() {
        var stage = Stage.playingBook()
        #expect(stage.on(.routeLost) == [.pauseStream(generation: 1)])
        #expect(stage.state.suppression == .routeLost)
        #expect(stage.on(.routeReturned) == [])
        #expect(stage.state.status == .paused)
        #expect(stage.on(.resume(id: 2)).first == .resumeStream, "the listener may")
    }

    @Test func `after unplugged headphones and a server restart, still only the user resumes`() {
        var stage = Stage.playingBook()
        stage.on(.routeLost, .outputFailed(PlaybackError(.io, message: "gone"), isDeviceGone: false, heard: nil))
        #expect(stage.state.outage == nil)
        #expect(stage.state.clock == nil, "nobody looks for it")
        #expect(stage.state.suppression == .routeLost)
        let effects = stage.on(.resume(id: 2))
        #expect(effects.contains { if case .openStream = $0 { true } else { false } })
    }

    @Test func `if headphones are unplugged while the server is looked for, playback stays silent`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(5_000)))
        stage.ring()
        stage.on(.routeLost)
        #expect(stage.state.opensSilent)
        #expect(stage.on(.streamOpened(generation: 2)).contains(.pauseStream(generation: 2)))
        #expect(stage.state.suppression == .routeLost && stage.state.status == .paused)
        #expect(stage.on(.resume(id: 2)).contains(.resumeStream), "the listener may")
    }

    @Test func `if the sink disappears while the server is looked for, only the user resumes`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(5_000)))
        stage.ring()
        stage.on(.outputFailed(lost, isDeviceGone: true, heard: nil))
        #expect(stage.state.outage == nil && stage.state.clock == nil)
        #expect(stage.state.suppression == .routeLost)
    }

    @Test func `a server that comes back during a call is silent until the call ends`() {
        var stage = Stage.playingBook()
        stage.on(
            .interruption(began: true),
            .outputFailed(PlaybackError(.io, message: "gone"), isDeviceGone: false, heard: at(5_000)))
        stage.ring()
        #expect(stage.state.stream == .opening)
        #expect(stage.state.opensSilent)
        stage.on(.streamOpened(generation: stage.state.generation))
        #expect(stage.state.suppression == .interruption)
    }

    @Test func `if headphones are unplugged during a load, the user may resume before the item is open`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .routeLost, .resume(id: 3))
        let effects = stage.on(.loaded(generation: 2, start: at(0)))
        #expect(effects.contains(.openStream(generation: 2)))
    }

    @Test func `if headphones are unplugged during a load, the old stream is closed`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .routeLost)
        #expect(stage.on(.loaded(generation: 2, start: at(0))).contains(.closeStream(generation: 2)))
    }

    @Test func `plugged-in headphones resume playback if a setting says so`() {
        var rules = PlaybackRules()
        rules.resumesOnRouteReturn = true
        var stage = Stage.playingBook()
        stage.on(.setRules(rules), .routeLost)
        #expect(stage.on(.routeReturned) == [.resumeStream])
    }

    @Test func `toggle follows what is audible`() {
        var stage = Stage.playingBook()
        stage.on(.routeLost)
        #expect(stage.on(.toggle(id: 2)).first == .resumeStream, "it is silent: play")
        #expect(stage.on(.toggle(id: 3)).first == .pauseStream(generation: 1))
    }

    @Test func `an interruption that ends under a lost route changes nothing`() {
        var stage = Stage.playingBook()
        stage.on(.interruption(began: true), .routeLost)
        #expect(stage.on(.interruption(began: false)) == [])
        #expect(stage.state.suppression == .routeLost)
    }

    @Test func `if headphones are unplugged while the next item loads, it is not audible`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .routeLost)
        let effects = stage.on(.loaded(generation: 2, start: at(0)))
        #expect(!effects.contains { if case .openStream = $0 { true } else { false } })
        #expect(stage.state.suppression == .routeLost)
    }

    @Test func `the stream stays open during a long call, so that it is told of the end`() {
        var stage = Stage.playingBook()
        stage.on(.interruption(began: true))
        #expect(stage.state.clock == nil)
        #expect(stage.on(.interruption(began: false)) == [.resumeStream])
    }

    @Test func `a stream that opens during a call is silent`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)))
        #expect(stage.on(.interruption(began: true)) == [.reply(id: 1, nil)])
        #expect(stage.on(.streamOpened(generation: 1)) == [.pauseStream(generation: 1)])
        #expect(stage.on(.interruption(began: false)).contains(.resumeStream))
    }

    @Test func `an interruption that ends does not start what the user paused`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .interruption(began: true))
        #expect(stage.on(.interruption(began: false)) == [])
    }

    @Test func `a lost sound server holds playback, which resumes at the audible position`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(777)))
        #expect(effects.contains(.seek(generation: 2, at(777))))
        #expect(stage.state.suppression == .routeLost)
        #expect(stage.state.clock?.kind == .reconnect)
        #expect(stage.ring() == [.openStream(generation: 2)])
        stage.on(.streamFailed(generation: 2, lost))
        #expect(stage.ring() == [.openStream(generation: 2)])
        stage.on(.streamOpened(generation: 2), .started(generation: 2))
        #expect(stage.state.status == .playing)
    }

    @Test func `a server that does not return is an error after 30 s`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(777)))
        for _ in 0..<30 {
            stage.ring()
            stage.on(.streamFailed(generation: 2, lost))
        }
        stage.ring()
        #expect(stage.state.status == .error)
        #expect(stage.state.error == lost)
    }

    @Test func `a late answer of a device while the server is looked for does not count for the next one`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(777)))
        stage.ring()
        let late = stage.state.generation
        #expect(stage.ring().contains(.dropOutput))
        stage.ring()
        #expect(stage.state.stream == .opening)
        stage.on(.streamOpened(generation: late))
        #expect(stage.state.stream == .opening)
    }

    @Test func `resume while the server is looked for tries at once, and is answered`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(777)))
        #expect(stage.on(.resume(id: 5)) == [.openStream(generation: 2)])
        #expect(stage.on(.streamFailed(generation: 2, lost)) == [.reply(id: 5, lost)])
        #expect(stage.state.outage != nil)
    }

    @Test func `play of another item ends the search for the server, and is answered with the error`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(5_000)))
        #expect(stage.state.clock?.kind == .reconnect)
        let own = stage.state.generation + 1
        stage.on(.play(id: 2, order(textItem, espeak)), .loaded(generation: own, start: at(0)))
        let answer = stage.on(.streamFailed(generation: own, lost))
        #expect(answer.contains(.reply(id: 2, lost)))
        #expect(stage.state.status == .error && stage.state.current?.item == textItem)
        #expect(stage.state.clock == nil, "what failed does not begin by itself")
        #expect(stage.state.remembered[.main]?[.audio]?.position == at(5_000))
    }

    @Test func `a sink that disappears while the server is there holds playback, and no other is opened`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: true, heard: at(777)))
        #expect(stage.state.status == .paused)
        #expect(stage.state.clock == nil)
        #expect(stage.on(.resume(id: 2)).contains { if case .openStream = $0 { true } else { false } })
    }

    @Test func `a stream that is lost during a pause is not an error`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(5)))
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(5)))
        #expect(stage.state.status == .paused)
        #expect(stage.state.error == nil)
    }
}

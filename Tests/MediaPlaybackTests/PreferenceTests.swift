// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import JSON
import PlaybackCore
import Testing
import TransitionRecords

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `The way a book is listened to` {
    private static func request(_ name: String, rate: Double? = nil, volume: Double? = nil) -> PlayRequest {
        var request = Rig.request(name)
        request.rate = rate
        request.volume = volume
        return request
    }

    private static func next(
        after rig: Rig, settings: PlaybackSettings = PlaybackSettings(), engines: FakeEngines? = nil
    ) -> MediaPlaybackController {
        MediaPlaybackController(
            engines: engines ?? FakeEngines(tape: rig.tape), outputs: OneOutput(output: FakeOutput(tape: rig.tape)),
            store: rig.store, resolver: FakeResolver(), log: rig.log, settings: settings)
    }

    private static func speeds(_ tape: Tape) -> [String] { tape.lines.filter { $0.hasPrefix("output: open") } }

    @Test func `returns with the book when two books alternate`() async throws {
        let rig = Rig()
        try await rig.controller.play(Self.request("whale.m4b"))
        try await rig.controller.setRate(1.5)
        try await rig.controller.setVolume(0.25)
        try await rig.controller.play(Self.request("sea.m4b", rate: 2, volume: 1))
        try await rig.controller.play(Self.request("whale.m4b"))
        #expect(await rig.controller.snapshot().state.rate == 1.5)
        #expect(await rig.controller.snapshot().state.volume == 0.25)
        try await rig.controller.play(Self.request("sea.m4b"))
        #expect(await rig.controller.snapshot().state.rate == 2)
        #expect(await rig.controller.snapshot().state.volume == 1)
        #expect(
            Self.speeds(rig.tape) == [
                "output: open whale.m4b at rate 1.0 (1)", "output: open sea.m4b at rate 2.0 (2)",
                "output: open whale.m4b at rate 1.5 (3)", "output: open sea.m4b at rate 2.0 (4)",
            ])
    }

    @Test func `returns with the book in the next session, however it is started`() async throws {
        let rig = Rig()
        try await rig.controller.play(Self.request("whale.m4b"))
        rig.output.hear(500)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: whale.m4b 500")
        // The place was saved before, and nothing is audible any more.
        try await rig.controller.setRate(1.75)
        try await rig.controller.setVolume(0.5)
        await rig.controller.shutDown()
        for begin in 0..<3 {
            let controller = Self.next(after: rig)
            switch begin {
            case 0: try await controller.resume()
            case 1: try await controller.resume(lastOf: .audio)
            default: try await controller.play(Self.request("whale.m4b"))
            }
            let state = await controller.snapshot().state
            #expect(state.rate == 1.75 && state.volume == 0.5, "begun in way \(begin)")
            await controller.shutDown()
        }
        #expect(Self.speeds(rig.tape).dropFirst().allSatisfy { $0.hasPrefix("output: open whale.m4b at rate 1.75") })
    }

    @Test func `gives way to an explicit choice, which is then remembered`() async throws {
        let rig = Rig()
        try await rig.controller.play(Self.request("whale.m4b", rate: 1.5))
        try await rig.controller.play(Self.request("sea.m4b"))
        try await rig.controller.play(Self.request("whale.m4b", rate: 0.75))
        #expect(await rig.controller.snapshot().state.rate == 0.75)
        try await rig.controller.play(Self.request("sea.m4b"))
        try await rig.controller.play(Self.request("whale.m4b"))
        #expect(await rig.controller.snapshot().state.rate == 0.75)
    }

    @Test(arguments: [(nil, 1.5), (1.25, 1.25)] as [(Double?, Double)])
    func `starts with the speed of the previous book, or that of the settings`(
        _ setting: Double?, _ expected: Double
    ) async throws {
        var settings = PlaybackSettings()
        settings.defaultRate = setting
        let rig = Rig(settings: settings)
        try await rig.controller.play(Self.request("whale.m4b", rate: 1.5))
        try await rig.controller.play(Self.request("sea.m4b"))
        #expect(await rig.controller.snapshot().state.rate == expected)
    }

    @Test func `is separate for a text and a book when engines alternate`() async throws {
        let rig = Rig()
        try await rig.controller.play(Self.request("whale.m4b", rate: 1.5))
        try await rig.controller.play(Self.request("article.txt", rate: 2))
        try await rig.controller.switchEngine(to: EngineID("ffmpeg"))
        #expect(await rig.controller.snapshot().state.rate == 1.5)
        try await rig.controller.switchEngine(to: EngineID("espeak"))
        #expect(await rig.controller.snapshot().state.rate == 2)
    }

    @Test func `includes its engine and voice`() async throws {
        let rig = Rig()
        var request = Self.request("article.txt")
        request.voice = "en-gb"
        try await rig.controller.play(request)
        rig.output.hear(7)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: article.txt 7")
        var clip = Self.request("whale.m4b")
        clip.engine = EngineID("clip")
        try await rig.controller.play(clip)
        rig.output.hear(9)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: whale.m4b 9")
        await rig.controller.shutDown()

        let engines = FakeEngines(tape: rig.tape)
        let controller = Self.next(after: rig, engines: engines)
        try await controller.play(Self.request("whale.m4b"))
        #expect(await controller.snapshot().state.current?.engine == EngineID("clip"))
        try await controller.play(Self.request("article.txt"))
        #expect(rig.tape.lines.contains("espeak: voice en-gb"))
        #expect(rig.tape.lines.filter { $0 == "espeak: voice en-gb" }.count == 2)
    }

    @Test func `does not include a voice that its engine does not have`() async throws {
        let refusal = EngineError(.unknownVoice, message: "no such voice")
        let rig = Rig(failures: [EngineID("espeak"): refusal])
        var request = Self.request("article.txt")
        request.voice = "nobody"
        await #expect(throws: PlaybackError.self) { try await rig.controller.play(request) }
        await #expect(throws: PlaybackError.self) { try await rig.controller.play(Self.request("article.txt")) }
        #expect(rig.tape.lines.filter { $0 == "espeak: voice nobody" }.count == 1)
    }

    @Test func `gives a voice to no engine but its own`() {
        let options = OpeningOptions(voice: "en-gb", voiceEngine: EngineID("espeak"))
        #expect(options.voice(for: EngineID("espeak")) == "en-gb")
        #expect(options.voice(for: EngineID("sherpa")) == nil)
    }

    @Test(arguments: [true, false])
    func `continues with another engine when its own is gone, which is logged`(_ isNamed: Bool) async throws {
        let rig = Rig()
        var request = Self.request("whale.m4b", rate: 1.5)
        request.engine = EngineID("clip")
        try await rig.controller.play(request)
        rig.output.hear(9)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: whale.m4b 9")
        await rig.controller.shutDown()

        let controller = Self.next(after: rig, engines: FakeEngines(tape: rig.tape, missing: EngineID("clip")))
        if isNamed { try await controller.play(Self.request("whale.m4b")) } else { try await controller.resume() }
        let state = await controller.snapshot().state
        #expect(state.current?.engine == EngineID("ffmpeg"))
        #expect(state.rate == 1.5)
        await rig.tape.wait(for: "ffmpeg: load whale.m4b at 0:9")
        let told = rig.log.entries.contains {
            $0.fields["message"]
                == .string("engine “clip” is no longer available; “whale.m4b” continues with “ffmpeg”")
        }
        #expect(told)
    }
}

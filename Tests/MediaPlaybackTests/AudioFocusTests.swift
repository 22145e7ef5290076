// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import MediaPlayback
import PlaybackCore
import Testing
import TransitionRecords

/// Owners, launch and log, as far as the controller has a part in them.
@Suite(.timeLimit(.minutes(1))) struct `Audio focus` {
    private let viewer = OwnerID("clip-viewer-1")

    private func clip(handsBack: Bool = true) -> PlayRequest {
        var request = Rig.request("book.m4b", start: .beginning)
        request.owner = viewer
        request.engine = EngineID("clip")
        request.clip = ClipRange(start: .seconds(10), end: .seconds(12.5), loops: false, name: "10,12.5")
        request.rate = 1
        request.handsBack = handsBack
        return request
    }

    @Test func `a clip takes it from the book, and hands it back as it was`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await rig.controller.setRate(1.5)
        rig.output.hear(30_000)
        try await rig.controller.play(clip())
        #expect(rig.tape.lines.contains("clip: range 0:10000 to 0:12500"))
        // What was rendered before the range was set is not heard. The engine and the output are called side by side.
        await rig.tape.wait(for: "clip: seek 0:10000 (3)")
        #expect(rig.tape.lines.contains("output: open book.m4b at rate 1.0 (3)"))
        rig.output.report.yield(.ended(generation: 3))
        await rig.tape.wait(for: "output: open book.m4b at rate 1.5 (5)")
        await rig.tape.wait(for: "ffmpeg: seek 0:30000 (5)")
    }

    @Test func `an owner sees what plays while it has focus, or else its own place`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(30_000)
        try await rig.controller.play(clip(handsBack: false))
        let main = await rig.controller.snapshot(of: .main)
        #expect(main.aside?.view.status == .paused)
        #expect(main.position == MediaPosition(track: 0, units: 30_000))
        #expect(main.media?.title == "book.m4b")
        #expect(await rig.controller.snapshot(of: viewer).aside == nil)

        try await rig.controller.seek(.relative(5), owner: .main, uri: "book.m4b")
        #expect(await rig.controller.snapshot(of: .main).position?.units == 35_000)
        #expect(!rig.tape.lines.contains { $0.hasPrefix("ffmpeg: seek") }, "nothing that sounds moved")
        try await rig.controller.release(viewer)
        #expect(await rig.controller.snapshot(of: .main).position?.units == 35_000)
    }

    @Test func `a skip goes 25 s forward and 30 s back`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(40_000)
        try await rig.controller.skip(forward: true)
        await rig.tape.wait(for: "ffmpeg: seek 0:65000 (2)")
        rig.output.hear(65_000)
        try await rig.controller.skip(forward: false)
        await rig.tape.wait(for: "ffmpeg: seek 0:35000 (3)")
    }

    @Test func `selected at launch: the engine is prepared, the device is not touched`() async {
        let rig = Rig(selectedEngine: "espeak")
        await rig.controller.launch()
        #expect(rig.tape.lines == ["espeak: start"])
        #expect(await !rig.controller.snapshot().isSessionActive)
    }

    @Test func `on demand: nothing is started before it is needed`() async {
        var settings = PlaybackSettings()
        settings.initialization = .onDemand
        let rig = Rig(selectedEngine: "espeak", settings: settings)
        await rig.controller.launch()
        #expect(rig.tape.lines.isEmpty)
    }

    @Test func `a selected engine that is gone is no error`() async {
        let rig = Rig(selectedEngine: "sherpa")
        await rig.controller.launch()
        #expect(rig.tape.lines.isEmpty)
    }

    @Test func `the calls of every engine are logged in the same words`() async throws {
        for (name, engine) in [("book.m4b", "ffmpeg"), ("article.txt", "espeak")] {
            let rig = Rig()
            try await rig.controller.play(Rig.request(name))
            rig.output.hear(50)
            await rig.controller.pause()
            try await rig.controller.resume()
            rig.output.report.yield(.ended(generation: 1))
            await rig.tape.wait(for: "store: \(name) 50 finished")
            let records = rig.log.entries.filter { $0.kind == .engine && $0.engine == EngineID(engine) }
            let actions = records.compactMap { entry -> String? in
                guard case .string(let action)? = entry.fields["action"] else { return nil }
                return action
            }
            #expect(
                actions.filter { !["start", "load"].contains($0) } == [
                    "prepare", "prepared", "play", "didStart", "pause", "play", "didFinish", "stop",
                ], "\(engine)")
            #expect(records.allSatisfy { $0.cause != .remote })
        }
    }

    @Test func `a pause by remote just as the route is lost is attributed to the route`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.controller.pause(origin: .remote)
        try await rig.controller.resume()
        rig.output.report.yield(.routeLost(Route(output: "fake", device: "loudspeaker")))
        await rig.tape.wait(for: "output: pause")
        await rig.until { await rig.controller.snapshot().state.suppression == .routeLost }
        await rig.controller.pause(origin: .remote)
        let pauses = rig.log.entries.filter { $0.kind == .event && $0.fields["event"] == .string("pause") }
        #expect(pauses.map(\.cause) == [.remote, .route])
    }

    @Test func `the watchdog's timer fires: no sound, a seek, a new engine`() async throws {
        var settings = PlaybackSettings()
        settings.rules.stuckLimit = 30
        settings.rules.startLimit = 30
        settings.rules.maximumAttempts = 2
        let rig = Rig(settings: settings)
        await rig.controller.launch()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(7_000)
        await rig.tape.wait(for: "ffmpeg: seek 0:7000 (2)")
        await rig.tape.wait(for: "ffmpeg: shut down")
        await rig.until { await rig.controller.snapshot().state.status == .error }
        let retries = rig.log.entries.filter { $0.fields["action"] == .string("retry") }
        #expect(retries.map(\.attempt) == [1, 2])
        #expect(retries.allSatisfy { $0.cause == .recovery })
    }

    @Test(arguments: ["ffmpeg", "other", "espeak"])
    func `an engine that cannot play a part of a file leaves the clip as it is`(_ engine: String) async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        try await rig.controller.play(clip())
        await #expect {
            try await rig.controller.switchEngine(to: EngineID(engine))
        } throws: { [.badContent, .unavailable].contains(($0 as? PlaybackError)?.kind) }
        let state = await rig.controller.snapshot().state
        #expect(state.owner == viewer && state.current?.engine == EngineID("clip") && state.status == .playing)
        #expect(!rig.tape.lines.contains("output: pause") || rig.tape.lines.last?.hasPrefix("output: pause") == false)
        try await rig.controller.switchEngine(to: EngineID("clip"))
        #expect(await rig.controller.snapshot().state.status == .playing)
    }

    @Test func `an engine that opens nothing by itself does not take over the book`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(20_000)
        await #expect {
            try await rig.controller.switchEngine(to: EngineID("clip"))
        } throws: { ($0 as? PlaybackError)?.kind == .unavailable }
        #expect(!rig.tape.lines.contains { $0.hasPrefix("clip") })
        let state = await rig.controller.snapshot().state
        #expect(state.current?.engine == EngineID("ffmpeg") && state.status == .playing)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Play without an item` {
    private func options(_ set: (inout ResumeOptions) -> Void) -> ResumeOptions {
        var options = ResumeOptions()
        set(&options)
        return options
    }

    @Test func `is for main, whichever owner has audio focus`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(20_000)
        var guest = Rig.request("guest.m4b")
        guest.owner = OwnerID("kitchen")
        try await rig.controller.play(guest)
        try await rig.controller.resume(lastOf: .audio)
        let state = await rig.controller.snapshot().state
        #expect(state.owner == .main)
        #expect(state.current?.item.uri == "book.m4b")
        try await rig.controller.resume(lastOf: .audio, options { $0.owner = OwnerID("kitchen") })
        #expect(await rig.controller.snapshot().state.current?.item.uri == "guest.m4b")
    }

    @Test(arguments: [true, false]) func `uses the named engine`(_ isStopped: Bool) async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(20_000)
        if isStopped { await rig.controller.stop() }
        try await rig.controller.resume(lastOf: .audio, options { $0.engine = EngineID("other") })
        #expect(rig.tape.lines.contains { $0.hasPrefix("other: load book.m4b at 0:20000") }, "\(rig.tape.lines)")
        #expect(await rig.controller.snapshot().state.current?.engine == EngineID("other"))
    }

    @Test func `refuses an engine that is missing, or that cannot play it`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        for (engine, kind) in [
            ("nonsense", PlaybackError.Kind.unavailable), ("espeak", .badContent), ("clip", .badContent),
        ] {
            await #expect {
                try await rig.controller.resume(lastOf: .audio, options { $0.engine = EngineID(engine) })
            } throws: { ($0 as? PlaybackError)?.kind == kind }
        }
        #expect(await rig.controller.snapshot().state.status == .playing)
    }

    @Test(arguments: [true, false]) func `uses the named voice`(_ isStopped: Bool) async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("article.txt"))
        if isStopped { await rig.controller.stop() }
        try await rig.controller.resume(lastOf: .text, options { $0.voice = "en-us" })
        #expect(rig.tape.lines.contains("espeak: voice en-us"))
    }

    @Test func `starts and stops at the given places, at the given speed`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(20_000)
        try await rig.controller.resume(
            lastOf: .audio,
            options {
                $0.until = .seconds(60)
                $0.rate = 1.5
            })
        await rig.tape.wait(for: "output: limit 0:60000")
        #expect(await rig.controller.snapshot().state.rate == 1.5)
        await rig.controller.stop()
        try await rig.controller.resume(
            lastOf: .audio,
            options {
                $0.start = .seconds(30)
                $0.rate = 2
            })
        await rig.tape.wait(for: "ffmpeg: seek 0:30000")
        #expect(await rig.controller.snapshot().state.rate == 2)
    }

    @Test func `refuses a voice for audio, and reopens nothing for it`() async throws {
        let rig = Rig()
        var request = Rig.request("book.m4b")
        request.voice = "en-us"
        await #expect { try await rig.controller.play(request) } throws: { ($0 as? PlaybackError)?.kind == .usage }
        await #expect {
            try await rig.controller.render(request, to: "wav:/tmp/book.wav")
        } throws: { ($0 as? PlaybackError)?.message.contains("voice") == true }
        try await rig.controller.play(Rig.request("book.m4b"))
        await #expect {
            try await rig.controller.resume(lastOf: .audio, options { $0.voice = "en-us" })
        } throws: { ($0 as? PlaybackError)?.kind == .usage }
        #expect(rig.tape.lines.filter { $0.hasPrefix("ffmpeg: load") }.count == 1)
        #expect(await rig.controller.snapshot().state.status == .playing)
    }

    /// Plays these items one after another, and ends the session.
    private func session(_ names: [String]) async throws -> Rig {
        let clock = HandClock()
        let rig = Rig(wallClock: clock)
        for name in names {
            try await rig.controller.play(Rig.request(name))
            rig.output.hear(50)
            clock.advance(seconds: 10)
            await rig.controller.pause()
        }
        await rig.controller.placesAreSaved()
        await rig.controller.shutDown()
        return rig
    }

    @Test(arguments: [
        (["book.m4b", "article.txt"], "article.txt"), (["article.txt", "book.m4b"], "book.m4b"),
        (["book.m4b", "article.txt", "book.m4b"], "book.m4b"),
    ])
    func `resume, toggle and seek in a new session continue with the last item`(_ names: [String], _ last: String)
        async throws
    {
        let rig = try await session(names)
        for command in 0..<3 {
            let next = Rig(store: rig.store)
            switch command {
            case 0: try await next.controller.resume()
            case 1: try await next.controller.toggle()
            default: try await next.controller.goTo(.seconds(2))
            }
            #expect(await next.controller.snapshot().state.current?.item.uri == last, "command \(command)")
        }
        let next = Rig(store: rig.store)
        try await next.controller.resume(lastOf: .audio)
        #expect(await next.controller.snapshot().state.current?.item.uri == "book.m4b")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PlaybackCore
import Synchronization
import Testing
import TransitionRecords

@testable import MediaPlayback

/// Events that happen while something else is in progress.
@Suite(.timeLimit(.minutes(1))) struct `Meanwhile` {
    let rig = Rig()
    var controller: MediaPlaybackController { rig.controller }

    private func clip() -> PlayRequest {
        var request = Rig.request("book.m4b", start: .beginning)
        request.owner = OwnerID("clip-viewer-1")
        request.engine = EngineID("clip")
        request.clip = ClipRange(start: .seconds(10), end: .seconds(12.5), loops: true, name: "10,12.5")
        request.handsBack = true
        return request
    }

    @Test func `play of an item that is about to start elsewhere keeps that place, and never saves a 0`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(30_000)
        await controller.stop()
        await rig.tape.wait(for: "store: book.m4b 30000")
        rig.gate.close("load")
        async let first: Void = controller.play(Rig.request("book.m4b", start: .at(.seconds(50))))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:30000")
        async let second: Void = controller.play(Rig.request("book.m4b"))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:30000 (4)")
        rig.gate.open("load")
        _ = try await (first, second)
        #expect(await controller.snapshot().position?.units == 50_000)
        #expect(!rig.tape.lines.contains { $0.hasPrefix("store: book.m4b 0") })
    }

    @Test func `a part that ended begins again at its own beginning`() async throws {
        var part = clip()
        part.clip?.loops = false
        part.handsBack = false
        try await controller.play(part)
        rig.output.report.yield(.ended(generation: await controller.machine.state.generation))
        await rig.tape.wait(for: "output: close")
        try await controller.resume(owner: OwnerID("clip-viewer-1"))
        await rig.tape.wait(for: "clip: seek 0:10000")
        #expect(await controller.snapshot().position?.units == 10_000)
    }

    @Test func `commands do not wait for an output that has predicted what is audible now`() async throws {
        let rig = Rig(keepsJournal: true)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.foretell(30_000)
        rig.gate.close("heard")
        try await rig.controller.setVolume(0.5)
        await rig.controller.pause()
        await rig.tape.wait(for: "output: pause")
        try await rig.controller.seek(.relative(25))
        await rig.tape.wait(for: "ffmpeg: seek 0:55000")
    }

    @Test func `a relative seek asks an output that has predicted nothing, and a pause does not wait for it`()
        async throws
    {
        try await controller.play(Rig.request("book.m4b"))
        rig.gate.close("heard")
        rig.output.hear(31_000)
        async let skip: Void = controller.seek(.relative(25))
        await rig.gate.isReached("heard")
        await controller.pause()
        await rig.tape.wait(for: "output: pause")
        rig.gate.open("heard")
        try await skip
        await rig.tape.wait(for: "ffmpeg: seek 0:56000")
        #expect(await controller.snapshot().state.intent == .pause)
    }

    @Test func `a seek of an owner in the item that it left is counted in that item`() async throws {
        try await controller.play(Rig.request("article.txt"))
        try await controller.play(Rig.request("book.m4b"))
        try await controller.play(clip())
        try await controller.seek(.seconds(10), owner: .main, uri: "article.txt")
        await rig.tape.wait(for: "store: article.txt 100 (user)")
        try await controller.seek(.seconds(10), owner: .main, uri: "unknown.m4b")
        let last = rig.log.entries.last { $0.kind == .event }
        #expect(last?.fields["event"] == .string("seek"), "it is dropped, and said")
        #expect(!rig.tape.lines.contains { $0.hasPrefix("store: unknown") })
    }

    @Test func `lengths that arrive while another item opens are not applied to that item`() async throws {
        rig.engines.files.withLock { $0 = 3 }
        try await controller.play(Rig.request("book.m4b"))
        rig.gate.close("describe")
        let controller = controller
        let seek = Task { try await controller.seek(.seconds(110)) }
        await rig.gate.isReached("describe")
        try await controller.play(Rig.request("other.m4b"))
        rig.gate.open("describe")
        await #expect(throws: PlaybackError.self) { try await seek.value }
        let other = await controller.snapshot()
        #expect(other.media?.content.uri == "other.m4b")
        #expect(other.media?.timeline.tracks.map(\.duration) == [100_000, nil, nil])
    }

    @Test func `the place of an owner without audio focus uses the lengths that were found out last`() async throws {
        rig.engines.files.withLock { $0 = 3 }
        try await controller.play(Rig.request("book.m4b"))
        let place = MediaPosition(track: 1, units: 10_000)
        try await controller.seek(.position(place))
        await rig.tape.wait(for: "ffmpeg: seek 1:10000")
        let changes = await controller.observe()
        for (index, length) in [(1, Int64(30_000)), (2, 40_000)] {
            rig.engines.report(
                .track(
                    index: index,
                    TrackDescription(
                        timeline: TimelineTrack(unitsPerSecond: 1000, duration: length, confidence: .exact),
                        format: AudioFormat(sampleRate: 44_100, channels: 1), encoding: .int16, codec: "test",
                        title: nil)))
        }
        for await change in changes where change == .state {
            if await controller.snapshot().media?.timeline.summed == 170 { break }
        }
        try await controller.claim(OwnerID("reader"))
        let aside = await controller.snapshot(of: .main)
        #expect(aside.media?.timeline.summed == 170)
        try await controller.seek(.relative(25), owner: .main)
        #expect(await controller.snapshot(of: .main).position == MediaPosition(track: 2, units: 5_000))
    }

    @Test func `a clip that is given up while its file is looked up does not start`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.gate.close("resolve")
        async let play: Void = controller.play(clip())
        await rig.gate.isReached("resolve")
        try await controller.release(OwnerID("clip-viewer-1"))
        rig.gate.open("resolve")
        do {
            try await play
            Issue.record("it did not begin, and is not to say so")
        } catch {
            #expect((error as? PlaybackError)?.kind == .busy)
        }
        #expect(!rig.tape.lines.contains { $0.hasPrefix("clip") })
        #expect(await controller.snapshot().state.status == .playing)
    }

    @Test func `a rate that is set while a text is opened is audible`() async throws {
        rig.gate.close("load")
        async let play: Void = controller.play(Rig.request("article.txt"))
        await rig.tape.wait(for: "espeak: load")
        try await controller.setRate(2)
        rig.gate.open("load")
        try await play
        // The output opens without waiting for the engine, and takes nothing until it has sought.
        await rig.tape.wait(for: "espeak: seek 0:0 (2)")
        let lines = rig.tape.lines
        let rate = try #require(lines.firstIndex(of: "espeak: rate 2.0"))
        let seek = try #require(lines.firstIndex(of: "espeak: seek 0:0 (2)"), "what was rendered is of the old rate")
        #expect(rate < seek)
        #expect(lines.contains("output: open article.txt at rate 1.0 (2)"))
    }

    @Test func `skips of two clients at once add up`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(40_000)
        rig.gate.close("heard")
        async let first: Void = controller.skip(forward: true)
        async let second: Void = controller.skip(forward: true)
        await rig.gate.isReached("heard")
        await rig.until { await controller.machine.state.seeks.count == 2 }
        rig.gate.open("heard")
        _ = try await (first, second)
        await rig.tape.wait(for: "ffmpeg: seek 0:90000")
    }

    @Test func `resume while the output is changed for another item waits for that item`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(5_000)
        rig.gate.close("close")
        var other = Rig.request("other.m4b")
        other.output = "alsa"
        async let play: Void = controller.play(other)
        await rig.gate.isReached("close")
        async let resume: Void = controller.resume()
        rig.gate.open("close")
        await rig.tape.wait(for: "output: open other.m4b")
        // The output that was left reports no further positions.
        await controller.stop()
        _ = try? await (play, resume)
    }

    @Test func `a disk that fails once is read again`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(7_000)
        await controller.stop()
        await rig.tape.wait(for: "store: book.m4b 7000")
        let tape = Tape()
        let next = MediaPlaybackController(
            engines: FakeEngines(tape: tape), outputs: OneOutput(output: FakeOutput(tape: tape)), store: rig.store,
            resolver: FakeResolver(), log: rig.log)
        rig.store.set(failsLookup: true)
        for command in 0..<3 {
            await #expect("command \(command)") {
                switch command {
                case 0: try await next.resume()
                case 1: try await next.resume(lastOf: .audio)
                default: try await next.goTo(.seconds(60))
                }
            } throws: { error in
                (error as? PlaybackError)?.kind == .io
            }
        }
        rig.store.set(failsLookup: false)
        try await next.resume()
        #expect(tape.lines.contains { $0.hasPrefix("ffmpeg: load book.m4b at 0:7000") })
    }

    @Test func `unreachable items are forgotten, a pipe that can still be returned to is not`() async throws {
        try await controller.play(Rig.request("first.m4b"))
        try await controller.play(clip())
        for number in 1...40 {
            var request = Rig.request("clip\(number).m4b", start: .beginning)
            request.owner = OwnerID("clip-viewer-1")
            try await controller.play(request)
        }
        #expect(await controller.items.count <= 16 + 3)
        try await controller.release(OwnerID("clip-viewer-1"))
        #expect(await controller.items[content: "first.m4b"] != nil)
    }
}

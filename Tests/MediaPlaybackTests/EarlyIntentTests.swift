// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PlaybackCore
import Testing
import TransitionRecords

@testable import MediaPlayback

/// Requests made before the item is there: seeks are deferred, and sound starts only if playback is still wanted.
@Suite(.timeLimit(.minutes(1))) struct `Early intents` {
    let rig = Rig()
    var controller: MediaPlaybackController { rig.controller }

    func code(_ play: () async throws -> Void) async -> Int32? {
        do {
            try await play()
            return nil
        } catch { return (error as? PlaybackError)?.kind.exitCode }
    }

    private func clip() -> PlayRequest {
        var request = Rig.request("book.m4b", start: .beginning)
        request.owner = OwnerID("clip-viewer-1")
        request.engine = EngineID("clip")
        request.clip = ClipRange(start: .seconds(10), end: .seconds(12.5), loops: false, name: "10,12.5")
        request.handsBack = true
        return request
    }

    @Test func `a pause while the item is looked up loads it without sound`() async throws {
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        await controller.pause()
        rig.gate.open("resolve")
        try await play
        let state = await controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b" && state.phase == .ready && state.intent == .pause)
        #expect(!rig.tape.lines.contains { $0.hasPrefix("output: open") })
        try await controller.resume()
        #expect(rig.tape.lines.contains { $0.hasPrefix("output: open book.m4b") })
    }

    @Test func `a toggle while the item is looked up pauses it, and does not play the previous one`() async throws {
        try await controller.play(Rig.request("first.m4b"))
        await controller.pause()
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        try await controller.toggle()
        #expect(await controller.snapshot().state.status == .paused)
        async let again: Void = controller.toggle()
        await rig.until { await controller.joinedCount > 0 }
        async let resumed: Void = controller.resume()
        await rig.until { await controller.joinedCount == 2 }
        rig.gate.open("resolve")
        _ = try await (play, again, resumed)
        let state = await controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b" && state.status == .playing)
        #expect(!rig.tape.lines.contains("output: resume"))
    }

    @Test func `moves while the item is looked up set its start`() async throws {
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        try await controller.seek(.chapter(1))
        try await controller.skip(forward: true)
        try await controller.seek(.chapter(98))
        rig.gate.open("resolve")
        try await play
        await rig.tape.wait(for: "ffmpeg: seek 0:75000 (2)")
        #expect(rig.tape.lines.filter { $0.hasPrefix("output: open") } == ["output: open book.m4b at rate 1.0 (2)"])
        await rig.tape.wait(for: "store: book.m4b 75000 (user)")
        #expect(
            rig.log.entries.contains { entry in
                if case .string(let text)? = entry.fields["message"] { text.contains("no chapter 99") } else { false }
            })
    }

    @Test func `moves while the item is opened set its start`() async throws {
        rig.gate.close("load")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.tape.wait(for: "ffmpeg: load")
        try await controller.seek(.seconds(40))
        try await controller.skip(forward: false)
        try await controller.seek(.nextChapter)
        rig.gate.open("load")
        try await play
        await rig.tape.wait(for: "ffmpeg: seek 0:50000 (2)")
        #expect(await controller.snapshot().position?.units == 50_000)
    }

    @Test func `a play that was stopped or replaced during its look-up is not reported as begun`() async throws {
        rig.gate.close("resolve")
        async let stopped = code { try await controller.play(Rig.request("first.m4b")) }
        await rig.gate.isReached("resolve")
        await controller.stop()
        async let replaced = code { try await controller.play(Rig.request("second.m4b")) }
        await rig.gate.isReached("resolve", by: 2)
        async let last = code { try await controller.play(Rig.request("book.m4b")) }
        await rig.gate.isReached("resolve", by: 3)
        rig.gate.open("resolve")
        let codes = await [stopped, replaced, last]
        #expect(codes == [75, 75, nil])
        #expect(await controller.snapshot().state.current?.item.uri == "book.m4b")
    }

    @Test func `a clip that ends meanwhile does not cancel the item being looked up`() async throws {
        try await controller.play(Rig.request("first.m4b"))
        try await controller.play(clip())
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        try await controller.release(OwnerID("clip-viewer-1"))
        rig.gate.open("resolve")
        try await play
        let state = await controller.snapshot().state
        #expect(state.owner == .main && state.current?.item.uri == "book.m4b" && state.status == .playing)
    }

    @Test func `stop of another owner's clip does not cancel the item being looked up`() async throws {
        try await controller.play(Rig.request("first.m4b"))
        try await controller.play(clip())
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        await controller.stop(owner: OwnerID("clip-viewer-1"))
        rig.gate.open("resolve")
        try await play
        let state = await controller.snapshot().state
        #expect(state.owner == .main && state.current?.item.uri == "book.m4b" && state.status == .playing)
    }

    @Test func `a toggle of another owner's clip pauses the clip, not the item being looked up`() async throws {
        try await controller.play(clip())
        rig.gate.close("resolve")
        async let play = code { try await controller.play(Rig.request("book.m4b")) }
        await rig.gate.isReached("resolve")
        try await controller.toggle(owner: OwnerID("clip-viewer-1"))
        let state = await controller.snapshot().state
        #expect(state.owner == OwnerID("clip-viewer-1") && state.intent == .pause && state.lookUp != nil)
        rig.gate.open("resolve")
        #expect(await play == nil)
        #expect(await controller.snapshot().state.current?.item.uri == "book.m4b")
    }

    @Test func `rate and volume of what gets focus back do not go to the item being looked up`() async throws {
        try await controller.play(Rig.request("first.m4b"))
        try await controller.play(clip())
        try await controller.setVolume(0.3)
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        try await controller.release(OwnerID("clip-viewer-1"))
        #expect(await controller.snapshot().state.lookUp?.volume == nil)
        rig.gate.open("resolve")
        try await play
        #expect(await controller.snapshot().state.volume == 1)
    }

    @Test func `a failed look-up is an error that names the item, and resume tries again`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(7_000)
        await controller.stop()
        await rig.tape.wait(for: "store: book.m4b 7000")
        let tape = Tape()
        let next = MediaPlaybackController(
            engines: FakeEngines(tape: tape), outputs: OneOutput(output: FakeOutput(tape: tape)), store: rig.store,
            resolver: FakeResolver(), log: rig.log)
        rig.store.set(failsLookup: true)
        #expect(await code { try await next.play(Rig.request("book.m4b")) } == 74)
        let state = await next.snapshot().state
        #expect(state.status == .error && state.current?.item.uri == "book.m4b" && state.error?.kind == .io)
        #expect(await code { try await next.resume() } == 74)
        #expect(await code { try await next.toggle() } == 74)
        #expect(await code { try await next.switchEngine(to: EngineID("clip")) } == 74)
        #expect(!tape.lines.contains { $0.contains(": load") }, "it never starts at 0")
        rig.store.set(failsLookup: false)
        try await next.resume()
        #expect(tape.lines.contains { $0.hasPrefix("ffmpeg: load book.m4b at 0:7000") })
        #expect(await next.snapshot().state.status == .playing)
    }
}

extension MediaPlaybackController {
    /// The number of commands that wait for the same coming item as its `play`.
    var joinedCount: Int { machine.state.lookUp?.joined.count ?? 0 }
}

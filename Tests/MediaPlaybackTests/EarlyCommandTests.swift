// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PlaybackCore
import Testing
import TransitionRecords

@testable import MediaPlayback

/// Commands other than a pause and a move, while the item that they are for is still looked up.
extension `Early intents` {
    private func options(_ set: (inout ResumeOptions) -> Void) -> ResumeOptions {
        var options = ResumeOptions()
        set(&options)
        return options
    }

    /// Returns a session that knows `first.m4b` as the last item, and has nothing open.
    private func nextSession() async throws -> Rig { try await rig.next(knowing: "first.m4b") }

    private func joined(_ count: Int) async {
        while await controller.joinedCount != count, !Task.isCancelled { await Task.yield() }
    }

    @Test func `a seek during a look-up sets the start of that item, not of the previous one`() async throws {
        let next = try await nextSession()
        next.gate.close("resolve")
        async let play = code { try await next.controller.play(Rig.request("book.m4b")) }
        await next.gate.isReached("resolve")
        try await next.controller.goTo(.seconds(60))
        next.gate.open("resolve")
        #expect(await play == nil)
        await next.tape.wait(for: "ffmpeg: seek 0:60000")
        #expect(!next.tape.lines.contains { $0.contains("first.m4b") })
        #expect(await next.controller.snapshot().state.current?.item.uri == "book.m4b")
    }

    @Test func `a seek that asks what was played last is given up for an item that is played meanwhile`() async throws {
        let next = try await nextSession()
        rig.gate.close("lastItem")
        async let early = code { try await next.controller.goTo(.seconds(60)) }
        await rig.gate.isReached("lastItem")
        async let play = code { try await next.controller.play(Rig.request("book.m4b")) }
        #expect(await early == PlaybackError.Kind.busy.exitCode)
        rig.gate.open("lastItem")
        #expect(await play == nil)
        #expect(!next.tape.lines.contains { $0.contains("first.m4b") || $0.contains("60000") })
    }

    @Test func `play without an item applies speed, volume and end to the item being looked up`() async throws {
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        async let again: Void = controller.resume(
            lastOf: .audio,
            options {
                $0.rate = 1.5
                $0.volume = 0.5
                $0.until = .seconds(60)
            })
        await joined(1)
        rig.gate.open("resolve")
        _ = try await (play, again)
        let state = await controller.snapshot().state
        #expect(state.rate == 1.5 && state.volume == 0.5)
        #expect(rig.tape.lines.contains("output: open book.m4b at rate 1.5 (1)"))
        #expect(await controller.items[opening: "book.m4b"].limit == .seconds(60))
    }

    @Test func `read without an item reads the text, even while a book is looked up`() async throws {
        try await controller.play(Rig.request("article.txt"))
        await controller.stop()
        rig.gate.close("resolve")
        async let play = code { try await controller.play(Rig.request("book.m4b")) }
        await rig.gate.isReached("resolve")
        async let read = code { try await controller.resume(lastOf: .text) }
        await rig.tape.wait(for: "output: open article.txt at rate 1.0 (3)")
        rig.gate.open("resolve")
        #expect(await play == 75)
        #expect(await read == nil)
        #expect(await controller.snapshot().state.current?.item.uri == "article.txt")
    }

    @Test func `speed and volume set while a book is looked up apply to that book`() async throws {
        try await controller.play(Rig.request("first.m4b"))
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("resolve")
        try await controller.setRate(2)
        try await controller.setVolume(0.25)
        rig.gate.open("resolve")
        try await play
        var state = await controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b" && state.rate == 2 && state.volume == 0.25)
        try await controller.play(Rig.request("first.m4b"))
        state = await controller.snapshot().state
        #expect(state.rate == 1 && state.volume == 1)
    }

    @Test func `an engine chosen while an item is looked up opens that item`() async throws {
        try await controller.play(Rig.request("first.m4b"))
        rig.gate.close("resolve")
        async let play = code { try await controller.play(Rig.request("book.m4b")) }
        await rig.gate.isReached("resolve")
        async let engine = code { try await controller.switchEngine(to: EngineID("other")) }
        await joined(1)
        rig.gate.open("resolve")
        #expect(await play == nil)
        #expect(await engine == nil)
        #expect(rig.tape.lines.contains { $0.hasPrefix("other: load book.m4b") })
        #expect(!rig.tape.lines.contains { $0.hasPrefix("other: load first.m4b") })
    }

    @Test(arguments: ["espeak", "clip"])
    func `an engine that has nothing to play does not affect the item being looked up`(_ engine: String) async throws {
        rig.gate.close("resolve")
        async let play = code { try await controller.play(Rig.request("book.m4b")) }
        await rig.gate.isReached("resolve")
        let refused = await code { try await controller.switchEngine(to: EngineID(engine)) }
        rig.gate.open("resolve")
        #expect(await play == nil)
        #expect(refused == 69)
        #expect(await controller.snapshot().state.current?.engine == EngineID("ffmpeg"))
    }

    @Test func `a toggle by an owner whose item is looked up pauses that item, not what plays`() async throws {
        let kitchen = OwnerID("kitchen")
        try await controller.play(Rig.request("first.m4b"))
        var request = Rig.request("book.m4b")
        request.owner = kitchen
        rig.gate.close("resolve")
        async let play: Void = controller.play(request)
        await rig.gate.isReached("resolve")
        try await controller.toggle(owner: kitchen)
        #expect(await controller.snapshot().state.intent == .play)
        rig.gate.open("resolve")
        try await play
        let state = await controller.snapshot().state
        #expect(state.owner == kitchen && state.current?.item.uri == "book.m4b" && state.intent == .pause)
        // Without audio focus, the owner's next turn is meant.
        try await controller.play(Rig.request("first.m4b"))
        try await controller.toggle(owner: kitchen)
        #expect(await controller.snapshot().state.owner == kitchen)
    }

    @Test func `a sleep timer set while an item is looked up applies to that item`() async throws {
        rig.gate.close("resolve")
        async let play: Void = controller.play(Rig.request("book.m4b", start: .at(.seconds(60))))
        await rig.gate.isReached("resolve")
        #expect(await code { try await controller.sleep(.chapter(nil)) } == nil)
        rig.gate.open("resolve")
        try await play
        while await controller.snapshot().sleep?.remaining == nil, !Task.isCancelled { await Task.yield() }
        let timer = await controller.snapshot().state.sleep
        #expect(timer?.end == .place(MediaPosition(track: 0, units: 100_000)))
        #expect(timer?.setAt.item.uri == "book.m4b")
    }

    @Test func `a load that was overtaken does not report its item as open`() async throws {
        rig.gate.close("load first.m4b")
        rig.gate.close("load second.m4b")
        async let first = code { try await controller.play(Rig.request("first.m4b")) }
        await rig.gate.isReached("load first.m4b")
        async let second = code { try await controller.play(Rig.request("second.m4b")) }
        await rig.gate.isReached("load second.m4b")
        #expect(await first == 75)
        rig.gate.open("load second.m4b")
        #expect(await second == nil)
        // The results of the older load are late.
        rig.gate.open("load first.m4b")
        while !rig.log.entries.contains(where: {
            $0.fields["event"] == "loaded" && $0.fields["generation"] == .int(1)
        }) { await Task.yield() }
        #expect(await controller.snapshot().media?.content.uri == "second.m4b")
        try await controller.play(Rig.request("first.m4b"))
        #expect(rig.tape.lines.filter { $0.hasPrefix("ffmpeg: load first.m4b") }.count == 2, "\(rig.tape.lines)")
        #expect(!rig.tape.lines.contains { $0.hasPrefix("ffmpeg: seek") })
    }

    @Test func `a load whose item was given up meanwhile does not report it as open`() async throws {
        rig.gate.close("load first.m4b")
        async let first = code { try await controller.play(Rig.request("first.m4b")) }
        await rig.gate.isReached("load first.m4b")
        await controller.stop()
        #expect(await first == 75)
        rig.gate.open("load first.m4b")
        await rig.tape.wait(for: "ffmpeg: unload")
        try await controller.play(Rig.request("first.m4b"))
        #expect(rig.tape.lines.filter { $0.hasPrefix("ffmpeg: load first.m4b") }.count == 2, "\(rig.tape.lines)")
    }
}

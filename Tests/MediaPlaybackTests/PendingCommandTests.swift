// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import PlaybackCore
import Synchronization
import Testing

@testable import MediaPlayback

/// Commands that cannot be carried out before the library, the history or the device has answered.
@Suite(.timeLimit(.minutes(1))) struct `A pending command` {
    let rig = Rig(history: FakeHistory())
    var controller: MediaPlaybackController { rig.controller }

    private func failure(of command: () async throws -> Void) async -> PlaybackError.Kind? {
        do {
            try await command()
            return nil
        } catch { return (error as? PlaybackError)?.kind }
    }

    /// Returns a session whose library knows `book.m4b` at 20 s, and does not answer until the gate `lastItem` opens.
    private func nextSession() async throws -> Rig {
        let next = try await rig.next(knowing: "book.m4b")
        rig.gate.close("lastItem")
        return next
    }

    /// Seeks from 12 s to 60 s; the jump is not stored until the gate `save` opens, and an undo waits for that.
    private func seekWithoutSaving() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(12_000)
        rig.gate.close("save")
        try await controller.seek(.seconds(60))
    }

    @Test func `of a device that does not answer holds up no other command`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(30_000)
        rig.gate.close("heard")
        await controller.pause()
        try await controller.resume()
        #expect(await controller.machine.state.intent == .play)
        try await controller.setRate(2)
        try await controller.claim(OwnerID("clip-viewer-1"))
        #expect(await controller.machine.state.held.last?.playing?.position == at(30_000))
        try await controller.release(OwnerID("clip-viewer-1"))
        #expect(await controller.machine.state.owner == .main)
        rig.gate.open("heard")
    }

    @Test(arguments: [true, false])
    func `resume is silent after a pause, and returns`(_ toggles: Bool) async throws {
        let next = try await nextSession()
        async let resume: Void = toggles ? next.controller.toggle() : next.controller.resume()
        await rig.gate.isReached("lastItem")
        await next.controller.pause()
        rig.gate.open("lastItem")
        try await resume
        let state = await next.controller.snapshot().state
        #expect(state.current?.position == at(20_000) && state.intent == .pause && state.stream == .closed)
        #expect(!next.tape.lines.contains { $0.hasPrefix("output: open") })
    }

    @Test func `resume is given up by a stop`() async throws {
        let next = try await nextSession()
        async let resume = failure { try await next.controller.resume() }
        await rig.gate.isReached("lastItem")
        await next.controller.stop()
        #expect(await resume == .busy)
        rig.gate.open("lastItem")
        await next.controller.settle()
        #expect(await next.controller.snapshot().state.current == nil)
    }

    @Test func `resume takes a move, a rate and a sleep timer that came meanwhile`() async throws {
        let next = try await nextSession()
        async let resume: Void = next.controller.resume()
        await rig.gate.isReached("lastItem")
        try await next.controller.seek(.seconds(60))
        try await next.controller.setRate(2)
        try await next.controller.sleep(.book)
        rig.gate.open("lastItem")
        try await resume
        await next.tape.wait(for: "ffmpeg: seek 0:60000")
        let state = await next.controller.snapshot().state
        #expect(state.current?.position == at(60_000) && state.rate == 2 && state.sleep?.end == .book)
    }

    @Test func `undo is given up by a later play`() async throws {
        try await seekWithoutSaving()
        let controller = controller
        async let undo = failure { try await controller.undo() }
        await rig.until { await controller.machine.state.lookUp != nil }
        async let play = failure { try await controller.play(Rig.request("other.m4b")) }
        #expect(await undo == .busy)
        #expect(await play == nil)
        rig.gate.open("save")
        #expect(try await controller.history(limit: 9).allSatisfy { !$0.isUndone })
        #expect(await controller.snapshot().state.current?.item.uri == "other.m4b")
    }

    @Test func `play is what an undo takes back first, and nothing else`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(12_000)
        try await controller.seek(.seconds(60))
        rig.gate.close("resolve")
        async let play = failure { try await controller.play(Rig.request("other.m4b")) }
        await rig.gate.isReached("resolve")
        try await controller.undo()
        #expect(await play == .busy)
        rig.gate.open("resolve")
        let state = await controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b" && state.current?.position == at(60_000))
    }

    @Test func `seek counts from where the one before it leads`() async throws {
        rig.engines.files.withLock { $0 = 3 }
        try await controller.play(Rig.request("book.m4b"))
        rig.gate.close("describe")
        async let first: Void = controller.seek(.seconds(110))
        await rig.gate.isReached("describe")
        await controller.pause()
        #expect(await controller.machine.state.intent == .pause, "a pause does not wait for the engine")
        rig.gate.open("describe")
        try await first
        #expect(await controller.snapshot().state.current?.position == MediaPosition(track: 1, units: 10_000))
    }

    @Test func `undo takes no command from what plays`() async throws {
        try await seekWithoutSaving()
        let controller = controller
        async let undo = failure { try await controller.undo() }
        await rig.until { await controller.machine.state.lookUp != nil }
        try await controller.setVolume(0.25)
        try await controller.sleep(.duration(milliseconds: 60_000))
        await controller.pause()
        try await controller.resume()
        try await controller.toggle()
        let state = await controller.machine.state
        #expect(state.volume == 0.25 && state.sleep != nil && state.intent == .pause && state.lookUp != nil)
        rig.gate.open("save")
        #expect(await undo == nil)
        await rig.tape.wait(for: "ffmpeg: seek 0:12000")
        #expect(await controller.snapshot().state.intent == .pause)
    }

    @Test func `seek after an absolute one counts from there`() async throws {
        rig.engines.files.withLock { $0 = 3 }
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(5_000)
        rig.gate.close("describe")
        async let first: Void = controller.seek(.seconds(110))
        await rig.gate.isReached("describe")
        async let second: Void = controller.skip(forward: true)
        await rig.until { await controller.machine.state.seeks.count == 2 }
        rig.gate.open("describe")
        _ = try await (first, second)
        let position = await controller.snapshot().state.current?.position
        #expect(position == MediaPosition(track: 2, units: 15_000), "\(position as Any) \(rig.tape.lines)")
    }

    @Test func `toggle pauses what loads, whatever the output has yet to tell`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(5_000)
        rig.gate.close("pause")
        rig.gate.close("load other.m4b")
        async let play: Void = controller.play(Rig.request("other.m4b"))
        await rig.until { await controller.machine.state.phase == .loading }
        try await controller.toggle()
        #expect(await controller.machine.state.intent == .pause)
        rig.gate.open("pause")
        rig.gate.open("load other.m4b")
        try await play
        #expect(await controller.snapshot().state.intent == .pause)
    }

    @Test func `play at a place that does not exist leaves what plays as it is, on its output`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.output.hear(5_000)
        var options = ResumeOptions()
        options.start = .chapter(99)
        options.output = "another"
        let failure = await failure { try await controller.resume(lastOf: .audio, options) }
        #expect(failure == .noInput)
        let state = await controller.snapshot().state
        #expect(state.isPlaying && state.lookUp == nil && !rig.tape.lines.contains("output: close"))
    }

    @Test func `sleep timer for an item that is not found is set for what goes on`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        rig.gate.close("resolve")
        async let play = failure { try await controller.play(Rig.request("missing.m4b")) }
        await rig.gate.isReached("resolve")
        try await controller.sleep(.duration(milliseconds: 60_000))
        #expect(await controller.machine.state.sleep == nil)
        rig.gate.open("resolve")
        #expect(await play == .noInput)
        #expect(await controller.machine.state.sleep?.end == .time)
    }
}

private func at(_ units: Int64) -> MediaPosition { MediaPosition(track: 0, units: units) }

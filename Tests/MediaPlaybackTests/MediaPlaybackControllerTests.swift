// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import MediaPlayback
import PlaybackCore
import Testing
import TransitionRecords

@Suite(.timeLimit(.minutes(1))) struct `The controller` {
    @Test func `plays: the engine starts, loads, and only then the session becomes active`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(
            rig.tape.lines == [
                "ffmpeg: start", "ffmpeg: discard before 1", "ffmpeg: load book.m4b at 0:0 (1)",
                "output: open book.m4b at rate 1.0 (1)",
            ])
        let snapshot = await rig.controller.snapshot()
        #expect(snapshot.state.status == .playing)
        #expect(snapshot.isSessionActive)
    }

    @Test func `starts no engine and no session before something is to be played`() async {
        let rig = Rig()
        _ = await rig.controller.installedEngines()
        let snapshot = await rig.controller.snapshot()
        #expect(rig.tape.lines.isEmpty)
        #expect(!snapshot.isSessionActive)
        #expect(snapshot.position == nil)
    }

    @Test func `a pause saves the audible position, and resume continues there`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(12_345)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.m4b 12345 (heard)")
        try await rig.controller.resume()
        await rig.tape.wait(for: "output: resume")
        #expect(await rig.controller.snapshot().state.status == .playing)
    }

    @Test func `book, text, book: the text is read at once, and the book returns by a seek`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(30_000)
        try await rig.controller.play(Rig.request("article.txt"))
        await rig.tape.wait(for: "store: book.m4b 30000")
        rig.output.hear(40)
        try await rig.controller.switchEngine(to: EngineID("ffmpeg"))
        await rig.tape.wait(for: "output: open book.m4b at rate 1.0 (3)")
        let engines = rig.tape.lines.filter { $0.hasPrefix("ffmpeg") || $0.hasPrefix("espeak") }
        #expect(
            engines == [
                "ffmpeg: start", "ffmpeg: discard before 1", "ffmpeg: load book.m4b at 0:0 (1)", "espeak: start",
                "espeak: discard before 2", "espeak: load article.txt at 0:0 (2)", "ffmpeg: discard before 3",
                "ffmpeg: seek 0:30000 (3)",
            ])
        await rig.tape.wait(for: "store: article.txt 40 (heard)")
    }

    @Test func `play and read without an item bring back the last of their kind, even in a new session`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(777)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 777")
        await rig.controller.shutDown()

        let output = FakeOutput(tape: rig.tape)
        let next = MediaPlaybackController(
            engines: FakeEngines(tape: rig.tape), outputs: OneOutput(output: output), store: rig.store,
            resolver: FakeResolver(), log: rig.log)
        try await next.resume(lastOf: .audio)
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:777")
        await #expect(throws: PlaybackError.self) { try await next.resume(lastOf: .text) }
    }

    @Test func `a start by chapter is resolved when the item is open, before anything sounds`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b", start: .at(.chapter(1))))
        await rig.tape.wait(for: "ffmpeg: seek 0:50000 (2)")
        #expect(rig.tape.lines.filter { $0.hasPrefix("output: open") } == ["output: open book.m4b at rate 1.0 (2)"])
    }

    @Test func `a missing chapter is an error of one line`() async {
        let rig = Rig()
        do throws(PlaybackError) {
            try await rig.controller.play(Rig.request("book.m4b", start: .at(.chapter(8))))
            Issue.record("played chapter 9 of 2")
        } catch {
            #expect(error == PlaybackError(.noInput, message: "no chapter 9: “book.m4b” has 2"))
        }
    }

    @Test func `skips count book time from the audible position`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(40_000)
        try await rig.controller.seek(.relative(25))
        await rig.tape.wait(for: "ffmpeg: seek 0:65000 (2)")
        #expect(rig.tape.lines.contains("output: reposition (2)"))
        await rig.tape.wait(for: "store: book.m4b 65000 (user)")
    }

    @Test func `an engine that was started for an item that never arrives ends`() async {
        var settings = PlaybackSettings()
        settings.engineIdle = .zero
        let rig = Rig(failsLookup: true, settings: settings)
        await #expect(throws: PlaybackError.self) { try await rig.controller.play(Rig.request("book.m4b")) }
        await rig.tape.wait(for: "ffmpeg: shut down")
    }

    @Test func `a process that is restarted for an item that is left meanwhile ends`() async throws {
        var settings = PlaybackSettings()
        settings.engineIdle = .zero
        let rig = Rig(settings: settings)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.gate.close("start ffmpeg")
        rig.engines.report(.gone(EngineError(.crashed, message: "signal 9"), leavesSound: false))
        await rig.gate.isReached("start ffmpeg")
        try await rig.controller.play(Rig.request("words.txt"))
        rig.gate.open("start ffmpeg")
        await rig.tape.wait(for: "ffmpeg: shut down")
    }

    @Test func `a saved place with an invalid timestamp is still resumed`() async throws {
        let rig = Rig()
        try await rig.store.save(
            SavedPlace(
                owner: .main, uri: "book.m4b", kind: .audio, engine: EngineID("ffmpeg"),
                position: MediaPosition(track: 0, units: 30_000), provenance: .heard, updatedAt: .min), durably: true)
        try await rig.controller.play(Rig.request("book.m4b"))
        // The timestamp counts as a very long pause.
        await rig.tape.wait(for: "ffmpeg: seek 0:0")
    }

    @Test func `an engine with native rates renders again from the audible position`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("article.txt"))
        rig.output.hear(50)
        try await rig.controller.setRate(3)
        await rig.tape.wait(for: "espeak: seek 0:50 (2)")
        await rig.tape.wait(for: "output: rate 1.2")
        #expect(rig.tape.lines.contains("espeak: rate 2.5"))
    }

    @Test func `a place that cannot be looked up is not overwritten by a start at 0`() async {
        let rig = Rig(failsLookup: true)
        do throws(PlaybackError) {
            try await rig.controller.play(Rig.request("book.m4b"))
            Issue.record("started without a place")
        } catch {
            #expect(error.kind == .io)
            #expect(error.message.contains("--from-start"))
        }
        #expect(!rig.tape.lines.contains { $0.hasPrefix("ffmpeg: load") })
        await #expect(throws: Never.self) { try await rig.controller.play(Rig.request("book.m4b", start: .beginning)) }
    }

    /// The kind of an engine's failure, and the `sysexits.h` exit code that it becomes.
    static let failures: [(engine: EngineError.Kind, exit: Int32)] = [
        (.badContent, 65), (.noInput, 66), (.io, 74), (.unknownVoice, 69), (.timedOut, 74), (.crashed, 70),
        (.failed, 70), (.unavailable, 69), (.refused, 77), (.usage, 64), (.misbehaved, 70), (.neverReady, 70),
        (.interrupted, 75),
    ]

    @Test(arguments: failures)
    func `a failed load is reported with the exit code of its kind, and the session lives on`(
        code: (engine: EngineError.Kind, exit: Int32)
    ) async throws {
        let failure = EngineError(code.engine, message: "it went wrong")
        let rig = Rig(failures: [EngineID("ffmpeg"): failure])
        do throws(PlaybackError) {
            try await rig.controller.play(Rig.request("book.m4b"))
            Issue.record("played")
        } catch {
            #expect(error.kind.exitCode == code.exit && error.message == failure.message)
        }
        #expect(await rig.controller.snapshot().state.status == .idle)
        #expect(await rig.controller.snapshot().state.error?.kind.exitCode == code.exit)
        try await rig.controller.play(Rig.request("article.txt"))
        #expect(await rig.controller.snapshot().state.status == .playing)
    }

    @Test func `without any output the error names what was tried`() async {
        let rig = Rig(outputFailure: OutputError(.unavailable, source: "pa_context_connect", message: "no PulseAudio"))
        do throws(PlaybackError) {
            try await rig.controller.play(Rig.request("book.m4b"))
            Issue.record("played into nothing")
        } catch {
            #expect(error == PlaybackError(.unavailable, message: "no PulseAudio"))
        }
        let failed = rig.log.entries.contains { entry in
            entry.kind == .session && entry.fields["errorSource"] == .string("pa_context_connect")
        }
        #expect(failed)
    }

    @Test func `an engine that dies during playback is restarted at the audible position`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(8000)
        rig.engines.report(.gone(EngineError(.crashed, message: "signal 11"), leavesSound: false))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:8000 (2)")
        await rig.tape.wait(for: "output: open book.m4b at rate 1.0 (2)")
    }

    @Test func `sound that a dead engine had rendered is heard first, while another process gets ready`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(8_000)
        rig.engines.report(.gone(EngineError(.crashed, message: "signal 11"), leavesSound: true))
        await rig.tape.wait(for: "ffmpeg: prewarm")
        #expect(await rig.controller.snapshot().state.status == .playing)
        rig.output.hear(13_000)
        rig.output.report.yield(.starved(generation: 1))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:13000 (2)")
        await rig.tape.wait(for: "output: open book.m4b at rate 1.0 (2)")
    }

    @Test func `a seek does not wait for the sound that a dead engine had rendered`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(8_000)
        rig.engines.report(.gone(EngineError(.crashed, message: "signal 11"), leavesSound: true))
        await rig.tape.wait(for: "ffmpeg: prewarm")
        try await rig.controller.seek(.seconds(70))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:70000")
    }

    @Test func `another item for a dead engine starts a new process`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.engines.report(.gone(EngineError(.crashed, message: "signal 11"), leavesSound: true))
        await rig.tape.wait(for: "ffmpeg: prewarm")
        try await rig.controller.play(Rig.request("other.m4b"))
        #expect(rig.tape.lines.filter { $0 == "ffmpeg: start" }.count == 2)
    }

    @Test func `a process that gets ready for a dead engine is ended when another item plays`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.engines.report(.gone(EngineError(.crashed, message: "signal 11"), leavesSound: true))
        await rig.tape.wait(for: "ffmpeg: prewarm")
        try await rig.controller.play(Rig.request("article.txt"))
        await rig.tape.wait(for: "ffmpeg: end spare")
    }

    @Test func `a process that gets ready for a dead engine is ended by a stop`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.engines.report(.gone(EngineError(.crashed, message: "signal 11"), leavesSound: true))
        await rig.tape.wait(for: "ffmpeg: prewarm")
        await rig.controller.stop()
        await rig.tape.wait(for: "ffmpeg: end spare")
    }

    @Test func `input that ends its engine twice costs a second of sound`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(8_000)
        let error = EngineError(.crashed, message: "signal 11")
        rig.engines.report(.gone(error, leavesSound: true))
        await rig.tape.wait(for: "ffmpeg: prewarm")
        rig.output.report.yield(.starved(generation: 1))
        await rig.tape.wait(for: "output: open book.m4b at rate 1.0 (2)")
        rig.output.hear(8_000)
        rig.engines.report(.gone(error, leavesSound: true))
        await rig.until { rig.tape.lines.count { $0 == "ffmpeg: prewarm" } >= 2 }
        rig.output.report.yield(.starved(generation: 2))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:9000 (3)")
        let told = rig.log.entries.contains { $0.fields["action"] == .string("stepOver") }
        #expect(told)
    }

    @Test func `a last item that cannot be stored is logged`() async throws {
        let rig = Rig()
        rig.store.set(failsLookup: true)
        try await rig.controller.play(Rig.request("book.m4b", start: .beginning))
        await rig.controller.shutDown()
        let told = rig.log.entries.filter { $0.fields["action"] == "remember" }.map {
            [$0.fields["item"], $0.fields["result"], $0.fields["errorMessage"]]
        }
        #expect(told == [["book.m4b", "failed", "the disk is gone"]])
    }

    @Test func `the sound rendered before an engine failed is heard before the failure counts`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        let changes = await rig.controller.observe()
        let error = EngineError(.badContent, message: "damaged")
        rig.engines.report(.failed(generation: 1, error, leavesSound: true))
        await rig.until { rig.log.entries.contains(where: { $0.fields["action"] == "failed" }) }
        #expect(await rig.controller.snapshot().state.status == .playing)
        rig.output.report.yield(.starved(generation: 1))
        for await change in changes { if case .finished = change { break } }
        let events = rig.log.entries.filter { $0.kind == .event }.compactMap { $0.fields["event"] }
        #expect(events.suffix(2) == ["starved", "engineFailed"], "\(events)")
        #expect(await rig.controller.snapshot().state.error?.message == "damaged")
    }

    @Test func `the end is reported to attached clients, and the place is marked as finished`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        var changes = await rig.controller.observe().makeAsyncIterator()
        rig.output.report.yield(.ended(generation: 1))
        var last: PlaybackChange?
        while let change = await changes.next() {
            last = change
            if case .finished = change { break }
        }
        #expect(last == .finished(uri: "book.m4b", nil))
        await rig.tape.wait(for: "store: book.m4b 0 finished")
    }

    @Test func `every event and decision is recorded with its command`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.controller.pause()
        let events = rig.log.entries.filter { $0.kind == .event }.compactMap { $0.fields["event"] }
        #expect(events.prefix(3) == ["lookUp", "play", "loaded"])
        // The output reports the first sound independently of its answer to `open`: either may come first.
        #expect(events.filter { ["started", "pause"].contains($0) } == ["started", "pause"], "\(events)")
        let transitions = rig.log.entries.filter { $0.kind == .transition }.map {
            "\($0.from ?? .null) → \($0.to ?? .null)"
        }
        #expect(transitions.count == 3, "\(transitions)")
        #expect(rig.log.entries.allSatisfy { $0.kind == .session || $0.command != nil })
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import BookTimeline
import JSON
import PassageMap
import PlaybackCore
import Synchronization
import Testing
import TransitionRecords

@testable import MediaPlayback

/// What is missing at the beginning, or where the recording is begun.
@Suite(.timeLimit(.minutes(1))) struct `A gap at which a recording begins` {
    /// A book of three files whose first one is missing; the others are 20 and 70 s long.
    private func lacking() throws -> FakeWorks {
        var works = try FakeWorks()
        (works.lengths, works.present) = ([10_000, 20_000, 70_000], [1, 2])
        return works
    }

    private func rig(_ works: FakeWorks) -> Rig {
        let rig = Rig(works: works)
        rig.engines.files.withLock { $0 = works.present.count }
        return rig
    }

    @Test func `is read from the text, and then the recording goes on`() async throws {
        let rig = rig(try lacking())
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt", "before anything is heard")
        #expect(!rig.tape.lines.contains { $0.hasPrefix("output: open book.m4b") }, "\(rig.tape.lines)")
        #expect(await rig.position == 0)
        rig.output.hear(8)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.controller.snapshot().position == .start)
        rig.output.hear(3_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.m4b 3000")
        #expect(rig.tape.lines.count { $0.contains("load book.txt") } == 1, "it is read once")
    }

    @Test func `is read again from the beginning, and not if a chapter is chosen or the listener goes back`()
        async throws
    {
        let rig = rig(try lacking())
        try await rig.controller.play(Rig.request("book.m4b", start: .at(.chapter(0))))
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.m4b")
        rig.output.hear(3_000)
        try await rig.controller.seek(.seconds(0))
        await rig.isAudible(2)
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.m4b")
        try await rig.controller.play(Rig.request("book.m4b", start: .beginning))
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
    }

    @Test func `begins with the missing text when the listener goes on in the text`() async throws {
        let clock = HandClock()
        let rig = Rig(wallClock: clock, works: try lacking())
        rig.engines.files.withLock { $0 = 2 }
        try await rig.controller.play(Rig.request("book.m4b", start: .at(.seconds(5))))
        rig.output.hear(5_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 5000")
        clock.advance(seconds: 10)
        try await rig.controller.play(Rig.request("book.txt", start: .at(.position(.start))))
        rig.output.hear(4)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.txt 4")
        clock.advance(seconds: 10)
        // What was heard last was the missing file's text, so it goes on there.
        try await rig.controller.resume(lastOf: .audio)
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
        #expect(await rig.position == 0, "the sentence in which it was left")
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.position == 0)
    }

    @Test func `is left out if its text cannot be read`() async throws {
        let failure = EngineError(.badContent, message: "no text")
        let rig = Rig(failures: [EngineID("espeak"): failure, EngineID("neural"): failure], works: try lacking())
        rig.engines.files.withLock { $0 = 2 }
        _ = try? await rig.controller.play(Rig.request("book.m4b"))
        await rig.hears("book.m4b")
        #expect(await rig.position == 0)
    }

    @Test func `is read from the first known place on, as much as is said in the time`() throws {
        var works = try lacking()
        // Only the files that are there were compared.
        works.map = PassageMap([
            .init(sound: 10..<13, text: 21..<25, grade: .aligned, error: 0.2),
            .init(sound: 13..<17.5, text: 25..<30, grade: .aligned, error: 0.2),
        ])
        var work = works.known
        #expect(work.missingFiles().map(\.text) == [9..<21], "\(work.missingFiles())")
        // Whatever is before the sound of the first word is no gap.
        work.map = PassageMap([.init(sound: 40..<100, text: 21..<30, grade: .aligned, error: 0.2)])
        #expect(work.missingFiles() == [])
    }

    @Test func `is read if damage is reported there`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.report(damage: 0..<14_000)
        await rig.hears("book.txt")
        #expect(!rig.tape.lines.contains { $0.hasPrefix("ffmpeg: seek") }, "at once, and not by the watchdog")
        #expect(await rig.position == 0)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.position == 28_333, "behind the sentence that is cut")
    }

    @Test func `is read before anything is heard if damage is reported as the recording is opened`() async throws {
        let rig = Rig(works: try FakeWorks())
        rig.gate.close("load book.m4b")
        async let play: Void = rig.controller.play(Rig.request("book.m4b"))
        await rig.gate.isReached("load book.m4b")
        await rig.report(damage: 0..<14_000)
        await rig.until { await rig.controller.items.gaps.earlyDamage == 1 }
        rig.gate.open("load book.m4b")
        try await play
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
        #expect(!rig.tape.lines.contains { $0.hasPrefix("output: open book.m4b") }, "\(rig.tape.lines)")
    }

    @Test func `is waited for 5 s in all, also if damage is reported meanwhile`() async throws {
        var works = try lacking()
        let (clock, reading) = (ManualClock(), Gate())
        works.gate = reading
        reading.close("work")
        let rig = Rig(clock: clock, works: works)
        rig.engines.files.withLock { $0 = 2 }
        async let play: Void = rig.controller.play(Rig.request("book.m4b"))
        await reading.isReached("work")
        await rig.report(damage: 0..<14_000)
        await reading.isReached("work", by: 2)
        // The load has a clock, and the wait has one.
        await rig.until { clock.sleepers >= 2 }
        clock.advance(by: .seconds(5))
        await rig.tape.wait(for: "output: open book.m4b")
        reading.open("work")
        try await play
    }

    @Test func `is waited for, whatever damage is reported behind it`() {
        var gaps = RecordingGaps()
        let first = Task<Void, Never> {}
        gaps.note(Task<Void, Never> {}, of: 0..<14_000, in: 0, generation: 1)
        gaps.note(first, of: 0..<14_000, in: 0, generation: 2)
        gaps.note(Task<Void, Never> {}, of: 40_000..<50_000, in: 0, generation: 2)
        #expect(gaps.searches(of: .start, generation: 2) == [first])
        #expect(gaps.searches(of: .start, generation: 1) == [])
    }

    @Test func `is read where the listener stopped before it`() async throws {
        var works = try FakeWorks()
        (works.lengths, works.present) = ([10_000, 20_000, 70_000], [0, 2])
        let rig = rig(works)
        try await rig.controller.play(
            Rig.request("book.m4b", start: .at(.position(MediaPosition(track: 0, units: 10_000)))))
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
        #expect(await rig.position == 9)
    }
}

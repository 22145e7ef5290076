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

/// A file of a recording that is there, and that no engine can open.
@Suite(.timeLimit(.minutes(1))) struct `A file that cannot be opened` {
    /// A resolver of recordings of three files.
    private struct FilesResolver: ItemResolving {
        /// Holds, as “text”, whoever looks the text up.
        var gate = Gate()
        var lacksText = false

        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            var item = try await FakeResolver().resolve(request)
            guard item.content.kind == .audio else {
                await gate.pass("text")
                if lacksText { throw ItemError(.missing, "no such file: book.txt") }
                return item
            }
            item.content.tracks = (1...3).map { .file(path: "\($0).mp3") }
            return item
        }
    }

    /// A book of three files of 10, 20 and 70 s, or of four of which the first is missing.
    private func rig(
        _ unopened: Set<Int>, failures: [EngineID: EngineError] = [:], lengths: [Int64] = [10_000, 20_000, 70_000],
        clock: any Clock<Duration> = ContinuousClock(), reading: Gate? = nil,
        resolver: FilesResolver = FilesResolver()
    ) throws -> Rig {
        var works = try FakeWorks()
        (works.lengths, works.present) = (lengths, Array((0..<lengths.count).suffix(3)))
        works.gate = reading
        let rig = Rig(
            failures: failures, measuring: FakeEngine.Measuring(unopened: unopened), clock: clock, works: works,
            resolver: resolver)
        rig.engines.files.withLock { $0 = 3 }
        return rig
    }

    /// Leaves the recording at a place, where it could still be opened.
    private func leave(_ rig: Rig, at position: MediaPosition) async throws {
        try await rig.store.save(
            SavedPlace(
                owner: .main, uri: "book.m4b", kind: .audio, engine: EngineID("ffmpeg"), position: position,
                provenance: .heard, updatedAt: 1_700_000_000_000), durably: true)
    }

    @Test func `is read from the text, and then the recording goes on`() async throws {
        let rig = try rig([0])
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
        #expect(await rig.position == 0)
        #expect(rig.log.entries.contains { $0.fields["message"] == "cannot open file 1" }, "and it says why")
        rig.output.hear(8)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.controller.snapshot().position == MediaPosition(track: 1, units: 0))
        #expect(rig.tape.lines.count { $0.contains("load book.txt") } == 1, "it is read once")
    }

    @Test func `is read together with a missing one before it`() async throws {
        let rig = try rig([0], lengths: [10_000, 20_000, 30_000, 40_000])
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(await rig.position == 0)
        rig.output.hear(20)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.controller.snapshot().position == MediaPosition(track: 1, units: 0))
    }

    @Test func `is followed by another one`() async throws {
        let rig = try rig([0, 1])
        try await rig.controller.play(Rig.request("book.m4b", start: .beginning))
        rig.output.hear(8)
        await rig.end()
        await rig.tape.wait(for: "espeak: seek 0:9")
        await rig.hears("book.txt")
        rig.output.hear(20)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.controller.snapshot().position == MediaPosition(track: 2, units: 0))
    }

    @Test func `is read from where it was left`() async throws {
        let rig = try rig([1])
        try await leave(rig, at: MediaPosition(track: 1, units: 10_000))
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
        #expect(await rig.position == 9, "the sentence that was being said")
    }

    @Test func `is read in the middle of the recording, where its engine leaves it out`() async throws {
        let rig = try rig([1])
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(5_000)
        await rig.report(damage: 0..<0, in: 1)
        await rig.tape.wait(for: "output: limit 1:0")
        rig.output.hear(10_000)
        await rig.end()
        await rig.hears("book.txt")
        #expect(await rig.position == 9)
        rig.output.hear(20)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.controller.snapshot().position == MediaPosition(track: 2, units: 0))
    }

    @Test func `is the end of the book if it is the last one`() async throws {
        let rig = try rig([2])
        try await leave(rig, at: MediaPosition(track: 2, units: 0))
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.hears("book.txt")
        #expect(await rig.position == 21)
        try await rig.controller.sleep(.book)
        rig.output.hear(29)
        await rig.end()
        await rig.until { await rig.controller.snapshot().state.sleep == nil }
        #expect(await rig.controller.snapshot().state.intent == .pause)
    }

    @Test func `ends where the listener wants`() async throws {
        let rig = try rig([0])
        var asked = Rig.request("book.m4b")
        asked.until = .seconds(60)
        try await rig.controller.play(asked)
        await rig.end()
        await rig.hears("book.m4b")
        let limit = await rig.controller.items[opening: "book.m4b"].limit
        #expect(limit == .position(MediaPosition(track: 2, units: 30_000)))
    }

    @Test(arguments: [PlayRequest.Start.at(.chapter(0)), .at(.fraction(0.1))])
    func `is an error for whoever chooses a part of it`(_ start: PlayRequest.Start) async throws {
        let rig = try rig([0])
        let error = await #expect(throws: PlaybackError.self) {
            try await rig.controller.play(Rig.request("book.m4b", start: start))
        }
        #expect(error?.kind == .badContent)
    }

    @Test func `is left out if its text cannot be read, and an error if nothing follows`() async throws {
        let failure = EngineError(.badContent, message: "no text")
        let failures = [EngineID("espeak"): failure, EngineID("neural"): failure]
        let first = try rig([0], failures: failures)
        _ = try? await first.controller.play(Rig.request("book.m4b"))
        await first.hears("book.m4b")
        #expect(await first.controller.snapshot().position == MediaPosition(track: 1, units: 0))
        let last = try rig([2], failures: failures)
        try await leave(last, at: MediaPosition(track: 2, units: 0))
        await #expect(throws: PlaybackError.self) { try await last.controller.play(Rig.request("book.m4b")) }
        #expect(await last.controller.snapshot().state.phase != .loading)
    }

    // MARK: What is reported

    private static let failure = "cannot open file 1"

    /// Plays an item, and returns what the command is told.
    private func outcome(_ rig: Rig, _ request: PlayRequest = Rig.request("book.m4b")) -> Task<PlaybackError?, Never> {
        Task {
            do throws(PlaybackError) {
                try await rig.controller.play(request)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func `is an error if its text is not read in 4 s`() async throws {
        let (clock, reading) = (ManualClock(), Gate())
        reading.close("work")
        let rig = try rig([0], clock: clock, reading: reading)
        let played = outcome(rig)
        await reading.isReached("work")
        // The load has a clock, and the reading has one.
        await rig.until { clock.sleepers >= 2 }
        clock.advance(by: .seconds(4))
        #expect(await played.value?.message == Self.failure)
        reading.open("work")
    }

    @Test func `is an error if its text is not found in time, and the text does not begin after that`() async throws {
        let (clock, resolver) = (ManualClock(), FilesResolver())
        resolver.gate.close("text")
        let rig = try rig([0], clock: clock, resolver: resolver)
        let played = outcome(rig)
        await resolver.gate.isReached("text")
        await rig.until { clock.sleepers > 0 }
        clock.advance(by: .seconds(10))
        #expect(await played.value?.message == Self.failure)
        #expect(await rig.controller.snapshot().state.lookUp == nil)
        #expect(!rig.tape.lines.contains { $0.hasPrefix("ffmpeg: shut down") }, "its engine has answered")
        resolver.gate.open("text")
    }

    @Test func `is an error if its text cannot be found, and the listener wants no more than that`() async throws {
        let rig = try rig([0], resolver: FilesResolver(lacksText: true))
        var asked = Rig.request("book.m4b")
        asked.until = .seconds(7)
        #expect(await outcome(rig, asked).value?.message == Self.failure)
    }

    @Test func `is an error if another command overtakes its text, and then finds nothing`() async throws {
        let resolver = FilesResolver()
        resolver.gate.close("text")
        let rig = try rig([0], resolver: resolver)
        let played = outcome(rig)
        await resolver.gate.isReached("text")
        #expect(await outcome(rig, Rig.request("missing.m4b")).value != nil)
        #expect(await played.value?.message == Self.failure)
        resolver.gate.open("text")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import BookTimeline
import PlaybackCore
import Synchronization
import Testing

@testable import MediaPlayback

/// What plays moves to other files of the same content, which another process opens beside it.
@Suite(.timeLimit(.minutes(1))) struct HotSwapTests {
    private static let streamed = "https://books.example/book.m4b"
    private static let local = ItemRequest(items: ["/books/book.m4b"], extensions: KnownExtensions(audio: []))
    private static let ffmpeg = EngineID("ffmpeg")

    /// The command, under way.
    private typealias Moving = Task<PlaybackError?, Never>

    private static func playing(
        settings: PlaybackSettings = PlaybackSettings(), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Rig {
        let rig = Rig(settings: settings, clock: clock)
        try await rig.controller.play(Rig.request(streamed))
        rig.output.hear(8_000)
        rig.output.read(9_000)
        return rig
    }

    private static func swap(_ rig: Rig, to request: ItemRequest = local) -> Moving {
        Task {
            do throws(PlaybackError) {
                try await rig.controller.swap(streamed, to: request)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Returns a rig in which the other files are open, and the stream may go on with them.
    private static func joining() async throws -> (Rig, Moving) {
        let rig = try await playing()
        let moving = swap(rig)
        await rig.until { await rig.controller.desk.beside?.joints != nil }
        return (rig, moving)
    }

    /// Returns a rig in which the other process opens the files.
    private static func preparing() async throws -> (Rig, Moving) {
        let rig = try await playing()
        rig.gate.close("load")
        let moving = swap(rig)
        await rig.gate.isReached("load")
        return (rig, moving)
    }

    private static func engines(_ rig: Rig) -> [FakeEngine] { rig.engines.started.withLock(\.self) }

    /// Returns whether this process is the one that plays.
    private static func plays(_ rig: Rig, _ engine: FakeEngine?) async -> Bool {
        await rig.controller.desk.pool[ffmpeg]?.engine as? FakeEngine === engine
    }

    /// Reads on until a process that was started later plays.
    private static func readOn(_ rig: Rig, until index: Int) async {
        await rig.until {
            rig.output.read(1)
            let engines = engines(rig)
            return await plays(rig, engines.indices.contains(index) ? engines[index] : nil)
        }
    }

    private static func isStreamed(_ rig: Rig) async -> Bool {
        let state = await rig.controller.snapshot().state
        let open = await rig.controller.desk[open: ffmpeg]
        return state.current?.item.items == [streamed] && open?.content.isRemote == true && state.loaded.swap == nil
            && state.isPlaying
    }

    private static let gone = EngineEvent.gone(
        EngineError(.crashed, message: "signal 11"), leavesSound: true,
        end: RenderedEnd(generation: 1, position: MediaPosition(track: 0, units: 14_000), wasIdle: false))

    @Test func `the sound goes on at the frame that is read next, and the files change only then`() async throws {
        let (rig, moving) = try await Self.joining()
        #expect(rig.tape.lines.contains("ffmpeg: load \(Self.streamed) at 0:8000 (0)"))
        #expect(rig.tape.lines.contains("ffmpeg: seek 0:9000 (1)"))
        #expect(await rig.controller.snapshot().state.current?.item.items == [Self.streamed])
        let before = await rig.controller.snapshot().state
        #expect(rig.output.read(500) == [9_000..<9_500])
        #expect(await moving.value == nil)
        let (first, second) = (Self.engines(rig)[0], Self.engines(rig)[1])
        #expect(await Self.plays(rig, second))
        #expect(await !Self.plays(rig, first))
        await rig.tape.wait(for: "ffmpeg: shut down")
        let state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == Self.streamed && state.current?.item.items == Self.local.items)
        #expect(!state.isRemote && state.generation == before.generation && state.isPlaying)
        #expect(await rig.controller.snapshot().media?.content.tracks == [.file(path: "/books/book.m4b")])
        #expect(!rig.tape.lines.contains { $0.hasPrefix("output: close") || $0.hasPrefix("output: pause") })
        // From now on the other process is asked, and the item keeps its name.
        try await rig.controller.seek(.seconds(70))
        await rig.tape.wait(for: "ffmpeg: seek 0:70000 (2)")
        rig.output.hear(20_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: \(Self.streamed) 20000")
    }

    @Test func `files that are not open in time are refused, and nothing is changed`() async throws {
        let clock = ManualClock()
        var settings = PlaybackSettings()
        settings.rules.stuckLimit = 10_000_000
        let rig = try await Self.playing(settings: settings, clock: clock)
        rig.gate.close("load")
        let sleepers = clock.sleepers
        let moving = Self.swap(rig)
        await rig.gate.isReached("load")
        await rig.until { clock.sleepers > sleepers }
        clock.advance(by: .milliseconds(7_999))
        #expect(await rig.controller.snapshot().state.loaded.swap?.stage == .preparing)
        await rig.until {
            clock.advance(by: .milliseconds(1))
            return await rig.controller.snapshot().state.loaded.swap == nil
        }
        #expect(await moving.value?.kind == .io)
        await rig.tape.wait(for: "ffmpeg: shut down")
        rig.gate.open("load")
        #expect(await Self.isStreamed(rig))
    }

    @Test(arguments: [(98_400, false), (98_500, true), (101_500, true), (101_501, false)])
    func `files that are off by more than a second and a half are refused`(_ length: Int64, _ fits: Bool) async throws {
        let rig = try await Self.playing()
        rig.engines.length.withLock { $0 = length }
        let moving = Self.swap(rig)
        if fits { await Self.readOn(rig, until: 1) }
        #expect(await moving.value?.kind == (fits ? nil : .badContent))
        #expect(await Self.isStreamed(rig) == !fits)
    }

    @Test func `other items, parts and other numbers of files are refused before anything starts`() async throws {
        let rig = try await Self.playing()
        let two = ItemRequest(items: ["/books/1.mp3", "/books/2.mp3"], extensions: KnownExtensions(audio: []))
        #expect(await Self.swap(rig, to: two).value?.kind == .badContent)
        let text = ItemRequest(items: ["/books/book.txt"], extensions: KnownExtensions(audio: []))
        #expect(await Self.swap(rig, to: text).value?.kind == .badContent)
        await #expect(throws: PlaybackError.self) { try await rig.controller.swap("other.m4b", to: Self.local) }
        #expect(Self.engines(rig).count == 1)
        #expect(await Self.isStreamed(rig))
    }

    @Test func `a seek that comes while the files are opened is made where it plays, and joined there`() async throws {
        let (rig, moving) = try await Self.preparing()
        try await rig.controller.seek(.seconds(70))
        await rig.tape.wait(for: "ffmpeg: seek 0:70000 (2)")
        await rig.isAudible(2)
        #expect(rig.output.read(300) == [70_000..<70_300])
        rig.gate.open("load")
        await rig.until { await rig.controller.desk.beside?.joints != nil }
        #expect(rig.tape.lines.contains("ffmpeg: seek 0:70300 (2)"))
        #expect(rig.output.read(300) == [70_300..<70_600])
        #expect(await moving.value == nil)
    }

    @Test func `a seek that comes before the joint goes to the other process`() async throws {
        let (rig, moving) = try await Self.joining()
        try await rig.controller.seek(.seconds(70))
        #expect(await moving.value == nil)
        await rig.tape.wait(for: "ffmpeg: seek 0:70000 (2)")
        #expect(rig.output.read(300) == [70_000..<70_300])
        #expect(await Self.plays(rig, Self.engines(rig)[1]))
        #expect(await rig.controller.snapshot().state.current?.item.items == Self.local.items)
        // Another one can follow.
        let again = Self.swap(rig)
        await Self.readOn(rig, until: 2)
        #expect(await again.value == nil)
        #expect(await Self.plays(rig, Self.engines(rig)[2]))
    }

    @Test func `a pause keeps the place, and the sound resumes in the other files`() async throws {
        let (rig, moving) = try await Self.preparing()
        await rig.controller.pause()
        rig.gate.open("load")
        #expect(await moving.value == nil, "it is ready, and waits for the pause to end")
        await rig.until { await rig.controller.desk.beside?.joints != nil }
        #expect(await rig.controller.snapshot().state.current?.item.items == [Self.streamed])
        try await rig.controller.resume()
        #expect(rig.output.read(500) == [9_000..<9_500])
        await rig.until { await rig.controller.snapshot().state.current?.item.items == Self.local.items }
        #expect(await Self.plays(rig, Self.engines(rig)[1]))
    }

    @Test func `a process that ends before it is heard is given up, and nothing is changed`() async throws {
        for start in [Self.preparing, Self.joining] {
            let (rig, moving) = try await start()
            Self.engines(rig)[1].report.yield(Self.gone)
            #expect(await moving.value?.kind == .defect)
            rig.gate.open("load")
            await rig.tape.wait(for: "ffmpeg: died")
            #expect(rig.output.read(500) == [9_000..<9_500])
            #expect(await Self.isStreamed(rig))
            #expect(await Self.plays(rig, Self.engines(rig)[0]))
        }
    }

    @Test func `a process that ends right after the joint is followed like any that plays`() async throws {
        let (rig, moving) = try await Self.joining()
        let second = Self.engines(rig)[1]
        rig.output.read(500)
        second.report.yield(Self.gone)
        #expect(await moving.value == nil)
        await rig.tape.wait(for: "ffmpeg: start in place")
        await rig.tape.wait(for: "ffmpeg: load \(Self.streamed) at 0:14000 (1)")
        await rig.until { await rig.controller.desk.pool[Self.ffmpeg]?.fallen == nil }
        #expect(await rig.controller.desk.pool[Self.ffmpeg]?.loaded?.isRemote == false)
    }

    @Test func `an engine that ends before the joint leaves the sound to the other process`() async throws {
        let (rig, moving) = try await Self.joining()
        Self.engines(rig)[0].report.yield(Self.gone)
        await rig.tape.wait(for: "ffmpeg: died")
        #expect(rig.output.read(500) == [9_000..<9_500])
        #expect(await moving.value == nil)
        #expect(!rig.tape.lines.contains { $0.hasPrefix("ffmpeg: start in place") })
        #expect(await Self.plays(rig, Self.engines(rig)[1]))
        #expect(await rig.controller.snapshot().state.attempt == 0)
    }

    @Test func `an engine that ends while the files are opened is followed, and then left`() async throws {
        let (rig, moving) = try await Self.preparing()
        Self.engines(rig)[0].report.yield(Self.gone)
        await rig.tape.wait(for: "ffmpeg: start in place")
        rig.gate.open("load")
        await rig.until {
            rig.output.read(1)
            return await rig.controller.snapshot().state.current?.item.items == Self.local.items
        }
        #expect(await moving.value == nil)
        #expect(await rig.controller.snapshot().state.current?.item.items == Self.local.items)
        #expect(await Self.plays(rig, Self.engines(rig)[1]))
    }

    @Test func `a stop or another item gives it up at any time, and ends its process`() async throws {
        for start in [Self.preparing, Self.joining] {
            for plays in [true, false] {
                let (rig, moving) = try await start()
                let other = plays ? Task { try? await rig.controller.play(Rig.request("other.m4b")) } : nil
                if !plays { await rig.controller.stop() }
                #expect(await moving.value?.kind == .busy)
                await rig.tape.wait(for: "ffmpeg: shut down")
                rig.gate.open("load")
                await other?.value
                #expect(await rig.controller.desk.beside == nil)
                #expect(await rig.controller.snapshot().state.current?.item.uri == (plays ? "other.m4b" : nil))
            }
        }
    }

    @Test func `files without sound at that place are given up while the present ones go on`() async throws {
        let rig = try await Self.playing()
        let moving = Self.swap(rig)
        await rig.until { await rig.controller.desk.beside?.joints != nil }
        Self.engines(rig)[1].sound.render(1, from: nil)
        for report in 1...3 {
            #expect(rig.output.read(100).first?.lowerBound == Int64(8_900 + report * 100))
            await rig.controller.handle(
                .heard(generation: 1, MediaPosition(track: 0, units: Int64(8_000 + report * 100))))
        }
        #expect(await moving.value?.kind == .io)
        #expect(await Self.isStreamed(rig))
    }

    @Test func `a session that ends ends the process beside it`() async throws {
        let (rig, moving) = try await Self.joining()
        await rig.controller.shutDown()
        #expect(rig.tape.lines.count { $0 == "ffmpeg: shut down" } == 2)
        await rig.controller.stop()
        #expect(await moving.value?.kind == .busy)
    }
}

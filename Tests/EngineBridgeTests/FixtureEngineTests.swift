// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

extension EngineBridgeTests {
    /// Tests of rules that need an engine with configurable behaviour, wherever it runs.
    @Suite(.timeLimit(.minutes(1)))
    struct FixtureEngineTests {
        let reactor: EngineReactor

        init() throws { reactor = try EngineReactor() }

        private func load(
            _ content: Content, _ hosting: TestHosting
        ) async throws -> (engine: HostedEngine, media: MediaDescription) {
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor)
            return (engine, try await engine.load(LoadRequest(content)))
        }

        @Test(arguments: TestHosting.allCases)
        func `ten thousand chapters and a thousand tracks arrive`(_ hosting: TestHosting) async throws {
            let (engine, media) = try await load(fixture("chapters", tracks: 1000), hosting)
            #expect(media.chapters.count == 10_000)
            #expect(media.chapters.last?.start == 9_999)
            #expect(media.nativeRates == 0.25...4)
            #expect(media.tracks.count == 1000)
            #expect(media.tracks[0].timeline.duration == 200_000)
            let all = try await engine.describeAll()
            #expect(all.tracks.map(\.timeline.duration) == (0..<1000).map { 200_000 + $0 })
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `tracks that were not opened are described when there is nothing else to do`(_ hosting: TestHosting)
            async throws
        {
            let (engine, media) = try await load(fixture(tracks: 4), hosting)
            #expect(media.tracks.map(\.timeline.duration) == [200_000, nil, nil, nil])
            var described: [Int: Int64?] = [:]
            for await event in engine.events {
                guard case .track(let index, let track) = event else { continue }
                described[index] = track.timeline.duration
                if described.count == 3 { break }
            }
            #expect(described == [1: 200_001, 2: 200_002, 3: 200_003])
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `early room in the ring does not stop later measurements`(
            _ hosting: TestHosting
        ) async throws {
            var deadlines = EngineDeadlines()
            deadlines.measureLater = .seconds(5)
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor, deadlines: deadlines)
            // It is more than the ring holds, so the engine waits for room and gets it.
            _ = try await engine.load(LoadRequest(fixture(tracks: 4)))
            _ = try await engine.describeAll()
            for _ in 0..<20 { _ = engine.source.take() }
            // The rest from here on fits.
            engine.source.discard(before: 2)
            try await engine.seek(to: MediaPosition(track: 3, units: 150_000), generation: 2)
            #expect(try await engine.measureLater(track: 1) == 200_001)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `a track that cannot be described does not stop the others`(_ hosting: TestHosting) async throws {
            let (engine, _) = try await load(fixture("bad-track", tracks: 4), hosting)
            let all = try await engine.describeAll()
            #expect(all.tracks.map(\.timeline.duration) == [200_000, 200_001, nil, 200_003])
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `the engine reads the file that the session opened`(_ hosting: TestHosting) async throws {
            let path = try FixtureModule.temporaryFolder() + "/file"
            try Data((0..<5000).map { UInt8($0 % 251) }).write(to: URL(fileURLWithPath: path))
            let descriptor = SharedDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
            // The offset belongs to the client.
            lseek(descriptor.rawValue, 3000, SEEK_SET)
            for source in [TrackSource.file(path: path), .descriptor(descriptor, name: "file")] {
                let (engine, media) = try await load(fixture("source", source: source), hosting)
                #expect(media.tracks[0].timeline.duration == 5000)
                var position: Int64 = 0
                while let block = engine.source.take() {
                    #expect(block.first == Float(position % 251))
                    position = block.positionEnd
                    if block.isEnd { break }
                }
                #expect(position == 5000)
                await engine.shutDown()
            }
        }

        @Test func `only regular files are handed to an engine`() async throws {
            let folder = try FixtureModule.temporaryFolder()
            mkfifo(folder + "/fifo", 0o600)
            let rows: [(String, Int32, String)] = [
                (folder + "/absent", -201, "cannot open \(folder)/absent: No such file or directory"),
                (folder, -301, "\(folder) is a folder, not a file to play"),
                (folder + "/fifo", -301, "\(folder)/fifo is not a regular file"),
                ("/dev/null", -301, "/dev/null is not a regular file"),
            ]
            let engine = try HostedEngine(FixtureModule.launch(), reactor: reactor)
            // They are not even opened, because opening a device can be a command to it.
            let watch = inotify_init1(Int32(O_NONBLOCK))
            defer { close(watch) }
            #expect(inotify_add_watch(watch, folder + "/fifo", 0x20 /* IN_OPEN */) >= 0)
            for (path, code, message) in rows {
                let request = LoadRequest(fixture("source", source: .file(path: path)))
                let error = await failure { () throws(EngineError) in _ = try await engine.load(request) }
                #expect(error == EngineError(number: code, message: message))
            }
            var seen = [UInt8](repeating: 0, count: 4096)
            #expect(read(watch, &seen, seen.count) < 0)
            let request = LoadRequest(fixture("source", source: .url("http://localhost/x", headers: ["A: b"])))
            let error = await failure { () throws(EngineError) in _ = try await engine.load(request) }
            #expect(error?.message == "http://localhost/x")
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `a seek interrupts a render that waits`(_ hosting: TestHosting) async throws {
            let (engine, _) = try await load(fixture("wait-render"), hosting)
            #expect(engine.source.take()?.position == 0)
            for generation in UInt32(2)...30 {
                engine.source.discard(before: generation)
                try await engine.seek(to: .start, generation: generation)
                #expect(engine.source.take()?.generation == generation)
            }
            await engine.shutDown()
            #expect(engine.isGone)
        }

        @Test(arguments: TestHosting.allCases)
        func `a load is interrupted by the next one`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor)
            async let first = failure { () throws(EngineError) in
                _ = try await engine.load(LoadRequest(fixture("wait-load")))
            }
            for await event in engine.events {
                if case .log(_, "waiting") = event { break }
            }
            async let second = failure { () throws(EngineError) in
                _ = try await engine.load(LoadRequest(fixture(), generation: 2))
            }
            #expect(await first?.number == -105)
            #expect(await second == nil)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `a measurement is exact, and one that waits can be interrupted`(_ hosting: TestHosting) async throws {
            let (engine, _) = try await load(fixture(tracks: 2), hosting)
            #expect(try await engine.measure(track: 1) == 200_001)
            try await engine.setRate(2)
            _ = try await engine.load(LoadRequest(fixture("wait-measure"), generation: 2))
            async let measured = failure { () throws(EngineError) in _ = try await engine.measure(track: 0) }
            try await engine.seek(to: .start, generation: 3)
            async let again = failure { () throws(EngineError) in try await engine.seek(to: .start, generation: 4) }
            _ = await again
            // Whichever came first, the measurement ends with the content at the latest.
            await engine.unload()
            let outcome = await measured
            #expect(outcome?.number == -105 || outcome?.number == -101)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `a failed render is reported once, with its generation, and a seek continues`(_ hosting: TestHosting)
            async throws
        {
            let (engine, _) = try await load(fixture("fail-render"), hosting)
            let told = await engine.firstEvent { event -> (UInt32, EngineError)? in
                if case .failed(let generation, let error, true) = event { (generation, error) } else { nil }
            }
            #expect(told?.0 == 1)
            #expect(told?.1 == EngineError(number: -401, message: "cannot decode"))
            #expect(engine.source.take()?.position == 0)
            engine.source.discard(before: 2)
            try await engine.seek(to: .start, generation: 2)
            #expect(engine.source.take()?.generation == 2)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `marks arrive with their generation before their sound`(_ hosting: TestHosting) async throws {
            let (engine, _) = try await load(fixture("marks"), hosting)
            #expect(engine.source.take() != nil)
            let mark = await engine.firstEvent { event -> [Int64]? in
                guard case .mark(let generation, .word, let position, let length) = event else { return nil }
                return [Int64(generation), position, length]
            }
            #expect(mark == [1, 0, 10])
            await engine.shutDown()
        }

        @Test(arguments: ["lie-frames", "lie-position", "lie-far", "lie-track", "empty-render"], TestHosting.allCases)
        func `an engine that breaks the contract in a block is ended`(_ mode: String, _ hosting: TestHosting)
            async throws
        {
            let (engine, _) = try await load(fixture(mode), hosting)
            #expect(await engine.fate()?.kind == .misbehaved)
        }

        @Test(arguments: TestHosting.allCases, [1, 1.5])
        func `a sample that is NaN is silence in the output`(
            _ hosting: TestHosting, _ rate: Double
        ) async throws {
            let (engine, media) = try await load(fixture("nan"), hosting)
            let renderer = StreamRenderer(
                source: engine.source, format: media.tracks[0].format, generation: 1,
                settings: StreamSettings(rate: rate), aheadFrames: 48_000)
            var samples = [Float](repeating: .nan, count: 4_800)
            var heard = 0
            var worst = 0
            while true {
                let rendered = renderer.render(into: &samples, frames: samples.count)
                worst += samples.prefix(rendered.frames).count { !$0.isFinite }
                heard += rendered.frames
                renderer.heard(upTo: renderer.written)
                if rendered.condition == .ended { break }
                if rendered.condition == .starved { try #require(engine.source.waitForSound()) }
            }
            #expect(worst == 0 && heard >= Int(190_000 / rate))
            await engine.shutDown()
        }

        @Test(
            arguments: ["lie-tracks", "lie-chapters", "lie-rate", "lie-pace", "lie-units", "lie-length"],
            TestHosting.allCases)
        func `an impossible description fails the load`(_ mode: String, _ hosting: TestHosting) async throws {
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor)
            let request = LoadRequest(fixture(mode))
            let error = await failure { () throws(EngineError) in _ = try await engine.load(request) }
            #expect(error?.kind == .misbehaved)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `sound does not wait for slow descriptions of tracks`(_ hosting: TestHosting) async throws {
            var deadlines = EngineDeadlines()
            deadlines.describe = .milliseconds(50)
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor, deadlines: deadlines)
            // It is more than the ring holds, so that room has to be noticed while a description is pending.
            _ = try await engine.load(LoadRequest(fixture("wait-track", tracks: 4)))
            let error = await failure { () throws(EngineError) in _ = try await engine.describeAll() }
            #expect(error?.kind == .timedOut)
            #expect(!engine.isGone)
            var frames: Int64 = 0
            while let block = engine.source.take() {
                frames += block.positionEnd - block.position
                if block.isEnd { break }
            }
            #expect(frames == 800_000)
            await engine.shutDown()
        }
    }
}

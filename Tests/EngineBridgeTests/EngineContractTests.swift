// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import Glibc
import MediaPlayback
import PlaybackCore
import Testing

extension EngineBridgeTests {
    /// Tests of what a controller may rely on, wherever the engine runs.
    @Suite(.timeLimit(.minutes(1)), .disabled(if: BuildProducts.isSanitized))
    struct EngineContractTests {
        let reactor: EngineReactor

        init() throws { reactor = try EngineReactor() }

        @Test(arguments: TestHosting.allCases)
        func `a load describes the content, and sound follows from its start`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(BuildProducts.tone(hosting), reactor: reactor)
            let media = try await engine.load(LoadRequest(tones()))
            #expect(media.title == "Tones")
            #expect(media.tracks.map(\.timeline.duration) == [480_000])
            #expect(media.tracks.map(\.timeline.confidence) == [.exact])
            #expect(media.tracks.map(\.format) == [AudioFormat(sampleRate: 48_000, channels: 1)])

            var position: Int64 = 0
            var index: Int64 = 0
            while let block = engine.source.take() {
                #expect(block.position == position)
                #expect(block.index == index)
                #expect(abs(block.first - 0.25 * sin(2 * .pi * 220 * Float(position) / 48_000)) < 0.01)
                index += block.positionEnd - position
                position = block.positionEnd
                if block.isEnd { break }
            }
            #expect(position == 480_000)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `a seek lands on the frame, and nothing older is heard after it`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(BuildProducts.tone(hosting), reactor: reactor)
            _ = try await engine.load(LoadRequest(tones(3)))
            var generation: UInt32 = 1
            var random = SystemRandomNumberGenerator()
            for _ in 0..<200 {
                generation += 1
                let place = MediaPosition(track: Int.random(in: 0..<3, using: &random), units: .random(in: 0..<400_000))
                engine.source.discard(before: generation)
                try await engine.seek(to: place, generation: generation)
                let block = try #require(engine.source.take())
                #expect(block.generation == generation)
                #expect(block.track == place.track && block.position == place.units)
            }
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `the last of many simultaneous seeks is heard`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(BuildProducts.tone(hosting), reactor: reactor)
            _ = try await engine.load(LoadRequest(tones()))
            engine.source.discard(before: 101)
            let outcomes = await withTaskGroup(of: Int32?.self, returning: [Int32?].self) { group in
                for number in 2...101 {
                    group.addTask {
                        await failure { () throws(EngineError) in
                            try await engine.seek(
                                to: MediaPosition(track: 0, units: Int64(number) * 100), generation: UInt32(number))
                        }?.number
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // Each was answered: done, or superseded by a later one.
            #expect(outcomes.count == 100)
            #expect(outcomes.allSatisfy { $0 == nil || $0 == -105 })
            try await engine.seek(to: MediaPosition(track: 0, units: 77), generation: 102)
            engine.source.discard(before: 102)
            #expect(engine.source.take()?.position == 77)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `tracks follow each other, and the end comes once`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(BuildProducts.tone(hosting), reactor: reactor)
            _ = try await engine.load(LoadRequest(tones(3), at: MediaPosition(track: 1, units: 470_000)))
            var heard: [HeardBlock] = []
            while let block = engine.source.take() {
                heard.append(block)
                if block.isEnd { break }
            }
            #expect(heard.first.map { [$0.position, Int64($0.track)] } == [470_000, 1])
            #expect(heard.last?.track == 2 && heard.last?.positionEnd == 480_000)
            #expect(heard.filter(\.isEnd).count == 1)
            for (before, after) in zip(heard, heard.dropFirst()) {
                #expect(after.position == (after.track == before.track ? before.positionEnd : 0))
            }
            #expect(!engine.source.arm())
            // After the end a seek plays again.
            engine.source.discard(before: 2)
            try await engine.seek(to: MediaPosition(track: 2, units: 479_000), generation: 2)
            #expect(engine.source.take()?.position == 479_000)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `one process serves one item after the other`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(BuildProducts.tone(hosting), reactor: reactor)
            for generation in UInt32(1)...20 {
                engine.source.discard(before: generation)
                let start = MediaPosition(track: 0, units: Int64(generation))
                _ = try await engine.load(LoadRequest(tones(), at: start, generation: generation))
                #expect(engine.source.take()?.position == Int64(generation))
                if generation % 3 == 0 { await engine.unload() }
            }
            await engine.unload()
            let error = await failure { () throws(EngineError) in try await engine.seek(to: .start, generation: 30) }
            #expect(error?.number == -101)
            await engine.shutDown()
            #expect(
                await failure { () throws(EngineError) in try await engine.seek(to: .start, generation: 31) } != nil)
        }

        @Test(arguments: TestHosting.allCases)
        func `content of the wrong kind is refused in the engine's words`(_ hosting: TestHosting) async throws {
            let engine = try HostedEngine(BuildProducts.tone(hosting), reactor: reactor)
            var text = tones()
            text.kind = .text
            let request = LoadRequest(text)
            let error = await failure { () throws(EngineError) in _ = try await engine.load(request) }
            #expect(error == EngineError(number: -301, message: "tones are audio, not text"))
            // The engine is still alive.
            _ = try await engine.load(LoadRequest(tones(), generation: 2))
            await engine.shutDown()
        }
    }
}

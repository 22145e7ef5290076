// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

extension EngineBridgeTests {
    /// Tests that what an engine leaves out of a damaged file is known before it is heard.
    @Suite(.timeLimit(.minutes(2)))
    struct DamagedFileTests {
        let reactor: EngineReactor

        init() throws { reactor = try EngineReactor() }

        /// A recording of 12 s, a part of whose sound is lost, as on a disk that returns zeros for what it cannot read.
        private func damaged(_ part: ClosedRange<Double>, of name: String = "faststart.m4b") throws -> Content {
            let fixtures = Process()
            fixtures.executableURL = URL(fileURLWithPath: FixtureModule.package + "/Tests/Fixtures/make-fixtures.sh")
            try fixtures.run()
            fixtures.waitUntilExit()
            try #require(fixtures.terminationStatus == 0)
            let whole = try Data(
                contentsOf: URL(fileURLWithPath: FixtureModule.package + "/.cache/fixtures/\(name)"))
            let path = try FixtureModule.temporaryFolder() + "/damaged-\(name)"
            // What describes the file comes before its sound.
            let sound = whole.firstRange(of: Data("mdat".utf8))?.upperBound ?? 0
            func byte(_ share: Double) -> Int { sound + Int(Double(whole.count - sound) * share) }
            let lost = byte(part.lowerBound)..<byte(part.upperBound)
            try (whole[..<lost.lowerBound] + Data(count: lost.count) + whole[lost.upperBound...]).write(
                to: URL(fileURLWithPath: path))
            return Content(uri: "file://\(path)", kind: .audio, tracks: [.file(path: path)], title: "damaged")
        }

        private func engine() throws -> HostedEngine {
            let module = BuildProducts.folder + "/libFFmpegEngine.so"
            return try HostedEngine(
                EngineLaunch(id: EngineID("ffmpeg"), module: module, hosting: TestHosting.isolated.launch),
                reactor: reactor)
        }

        private func damage(_ engine: HostedEngine, generation: UInt32) async -> Range<Int64>? {
            await engine.firstEvent { event in
                if case .damaged(generation, 0, let range) = event { range } else { nil }
            }
        }

        @Test(.disabled(if: BuildProducts.isSanitized))
        func `is told before it is heard, as the times in which nothing sounds`() async throws {
            let engine = try engine()
            let media = try await engine.load(LoadRequest(try damaged(0.2...0.5)))
            let rate = media.tracks[0].timeline.unitsPerSecond
            // Nothing was taken of the sound yet.
            let lost = try #require(await damage(engine, generation: 1))
            #expect((2...3).contains(Double(lost.lowerBound) / rate), "\(lost)")
            #expect((3...4.5).contains(Double(lost.count) / rate), "\(lost)")
            var end: Int64 = 0
            while let block = engine.source.take(), !block.isEnd {
                if block.position != end {
                    #expect(end == lost.lowerBound && block.position == lost.upperBound, "\(end) to \(block.position)")
                }
                end = block.positionEnd
            }
            #expect(Double(end) / rate > 11)
            await engine.shutDown()
        }

        /// MPEG audio has no time stamps: what is lost takes a frame at most, and nobody could tell it from the positions.
        @Test(.disabled(if: BuildProducts.isSanitized))
        func `is told as a place where the file has no times`() async throws {
            let engine = try engine()
            let media = try await engine.load(LoadRequest(try damaged(0.2...0.5, of: "cbr.mp3")))
            let lost = try #require(await damage(engine, generation: 1))
            #expect(lost.count <= 1152 && lost.lowerBound > 0, "\(lost)")
            var end: Int64 = 0
            while let block = engine.source.take(), !block.isEnd {
                #expect(block.position == end || end..<block.position == lost)
                end = block.positionEnd
            }
            #expect(end > lost.upperBound && Double(end) / media.tracks[0].timeline.unitsPerSecond > 1)
            await engine.shutDown()
        }

        /// The second file begins with a tag of 100 kB, as one with a cover does.
        @Test(.disabled(if: BuildProducts.isSanitized))
        func `is a few frames at most at a tag between two files that were joined`() async throws {
            let one = try damaged(0...0, of: "cbr.mp3")
            let path = try #require(URL(string: one.uri)).path
            let sound = try Data(contentsOf: URL(fileURLWithPath: path))
            // A size of 100,000 bytes, seven bits in each of four.
            let tag = Data("ID3".utf8) + Data([4, 0, 0, 0, 6, 13, 32]) + Data(repeating: 0x41, count: 100_000)
            try (sound + tag + sound).write(to: URL(fileURLWithPath: path))
            let engine = try engine()
            _ = try await engine.load(LoadRequest(one))
            var end: Int64 = 0
            while let block = engine.source.take(), !block.isEnd { end = block.positionEnd }
            #expect(end > 0)
            await engine.shutDown()
            // A decoder may fail at the tag, and lose a few frames there. Whether words are missing, only the text tells.
            for await event in engine.events {
                if case .damaged(_, _, let range) = event { #expect(range.count < 5 * 1152, "\(range)") }
            }
        }

        @Test(.disabled(if: BuildProducts.isSanitized))
        func `is told from the beginning, and from a place that was sought in it`() async throws {
            let engine = try engine()
            let media = try await engine.load(LoadRequest(try damaged(0...0.4)))
            let rate = media.tracks[0].timeline.unitsPerSecond
            let lost = try #require(await damage(engine, generation: 1))
            #expect(lost.lowerBound == 0 && (4...5.5).contains(Double(lost.count) / rate), "\(lost)")
            #expect(engine.source.take()?.position == lost.upperBound)
            engine.source.discard(before: 2)
            try await engine.seek(to: MediaPosition(track: 0, units: lost.upperBound / 2), generation: 2)
            #expect(await damage(engine, generation: 2) == lost.upperBound / 2..<lost.upperBound)
            engine.source.discard(before: 3)
            try await engine.seek(to: MediaPosition(track: 0, units: lost.upperBound), generation: 3)
            #expect(engine.source.take()?.position == lost.upperBound)
            await engine.shutDown()
        }
    }
}

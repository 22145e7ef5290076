// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    @Suite struct ClipEngineTests {
        private static let library = Result { () throws(ProbeFailure) in try EngineLibrary(product: "ClipEngine") }

        private func clip(_ file: String) throws -> EngineProbe {
            let probe = try EngineProbe(Self.library.get(), sources: [.file(Fixtures.path(file))])
            try probe.load()
            return probe
        }

        /// Returns the samples that the `ffmpeg` engine plays of a range.
        private func reference(_ file: String, _ range: Range<Int64>) throws -> [Float] {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            let channels = try probe.track().channels
            try probe.seek(position: range.lowerBound)
            let samples = try probe.renderAll(frames: range.count).samples
            return Array(samples.prefix(range.count * channels))
        }

        @Test(arguments: ["wav16.wav", "cbr.mp3", "vbr.mp3", "book.m4b", "flac16.flac"])
        func `both ends are exact to the frame`(_ file: String) throws {
            for range in [0..<1 as Range<Int64>, 0..<4_411, 12_345..<45_678, 44_099..<44_100] {
                let expected = try reference(file, range)
                let probe = try clip(file)
                try probe.setRange(range)
                try probe.seek(position: range.lowerBound)
                let rendering = try probe.renderAll()
                #expect(rendering.runs.map(\.start) == [range.lowerBound], "\(file) \(range)")
                #expect(rendering.trackEnds == [0: range.upperBound])
                #expect(rendering.samples == expected, "\(file) \(range)")
            }
        }

        @Test(arguments: ["wav16.wav", "book.m4b"])
        func `a loop continues at its start without a gap`(_ file: String) throws {
            let range: Range<Int64> = 10_000..<13_001
            let once = try reference(file, range)
            let probe = try clip(file)
            try probe.setRange(range, loops: true)
            try probe.seek(position: range.lowerBound)
            let samples = try probe.renderAll(frames: range.count * 4).samples
            #expect(Array(samples.prefix(once.count * 4)) == once + once + once + once)
        }

        @Test func `a seek outside the range goes to its start, and one inside is exact`() throws {
            let range: Range<Int64> = 10_000..<20_000
            let probe = try clip("wav16.wav")
            try probe.setRange(range)
            try probe.seek(position: 19_999)
            #expect(try probe.renderAll().frames == 1)
            try probe.seek(position: 10_001)
            #expect(try probe.renderAll().frames == 9_999)
        }

        /// The host renders ahead from the load on, so a range arrives while audio behind its end is being rendered.
        @Test(arguments: ["wav16.wav", "book.m4b"])
        func `a range takes effect at the next seek, and not before`(_ file: String) throws {
            let probe = try clip(file)
            let ahead = try probe.renderAll(frames: 30_000).runs.map(\.end).max() ?? 0
            try probe.setRange(1_000..<2_000)
            let behind = try probe.renderAll(frames: 5_000)
            #expect(behind.runs.map(\.start) == [ahead])
            #expect(behind.frames >= 5_000)
            try probe.seek(position: 1_000)
            // A range that was set meanwhile does not end it either.
            try probe.setRange(3_000..<3_500, loops: true)
            #expect(try probe.renderAll().trackEnds == [0: 2_000])
            try probe.seek(position: 3_000)
            #expect(try probe.renderAll(frames: 600).runs.first?.start == 3_000)
        }

        @Test func `a clip whose end lies behind the file ends with the file`() throws {
            let probe = try clip("wav16.wav")
            let length = try #require(try probe.track().duration)
            try probe.setRange(length - 100..<length + 44_100)
            try probe.seek(position: length - 100)
            let rendering = try probe.renderAll()
            #expect(rendering.frames == 100)
            #expect(rendering.hasEnded)
        }

        @Test func `a clip without length is refused, and a load forgets the range`() throws {
            let probe = try clip("wav16.wav")
            let refused = #expect(throws: ProbeFailure.self) { try probe.setRange(500..<500) }
            #expect(refused?.code == ROSTRUM_ERROR_ARGUMENT)
            try probe.setRange(500..<600)
            try probe.load()
            #expect(try probe.renderAll(keepingSamples: false).frames > 1_000)
        }
    }
}

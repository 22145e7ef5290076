// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    /// Tests that a seek gives exactly the samples that playing from the start gives there.
    @Suite struct SeekTests {
        struct Case: CustomTestStringConvertible, Sendable {
            var file: String
            /// The maximum error of a sample; codecs that depend on earlier audio come close, but not exact.
            var tolerance: Float
            var testDescription: String { file }
        }

        static let cases: [Case] = [
            ("wav16.wav", 0), ("wav24.wav", 0), ("float.wav", 0), ("aiff.aiff", 0), ("flac16.flac", 0),
            ("flac24.flac", 0), ("flac.ogg", 0), ("flac.mka", 0), ("alac.m4a", 0), ("wavpack.wv", 0),
            ("book.m4b", 1e-4), ("cover.m4a", 1e-4), ("fragments.mp4", 1e-4), ("video.mp4", 1e-4), ("plain.aac", 1e-4),
            ("matroska.mka", 1e-4), ("cbr.mp3", 1e-4), ("vbr.mp3", 1e-4), ("bare.mp3", 1e-4), ("mp3.mka", 1e-4),
            ("vorbis.ogg", 1e-4), ("vorbis.mka", 1e-4), ("speech.opus", 1e-4), ("opus.webm", 1e-4),
            ("wma.wma", 1e-4),
        ].map { Case(file: $0.0, tolerance: $0.1) }

        @Test(arguments: cases) func `seeking lands on the exact sample`(_ example: Case) throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(example.file))])
            try probe.load()
            let whole = try probe.renderAll()
            let all = whole.samples
            let end = Int64(all.count)
            #expect(whole.runs.count == 1)
            #expect(whole.runs.first?.start == 0)
            #expect(whole.trackEnds[0] == end)

            var random = SeededGenerator(seed: 7)
            var places: [Int64] = [0, 1, 1023, 1024, 1025, 5000, end / 2, end - 3000, end - 1, 44_100, 22_049]
            for _ in 0..<20 { places.append(Int64.random(in: 0..<end, using: &random)) }
            for place in places {
                try probe.seek(position: place)
                let heard = try probe.renderAll(frames: 3000)
                #expect(heard.runs.first?.start == place)
                let expected = all[Int(place)...].prefix(heard.frames)
                #expect(expected.count == heard.frames)
                #expect(heard.frames >= min(3000, Int(end - place)))
                let worst = zip(heard.samples, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
                #expect(worst <= example.tolerance, "at \(place) of \(end)")
            }
        }

        @Test(arguments: ["book.m4b", "vbr.mp3", "vorbis.ogg", "flac16.flac", "matroska.mka", "wma.wma"])
        func `a seek before anything was played lands on the exact sample`(_ file: String) throws {
            let reference = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try reference.load()
            let all = try reference.renderAll().samples
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load(start: 99_999)
            let heard = try probe.renderAll(frames: 2000)
            #expect(heard.runs.first?.start == 99_999)
            let worst = zip(heard.samples, all[99_999...]).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(worst <= 1e-4)
        }

        @Test(arguments: ["book.m4b", "bare.mp3", "plain.aac", "vorbis.ogg", "wav16.wav", "matroska.mka", "wma.wma"])
        func `seeking beyond the end goes to the end`(_ file: String) throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            try probe.seek(position: 1 << 40)
            let block = try probe.render()
            #expect(block.isEnd)
            #expect(block.frames == 0)
            try probe.seek(position: 100)
            #expect(try probe.render().position == 100)
        }
    }
}

/// A generator of the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    /// Tests that three files cut from one recording sound like that recording.
    @Suite struct GaplessTests {
        private static let lengths: [Int64] = [100_001, 150_013, 279_186]

        private func book(_ kind: String) throws -> [ProbeSource] {
            try (1...3).map { .file(try Fixtures.path("part\($0).\(kind)")) }
        }

        private func recording() throws -> [Float] {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path("wav16.wav"))])
            try probe.load()
            return try probe.renderAll().samples
        }

        @Test(arguments: ["wav", "flac"]) func `lossless parts equal the recording, sample by sample`(
            _ kind: String
        ) throws {
            let probe = try FFmpegEngineTests.probe(book(kind))
            try probe.load()
            let rendering = try probe.renderAll()
            #expect(rendering.runs.map(\.end) == Self.lengths)
            #expect(rendering.samples == (try recording()))
        }

        @Test(arguments: [("mp3", Float(0.09)), ("m4a", 0.2), ("ogg", 0.09)])
        func `lossy parts have the length of the recording and are in step with it`(
            _ kind: String, _ tolerance: Float
        ) throws {
            let probe = try FFmpegEngineTests.probe(book(kind))
            try probe.load()
            let rendering = try probe.renderAll()
            #expect(rendering.runs.map(\.end) == Self.lengths)
            for (index, length) in Self.lengths.enumerated() {
                let track = try probe.track(index)
                #expect(track.duration == length)
            }
            let original = try recording()
            let samples = rendering.samples
            var worst = Float(0)
            for joint in [100_001, 250_014] {
                for place in joint - 600..<joint + 600 {
                    worst = max(worst, abs(samples[place] - original[place]))
                }
            }
            #expect(worst < tolerance)
            // Behind each joint it is in step to the sample: any shift fits worse.
            for start in [0, 100_001, 250_014].map({ $0 + 2000 }) {
                let errors = (-6...6).map { shift in
                    (start..<start + 4000).reduce(0.0) { sum, place in
                        let error = Double(samples[place + shift] - original[place])
                        return sum + error * error
                    }
                }
                #expect(errors.min() == errors[6], "\(kind) behind \(start)")
            }
        }

        /// Returns a tag of ID3 version 2.4 with this much padding, or with a footer instead of that.
        private func tag(padding: Int) -> [UInt8] {
            let title: [UInt8] = Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 3, UInt8(ascii: "x")]
            let body = title + [UInt8](repeating: 0, count: padding)
            let size = (0..<4).reversed().map { UInt8(body.count >> (7 * $0) & 0x7f) }
            let rest: [UInt8] = [4, 0, padding == 0 ? 0x10 : 0] + size
            let footer = padding == 0 ? Array("3DI".utf8) + rest : []
            return Array("ID3".utf8) + rest + body + footer
        }

        @Test(arguments: [[], [0], [10_000], [0, 10_000], [10_000, 0]])
        func `the length in an MP3 is found behind tags, with and without a footer`(_ paddings: [Int]) throws {
            let file = try Fixtures.bytes("part1.mp3")
            try #require(file.starts(with: Array("ID3".utf8)))
            let audio = 10 + file[6..<10].reduce(0) { $0 << 7 | Int($1) }
            let bytes = paddings.flatMap { tag(padding: $0) } + file[audio...]
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: "tagged.mp3")])
            try probe.load()
            #expect(try probe.track(0).duration == Self.lengths[0])
            // Behind a seek, libavformat does not report the padding.
            try probe.seek(track: 0, position: 90_000)
            #expect(try probe.renderAll().runs.map(\.end) == [Self.lengths[0]])
        }

        @Test func `the next file is opened before the joint`() throws {
            let probe = try FFmpegEngineTests.probe(book("mp3"))
            try probe.load()
            let first = try probe.render()
            #expect(first.track == 0)
            #expect(!first.isTrackEnd)
            #expect(probe.openedTracks == [0, 1])
        }

        @Test func `only the files that are needed are opened in a book of a thousand files`() throws {
            let file = try Fixtures.path("wav16.wav")
            let probe = try FFmpegEngineTests.probe(Array(repeating: .file(file), count: 1000))
            try probe.load(startTrack: 500, start: 0)
            #expect(probe.openedTracks == [500])
            let track = try probe.track(900)
            #expect(track.duration == 529_200)
            _ = try probe.track(900)
            #expect(probe.openedTracks == [500, 900])
        }

        @Test func `a file that cannot be played is left out as damage`() throws {
            let part = try Fixtures.path("part1.wav")
            let probe = try FFmpegEngineTests.probe(
                [.file(part), .file(Fixtures.path("words.mp3")), .file(part)])
            try probe.load()
            let rendering = try probe.renderAll()
            #expect(rendering.hasDamage)
            #expect(rendering.trackEnds == [0: 100_001, 1: 0, 2: 100_001])
            #expect(throws: ProbeFailure.self) { try probe.seek(track: 1, position: 0) }
        }

        @Test func `the format may change from file to file`() throws {
            let probe = try FFmpegEngineTests.probe(
                [.file(Fixtures.path("speech.opus")), .file(Fixtures.path("wav24.wav"))])
            try probe.load()
            let rendering = try probe.renderAll()
            #expect(rendering.runs.map(\.sampleRate) == [48_000, 44_100])
            #expect(rendering.runs.map(\.end) == [576_000, 176_400])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    @Suite struct DescriptionTests {
        @Test(arguments: [
            ("book.m4b", "aac", ROSTRUM_CONFIDENCE_EXACT), ("cbr.mp3", "mp3", ROSTRUM_CONFIDENCE_CONTAINER),
            ("vbr.mp3", "mp3", ROSTRUM_CONFIDENCE_CONTAINER), ("vorbis.ogg", "vorbis", ROSTRUM_CONFIDENCE_EXACT),
            ("speech.opus", "opus", ROSTRUM_CONFIDENCE_EXACT), ("wav16.wav", "pcm_s16le", ROSTRUM_CONFIDENCE_EXACT),
            ("flac16.flac", "flac", ROSTRUM_CONFIDENCE_CONTAINER), ("alac.m4a", "alac", ROSTRUM_CONFIDENCE_EXACT),
        ])
        func `a track states its length and the confidence in it`(
            _ file: String, _ codec: String, _ confidence: rostrum_confidence
        ) throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            let track = try probe.track()
            #expect(track.codec == codec)
            #expect(track.confidence == confidence)
            #expect(track.channels == 1)
            #expect(track.unitsPerSecond == Double(track.sampleRate))
            #expect(track.duration == Int64(try probe.renderAll(keepingSamples: false).frames))
        }

        @Test(arguments: ["bare.mp3", "plain.aac", "matroska.mka", "vorbis.mka", "wma.wma", "fragments.mp4"])
        func `measuring finds the length that rendering gives, and keeps the position`(_ file: String) throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load(start: 5000)
            let before = try probe.render().positionEnd
            let measured = try probe.measure()
            let after = try probe.render()
            #expect(after.position == before)
            let rest = try probe.renderAll(keepingSamples: false)
            #expect(rest.runs.last?.end == measured)
            let track = try probe.track()
            #expect(track.duration == measured)
            #expect(track.confidence == ROSTRUM_CONFIDENCE_EXACT)
        }

        /// A file appended to itself has the same stream twice; under another number the second is a stream of its own.
        @Test(arguments: [false, true])
        func `the length of chained streams is that of all of them, and exact only once measured`(
            _ isRenumbered: Bool
        ) throws {
            let first = try Fixtures.bytes("vorbis.ogg")
            let second = isRenumbered ? OggPages.renumbered(first) : first
            let probe = try FFmpegEngineTests.probe([.bytes(first + second, name: "chain.ogg")])
            try probe.load()
            #expect(try probe.track().confidence == ROSTRUM_CONFIDENCE_CONTAINER)
            let single = try FFmpegEngineTests.probe([.file(Fixtures.path("vorbis.ogg"))])
            try single.load()
            let one = try #require(single.track().duration)
            // The second stream begins with a packet that is not audible.
            let measured = try probe.measure()
            #expect(measured > 2 * one - 1024 && measured < 2 * one + 1024)
            #expect(try probe.track().confidence == ROSTRUM_CONFIDENCE_EXACT)
        }

        @Test(arguments: [
            ("book.m4b", "quicktime"), ("cbr.mp3", "id3"), ("vbr.mp3", "id3"), ("vorbis.ogg", "vorbis"),
            ("speech.opus", "vorbis"), ("matroska.mka", "matroska"),
        ])
        func `chapters and tags are read`(_ file: String, _ source: String) throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            let media = try probe.media()
            #expect(media.title == "A Sweep")
            #expect(media.author == "Rising Tone")
            let rate = Double(try probe.track().sampleRate)
            let chapters = try probe.chapters()
            #expect(chapters.map(\.title) == ["Ascent", "Höhe", "End"])
            #expect(chapters.map(\.start) == [0, 2.25, 7.001].map { Int64(($0 * rate).rounded()) })
            #expect(chapters.map(\.source) == Array(repeating: source, count: 3))
        }

        @Test func `a book in several files has the album as its title`() throws {
            let file = try Fixtures.path("cbr.mp3")
            let probe = try FFmpegEngineTests.probe([.file(file), .file(file)])
            try probe.load()
            #expect(try probe.media().title == "Sweeps")
            #expect(try probe.chapters().map(\.track) == [0, 0, 0, 1, 1, 1])
        }

        @Test func `cue points of a WAV file are chapters`() throws {
            var bytes = try Fixtures.bytes("wav16s.wav")
            func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
            func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
                Array(id.utf8) + little(UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
            }
            var cues = little(2)
            for (id, frame) in [(UInt32(1), UInt32(0)), (2, 44_100)] {
                cues += little(id) + little(frame) + Array("data".utf8) + little(0) + little(0) + little(frame)
            }
            bytes += chunk("cue ", cues)
            bytes += chunk("LIST", Array("adtl".utf8) + chunk("labl", little(2) + Array("Second".utf8) + [0]))
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: "cue.wav")])
            try probe.load()
            let chapters = try probe.chapters()
            #expect(chapters.map(\.start) == [0, 44_100])
            #expect(chapters.map(\.title) == [nil, "Second"])
            #expect(chapters.map(\.source) == ["cue", "cue"])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    /// Tests that a file that is cut holds exactly the passage, as this engine and the program `ffmpeg` decode it.
    @Suite struct CutTests {
        static let library = Result { () throws(ProbeFailure) in try EngineLibrary(product: "ClipEngine") }

        static func clip(_ files: [String]) throws -> EngineProbe {
            let probe = try EngineProbe(library.get(), sources: files.map { .file(try Fixtures.path($0)) })
            try probe.load()
            return probe
        }

        /// Cuts in an engine of its own, which is gone afterwards: there may be one in a process.
        static func cut(
            _ files: [String], _ start: (track: Int, unit: Int64), _ end: (track: Int, unit: Int64),
            format: String = "", tags: [(String, String)] = [], cover: Int32 = -1
        ) throws -> (file: CutFile, cut: ProbeCut) {
            let file = try CutFile()
            let probe = try clip(files)
            let cut = try probe.cut(
                start, end, format: format, tags: tags, file: file.descriptor, cover: cover)
            return (file, cut)
        }

        /// A recording, what becomes of its passages, and how they differ from it.
        struct Row: CustomTestStringConvertible {
            var source: String
            var fileExtension: String
            var isEncoded: Bool
            /// The largest difference of a sample that this engine may decode.
            var largest: Float
            /// The frames that `ffmpeg` 5.1 decodes behind the end of the passage, for each place: it obeys no edit list
            /// there, so it plays a packet of AAC to its end.
            var late: [Int] = [0, 0, 0]

            var testDescription: String { source }
        }

        private static let places: [(name: String, range: @Sendable (Int64) -> Range<Int64>)] = [
            ("start", { _ in 0..<30_011 }), ("middle", { _ in 100_001..<150_014 }), ("end", { $0 - 40_007..<$0 }),
        ]

        // 16 bits round by 2⁻¹⁶. A sweep that sets in suddenly is no sound that AAC keeps well.
        static let rows = [
            Row(source: "wav16.wav", fileExtension: "wav", isEncoded: false, largest: 0),
            Row(source: "wav24.wav", fileExtension: "wav", isEncoded: false, largest: 0),
            Row(source: "float.wav", fileExtension: "wav", isEncoded: false, largest: 0),
            Row(source: "flac16.flac", fileExtension: "flac", isEncoded: true, largest: 0),
            Row(source: "flac24.flac", fileExtension: "flac", isEncoded: true, largest: 0),
            Row(source: "alac.m4a", fileExtension: "flac", isEncoded: true, largest: 0),
            Row(source: "book.m4b", fileExtension: "m4a", isEncoded: false, largest: 0, late: [709, 514, 208]),
            Row(source: "cover.m4a", fileExtension: "m4a", isEncoded: false, largest: 0, late: [709, 514, 208]),
            Row(source: "plain.aac", fileExtension: "m4a", isEncoded: false, largest: 0, late: [709, 514, 0]),
            Row(source: "matroska.mka", fileExtension: "m4a", isEncoded: false, largest: 0, late: [709, 514, 0]),
            Row(source: "fragments.mp4", fileExtension: "m4a", isEncoded: false, largest: 0, late: [709, 514, 0]),
            Row(source: "cbr.mp3", fileExtension: "mp3", isEncoded: false, largest: 0),
            Row(source: "vbr.mp3", fileExtension: "mp3", isEncoded: false, largest: 0),
            Row(source: "bare.mp3", fileExtension: "mp3", isEncoded: false, largest: 0),
            Row(source: "mp3.mka", fileExtension: "mp3", isEncoded: false, largest: 0),
            Row(source: "speech.opus", fileExtension: "opus", isEncoded: false, largest: 1e-6),
            Row(source: "opus.webm", fileExtension: "opus", isEncoded: false, largest: 1e-6),
            Row(source: "vorbis.ogg", fileExtension: "flac", isEncoded: true, largest: 2e-5),
            Row(source: "wma.wma", fileExtension: "m4a", isEncoded: true, largest: 0.5, late: [709, 163, 953]),
        ]

        @Test(arguments: rows)
        func `a passage is exact to the frame at the start, in the middle and at the end`(_ row: Row) throws {
            let source = try CutFile.source(row.source)
            let length = Int64(source.samples.count / source.channels)
            for (index, place) in Self.places.enumerated() {
                let range = place.range(length)
                let (file, cut) = try Self.cut([row.source], (0, range.lowerBound), (0, range.upperBound))
                #expect(cut.fileExtension == row.fileExtension && cut.isEncoded == row.isEncoded, "\(place.name)")
                #expect(cut.frames == range.count, "\(place.name)")
                let meant = Array(
                    source.samples[
                        Int(range.lowerBound) * source.channels..<Int(range.upperBound) * source.channels])
                let own = try file.rendered().samples
                #expect(own.count == meant.count, "\(place.name)")
                let difference = HeardDifference(own, meant, channels: source.channels)
                #expect(difference.offset == 0 && difference.largest <= row.largest, "\(place.name): \(difference)")
                let other = try file.decoded()
                #expect(other.count / source.channels - range.count == row.late[index], "\(place.name), ffmpeg")
                let second = HeardDifference(other, meant, channels: source.channels)
                #expect(second.offset == 0 && second.largest <= row.largest, "\(place.name), ffmpeg: \(second)")
            }
        }

        @Test(arguments: [
            ("wav", "wav", Float(0)), ("flac", "flac", 0), ("mp3", "m4a", 0.5), ("m4a", "m4a", 0.5),
            ("ogg", "flac", 2e-5),
        ])
        func `a passage across two files is exact to the frame`(
            _ kind: String, _ written: String, _ largest: Float
        ) throws {
            let parts = ["part1.\(kind)", "part2.\(kind)"]
            let (file, cut) = try Self.cut(parts, (0, 80_000), (1, 30_003))
            let (first, second) = (try CutFile.source(parts[0]).samples, try CutFile.source(parts[1]).samples)
            let meant = Array(first[80_000...] + second[..<30_003])
            #expect(cut.fileExtension == written && cut.frames == 50_004)
            let own = try file.rendered().samples
            #expect(own.count == 50_004)
            let difference = HeardDifference(own, meant, channels: 1)
            #expect(difference.offset == 0 && difference.largest <= largest, "\(difference)")
            let other = HeardDifference(try file.decoded(), meant, channels: 1)
            #expect(other.offset == 0 && other.largest <= largest, "\(other)")
        }

        @Test func `a passage across files of two rates has the rate of the first, and lasts as long`() throws {
            let (file, cut) = try Self.cut(
                ["speech.opus", "wav24.wav"], (0, 570_000), (1, 10_000), format: "flac")
            #expect(cut.sampleRate == 48_000 && cut.frames == 6_000 + 10_884)
            #expect(try file.rendered().frames == 16_884)
            #expect(try file.decoded().count == 16_884)
        }

        @Test(arguments: [
            ("wav16.wav", "m4a", true, 44_100, 45_432), ("wav16.wav", "mp3", true, 44_100, 45_432),
            ("wav16.wav", "opus", true, 48_000, 49_450), ("wav16.wav", "flac", true, 44_100, 45_432),
            ("wav16.wav", "wav", false, 44_100, 45_432), ("cbr.mp3", "mp3", false, 44_100, 45_432),
            ("cbr.mp3", "wav", true, 44_100, 45_432), ("book.m4b", "mp3", true, 44_100, 45_432),
            ("book.m4b", "m4a", false, 44_100, 45_432), ("speech.opus", "m4a", true, 48_000, 45_432),
            ("wav48.wav", "opus", true, 48_000, 45_432),
        ])
        func `an export has the format that was asked for, and keeps what has it already`(
            _ source: String, _ format: String, _ isEncoded: Bool, _ rate: UInt32, _ frames: Int64
        ) throws {
            let (file, cut) = try Self.cut([source], (0, 2_000), (0, 47_432), format: format)
            #expect(
                cut
                    == ProbeCut(isEncoded: isEncoded, frames: frames, sampleRate: rate, fileExtension: format))
            #expect(try file.rendered().frames == Int(frames))
            if format != "m4a" { #expect(try file.decoded().count == Int(frames)) }
        }

        @Test func `a cut does not move the place of rendering`() throws {
            let probe = try Self.clip(["cbr.mp3"])
            let before = try probe.renderAll(frames: 20_000)
            let file = try CutFile()
            _ = try probe.cut((0, 5_000), (0, 90_000), file: file.descriptor)
            #expect(try probe.render().position == before.runs.last?.end)
        }
    }
}

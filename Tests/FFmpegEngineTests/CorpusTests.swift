// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    /// Tests of real files against the values in their manifest.
    ///
    /// They are skipped if the files are absent.
    @Suite struct CorpusTests {
        /// The encoder padding at the end of MP4 files, in frames.
        ///
        /// The manifest's values include it, because they come from FFmpeg's own decoding. It is not part of the audio:
        /// the sample table, the edit list or iTunSMPB say so.
        private static let padding: [String: Int64] = [
            "mp4/bbb_1ch_8kHz_aac_lc.m4a": 576, "mp4/five_seconds.m4a": 171, "mp4/mpeg4_with_image.m4a": 916,
            "mp4/sample_mdat_too_long.mp4": 956, "mp4/sample_with_metadata.mp4": 956,
            "mp4/sample_with_numeric_genre.mp4": 956, "names_and_tags/empty_metadata.m4a": 956,
            "names_and_tags/invalid_track.m4a": 956, "names_and_tags/long_fields.m4a": 956,
            "names_and_tags/no_title.m4a": 956, "formats/p001.mp4": 633,
        ]

        @Test func `every file has the length in its manifest, measured and rendered`() async throws {
            guard let corpus = Corpus.shared else { return }
            _ = try await eachOfTwo(corpus.rows) { rows in
                for row in rows {
                    if let truth = row.decodedSeconds { try Self.checkLength(of: row, corpus, truth) }
                }
            }
        }

        private static func checkLength(of row: Corpus.Row, _ corpus: Corpus, _ truth: Double) throws {
            let probe = try FFmpegEngineTests.probe([.file(corpus.path(row))])
            do throws(ProbeFailure) {
                try probe.load()
                let rate = Double(try probe.track().sampleRate)
                let measured = try probe.measure()
                let seconds = Double(measured + (padding[row.path] ?? 0)) / rate
                #expect(abs(seconds - truth) <= 0.015, "\(row.path): \(seconds) s, not \(truth)")
                let rendering = try probe.renderAll(keepingSamples: false)
                #expect(Int64(rendering.frames) == measured, "\(row.path)")
                if try probe.track().confidence == ROSTRUM_CONFIDENCE_EXACT {
                    #expect(try probe.track().duration == measured, "\(row.path)")
                }
            } catch {
                #expect(truth == 0, "\(row.path): \(error)")
                #expect((-399 ... -300).contains(error.code), "\(row.path): \(error)")
            }
        }

        @Test func `an exact duration is exact before anything was decoded`() throws {
            guard let corpus = Corpus.shared else { return }
            for row in corpus.rows where (row.decodedSeconds ?? 0) > 0 {
                let probe = try FFmpegEngineTests.probe([.file(corpus.path(row))])
                try probe.load()
                let claimed = try probe.track()
                guard claimed.confidence == ROSTRUM_CONFIDENCE_EXACT else { continue }
                #expect(claimed.duration == (try probe.renderAll(keepingSamples: false)).runs.last?.end, "\(row.path)")
            }
        }

        /// It includes texts that are not audio, none of which may cause a crash.
        @Test func `every other file is refused with a reason`() throws {
            guard let corpus = Corpus.shared else { return }
            for row in corpus.rows where row.decodedSeconds == nil {
                let probe = try FFmpegEngineTests.probe([.file(corpus.path(row))])
                do throws(ProbeFailure) {
                    try probe.load()
                    Issue.record("\(row.path) was taken for audio")
                } catch {
                    #expect((-399 ... -300).contains(error.code), "\(row.path): \(error)")
                }
            }
        }

        @Test func `there are as many chapters as the manifest says`() throws {
            guard let corpus = Corpus.shared else { return }
            for row in corpus.rows where (row.decodedSeconds ?? 0) > 0 {
                let probe = try FFmpegEngineTests.probe([.file(corpus.path(row))])
                try probe.load()
                // FFmpeg, and so the manifest's column, finds none in this file; see the next test.
                let expected = row.path == "chapters/auphonic_chapters_demo.mp3" ? 9 : row.chapterCount
                #expect(try probe.chapters().count == expected, "\(row.path)")
            }
        }

        @Test func `chapters begin where the manifest says, with its titles`() throws {
            guard let corpus = Corpus.shared else { return }
            // FFmpeg, and so the manifest's list, mixes two tracks of this file; see the next test.
            for row in corpus.rows where !row.chapters.isEmpty && row.path != "chapters/auphonic_chapters_demo.m4a" {
                let probe = try FFmpegEngineTests.probe([.file(corpus.path(row))])
                try probe.load()
                let rate = Double(try probe.track().sampleRate)
                var listed = try probe.chapters()
                if listed.count > row.chapters.count, let last = listed.last {
                    listed = listed.prefix(row.chapters.count - 1) + [last]
                }
                #expect(listed.count == row.chapters.count, "\(row.path)")
                for (ours, truth) in zip(listed, row.chapters) {
                    #expect(abs(Double(ours.start) / rate - truth.start) < 0.001, "\(row.path): \(truth.title)")
                    // FFmpeg names a chapter without a title after its frame.
                    let isFrameName = row.path == "chapters/bear-id3.mp3" && truth.title == "chap2"
                    #expect(ours.title ?? "" == (isFrameName ? "" : truth.title), "\(row.path)")
                }
            }
        }

        @Test(arguments: [
            ("auphonic_chapters_demo.m4a", "quicktime"), ("auphonic_chapters_demo.mp3", "id3"),
            ("auphonic_chapters_demo.ogg", "vorbis"), ("auphonic_chapters_demo.opus", "vorbis"),
        ])
        func `four containers contain the same nine chapters`(_ file: String, _ source: String) throws {
            guard let corpus = Corpus.shared else { return }
            let probe = try FFmpegEngineTests.probe([.file(corpus.folder + "chapters/" + file)])
            try probe.load()
            let rate = Double(try probe.track().sampleRate)
            let chapters = try probe.chapters()
            #expect(chapters.map { Double($0.start) / rate } == [0, 15, 22, 34, 45, 60, 76, 94, 111.5])
            #expect(chapters.allSatisfy { $0.source == source })
            #expect(chapters[2].title == "Sound analysis")
            #expect(chapters.last?.title == "Get a free account!")
        }

        @Test func `invalid chapters are listed and do no harm`() throws {
            guard let corpus = Corpus.shared else { return }
            let probe = try FFmpegEngineTests.probe([
                .file(corpus.folder + "chapters/toc_many_children.mp3"),
                .file(corpus.folder + "chapters/sample-chaptered.m4a"),
            ])
            try probe.load()
            let chapters = try probe.chapters()
            #expect(chapters.count == 132)
            #expect(chapters.map(\.start).prefix(2) == [4410, 8820])
            #expect(chapters[128].title == "Marker 129")
            #expect(chapters[131].title == "The Prestige")
            #expect(chapters[131].start > (try probe.track(1).duration ?? .max))
            try probe.seek(track: 1, position: chapters[131].start)
            #expect(try probe.render().isEnd)
        }
    }
}

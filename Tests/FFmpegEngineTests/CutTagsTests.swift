// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    /// Tests of what a file that is cut says about itself, read by this engine and by `ffprobe`.
    @Suite struct CutTagsTests {
        private static let tags = [
            ("title", "Höhe & Tiefe"), ("artist", "Rising Tone"), ("album", "Sweeps"), ("chapter", "Ascent"),
            ("comment", "a note; with = signs"), ("date", "2026"), ("unheard-of", "skipped"),
        ]

        /// A source, a format, and what becomes of the chapter: a chapter, or a tag.
        private static let rows: [(source: String, format: String, chapter: String)] = [
            ("wav16.wav", "m4a", "TAG:title=Ascent"), ("book.m4b", "m4a", "TAG:title=Ascent"),
            ("wav16.wav", "mp3", "TAG:title=Ascent"), ("cbr.mp3", "mp3", "TAG:title=Ascent"),
            ("wav16.wav", "opus", "TAG:title=Ascent"), ("speech.opus", "opus", "TAG:title=Ascent"),
            ("wav16.wav", "flac", "TAG:CHAPTER=Ascent"), ("wav16.wav", "wav", "TAG:ISBJ=Ascent"),
        ]

        @Test(arguments: rows)
        func `tags and the chapter come back`(_ source: String, _ format: String, _ chapter: String) throws {
            let (file, _) = try CutTests.cut([source], (0, 2_000), (0, 90_100), format: format, tags: Self.tags)
            let said = String(
                decoding: try CutFile.output(
                    of: "ffprobe -v error -show_format -show_streams -show_chapters -of default \(file.path)"),
                as: UTF8.self)
            // Ogg has them with the stream and in any case.
            for text in ["Höhe & Tiefe", "Rising Tone", "Sweeps", "a note; with = signs", "2026"] {
                #expect(said.contains("=\(text)\n"), "\(text)")
            }
            #expect(said.contains(chapter), "\(said)")
            #expect(!said.contains("skipped"))
            let probe = try FFmpegEngineTests.probe([.file(file.path)])
            try probe.load()
            let media = try probe.media()
            #expect(media.title == "Höhe & Tiefe" && media.author == "Rising Tone")
            let chapters = try probe.chapters()
            #expect(chapters.map(\.title) == (chapter.contains("TAG:title") ? ["Ascent"] : []))
            #expect(chapters.map(\.start) == chapters.map { _ in 0 })
        }

        @Test(arguments: ["m4a", "mp3", "opus", "flac"], ["front.png", "back.jpg"])
        func `the cover is in the file as it was`(_ format: String, _ picture: String) throws {
            let cover = open(try Fixtures.path(picture), O_RDONLY | O_CLOEXEC)
            defer { close(cover) }
            for source in ["wav16.wav", "book.m4b", "cbr.mp3", "speech.opus"] {
                let (file, cut) = try CutTests.cut([source], (0, 2_000), (0, 50_000), format: format, cover: cover)
                let probe = try FFmpegEngineTests.probe([.file(file.path)])
                try probe.load()
                let found = try probe.cover()
                #expect(found?.bytes == (try Fixtures.bytes(picture)), "\(source)")
                #expect(found?.mediaType == (picture == "front.png" ? "image/png" : "image/jpeg"))
                #expect(try probe.renderAll(keepingSamples: false).frames == Int(cut.frames))
            }
        }

        @Test func `a WAV has no cover, and what is no picture is refused`() throws {
            let cover = open(try Fixtures.path("front.png"), O_RDONLY | O_CLOEXEC)
            let text = open(try Fixtures.path("words.mp3"), O_RDONLY | O_CLOEXEC)
            let empty = try CutFile()
            defer { for descriptor in [cover, text] { close(descriptor) } }
            let (file, _) = try CutTests.cut(["wav16.wav"], (0, 0), (0, 5_000), cover: cover)
            #expect(file.size < 10_100)
            for descriptor in [text, empty.descriptor, 901] {
                let refused = #expect(throws: ProbeFailure.self) {
                    _ = try CutTests.cut(["wav16.wav"], (0, 0), (0, 5_000), format: "mp3", cover: descriptor)
                }
                #expect(refused?.code == ROSTRUM_ERROR_ARGUMENT)
            }
        }
    }
}

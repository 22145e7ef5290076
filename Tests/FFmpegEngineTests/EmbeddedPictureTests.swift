// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    /// Tests of pictures inside audio files.
    @Suite struct EmbeddedPictureTests {
        @Test(arguments: [
            ("pictures.mp3", "front.png", "image/png"), ("pictures.flac", "front.png", "image/png"),
            ("pictures.m4b", "front.png", "image/png"), ("pictures.ogg", "front.png", "image/png"),
            ("pictures.mka", "front.webp", "image/webp"), ("cover.m4a", "front.png", "image/png"),
        ])
        func `the front cover is returned unchanged`(_ file: String, _ picture: String, _ type: String) throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            let cover = try #require(try probe.cover())
            #expect(cover.mediaType == type)
            #expect(cover.bytes == (try Fixtures.bytes(picture)))
        }

        @Test(arguments: ["book.m4b", "vbr.mp3", "flac16.flac", "vorbis.ogg", "matroska.mka", "wav16.wav", "plain.aac"])
        func `a file without a picture has no cover`(_ file: String) throws {
            let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try probe.load()
            #expect(try probe.cover() == nil)
        }

        @Test func `each track has its own cover, and rendering continues where it was`() throws {
            let files = ["part1.flac", "pictures.mp3", "pictures.mka"]
            let probe = try FFmpegEngineTests.probe(files.map { .file(try Fixtures.path($0)) })
            try probe.load(start: 5000)
            let place = try probe.render().positionEnd
            let types = try (0..<3).map { try probe.cover(track: $0)?.mediaType }
            #expect(types == [nil, "image/png", "image/webp"])
            #expect(try probe.render().position == place)
            #expect(throws: ProbeFailure.self) { try probe.cover(track: 3) }
        }

        private static func place(of picture: [UInt8], in bytes: [UInt8]) -> Int? {
            bytes.indices.first { bytes[$0...].starts(with: picture) }
        }

        @Test(arguments: ["pictures.mp3", "pictures.flac", "pictures.m4b", "pictures.mka"])
        func `a picture whose bytes are not an image is no cover, whatever its tag says`(_ file: String) throws {
            var bytes = try Fixtures.bytes(file)
            for picture in ["front.png", "back.jpg", "front.webp"] {
                let picture = try Fixtures.bytes(picture)
                guard let place = Self.place(of: picture, in: bytes) else { continue }
                bytes.replaceSubrange(place..<place + 4, with: Array("<svg".utf8))
            }
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: file)])
            try probe.load()
            #expect(try probe.cover() == nil)
        }

        @Test(arguments: ["pictures.mp3", "pictures.flac", "pictures.m4b", "pictures.ogg", "pictures.mka"])
        func `wrong lengths and truncated files do no harm`(_ file: String) throws {
            let own = try Fixtures.bytes(file)
            // In Ogg the picture is encoded as text, behind the name of its kind.
            let pictures = try ["front.png", "back.jpg"].map(Fixtures.bytes) + [Array("METADATA_BLOCK_PICTURE".utf8)]
            let start = try #require(pictures.compactMap { Self.place(of: $0, in: own) }.min())
            let lies: [[UInt8]] = [
                [0xFF, 0xFF, 0xFF, 0xFF], [0x05, 0xF5, 0xE1, 0x00], [0, 0, 0, 0], [0x7F, 0x7F, 0x7F, 0x7F],
            ]
            var given = 0
            for place in stride(from: max(4, start - 120), to: min(start + 8, own.count - 4), by: 1) {
                var bad = own
                bad.replaceSubrange(place..<place + 4, with: lies[place % lies.count])
                let cut = Array(own.prefix(place + place % 200))
                for bytes in [bad, cut] {
                    let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: file)])
                    guard (try? probe.load()) != nil else { continue }
                    if let cover = try? probe.cover() {
                        given += 1
                        #expect(cover.bytes.count <= own.count)
                    }
                }
            }
            // An Ogg page has a checksum, so a damaged page is left out.
            #expect(given > 0 || file == "pictures.ogg")
        }

        @Test(
            arguments: [
                ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), (Array("GIF89a".utf8), "image/gif"),
                (Array("BM".utf8) + [60, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0], "image/bmp"),
                (Array("BM, a magazine".utf8), nil), (Array("<html>".utf8), nil), ([0xFF], nil),
            ] as [([UInt8], String?)])
        func `the type of a picture follows from its bytes`(_ begin: [UInt8], _ type: String?) throws {
            // It replaces the PNG and keeps its length.
            var bytes = try Fixtures.bytes("pictures.m4b")
            let picture = try Fixtures.bytes("front.png")
            let place = try #require(Self.place(of: picture, in: bytes))
            let other = begin + [UInt8](repeating: 0x20, count: picture.count - begin.count)
            bytes.replaceSubrange(place..<place + picture.count, with: other)
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: "pictures.m4b")])
            try probe.load()
            let cover = try probe.cover()
            #expect(cover?.mediaType == type)
            #expect(cover == nil || cover?.bytes == other)
        }

        @Test(arguments: [
            ("wav/wav_with_image.wav", "image/jpeg"), ("wav/aiff_with_image.aiff", "image/jpeg"),
            ("ogg/ogg_with_image.ogg", "image/jpeg"), ("mp4/mpeg4_with_image.m4a", "image/jpeg"),
            ("flac/bear_with_picture.flac", "image/png"), ("flac/multiple_values_images.flac", "image/jpeg"),
            ("mp3/image-text-encoding.mp3", "image/jpeg"), ("chapters/auphonic_chapters_demo.opus", "image/jpeg"),
            ("mp4/sample-multi-data.m4a", "image/png"),
        ])
        func `real files have their covers`(_ file: String, _ type: String) throws {
            guard let corpus = Corpus.shared else { return }
            let probe = try FFmpegEngineTests.probe([.file(corpus.folder + file)])
            try probe.load()
            let cover = try #require(try probe.cover(), "\(file)")
            #expect(cover.mediaType == type, "\(file)")
            #expect(cover.bytes.count > 100, "\(file)")
        }

        @Test func `a stream of another kind is not taken for a picture in any file`() throws {
            guard let corpus = Corpus.shared else { return }
            for row in corpus.rows where (row.decodedSeconds ?? 0) > 0 {
                let probe = try FFmpegEngineTests.probe([.file(corpus.path(row))])
                try probe.load()
                guard let cover = try probe.cover() else { continue }
                #expect(["image/jpeg", "image/png", "image/gif", "image/bmp"].contains(cover.mediaType), "\(row.path)")
            }
        }
    }
}

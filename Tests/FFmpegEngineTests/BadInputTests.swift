// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    @Suite struct BadInputTests {
        private func failure(_ source: ProbeSource) throws -> ProbeFailure? {
            let probe = try FFmpegEngineTests.probe([source])
            do throws(ProbeFailure) {
                try probe.load()
                return nil
            } catch {
                return error
            }
        }

        @Test func `each kind of bad file has its own code and one line`() throws {
            let m4b = try Fixtures.bytes("book.m4b")
            let flac = try Fixtures.bytes("flac16.flac")
            let encrypted = replacing("mp4a", by: "drms", in: m4b)
            let table: [(ProbeSource, rostrum_result)] = [
                (.missing, ROSTRUM_ERROR_NOT_FOUND),
                (.file("/nowhere/x.mp3"), ROSTRUM_ERROR_NOT_FOUND),
                (.file("/tmp"), ROSTRUM_ERROR_FORMAT),
                (.bytes([], name: "empty.m4b"), ROSTRUM_ERROR_EMPTY),
                (.file(try Fixtures.path("silent.wav")), ROSTRUM_ERROR_EMPTY),
                (.file(try Fixtures.path("words.mp3")), ROSTRUM_ERROR_FORMAT),
                (.bytes(Array(repeating: 0, count: 100_000), name: "zeros.mp3"), ROSTRUM_ERROR_FORMAT),
                (.bytes(Array("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".utf8), name: "a.m3u8"), ROSTRUM_ERROR_FORMAT),
                (.bytes(Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8), name: "a"), ROSTRUM_ERROR_FORMAT),
                (.bytes(Array(m4b.prefix(300)), name: "cut.m4b"), ROSTRUM_ERROR_CORRUPT),
                (.bytes(Array(flac.prefix(20)), name: "cut.flac"), ROSTRUM_ERROR_CORRUPT),
                (.bytes(encrypted, name: "book.m4b"), ROSTRUM_ERROR_ENCRYPTED),
            ]
            for (source, code) in table {
                let failure = try failure(source)
                #expect(failure?.code == code, "\(source.shortName): \(failure?.message ?? "no failure")")
            }
        }

        private func replacing(_ old: String, by new: String, in bytes: [UInt8]) -> [UInt8] {
            let old = Array(old.utf8)
            var bytes = bytes
            for index in bytes.indices.dropLast(4) where Array(bytes[index..<index + 4]) == old {
                bytes.replaceSubrange(index..<index + 4, with: Array(new.utf8))
                break
            }
            return bytes
        }

        @Test func `the message says what failed on which file`() throws {
            let failure = try failure(.bytes(Array("nothing".utf8), name: "x.m4b"))
            #expect(failure?.message == "cannot open “x.m4b”: not a known kind of audio file")
        }

        @Test(arguments: ["cbr.mp3", "flac16.flac", "flac.ogg", "wav16.wav", "book.m4b"])
        func `a file that loses its end while it is open is damaged, and has not ended`(_ file: String) throws {
            let path = try Fixtures.path(file) + ".shrinking"
            let bytes = try Fixtures.bytes(file)
            let descriptor = open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count)
            defer {
                close(descriptor)
                unlink(path)
            }
            let probe = try FFmpegEngineTests.probe([.file(path)])
            try probe.load()
            _ = try probe.render()
            try #require(ftruncate(descriptor, off_t(bytes.count / 2)) == 0)
            #expect { try probe.renderAll(keepingSamples: false) } throws: { error in
                (error as? ProbeFailure)?.code == ROSTRUM_ERROR_CORRUPT
            }
        }

        @Test(arguments: ["book.m4b", "cbr.mp3", "flac16.flac", "vorbis.ogg", "plain.aac", "wav16.wav"])
        func `a file without its tail plays to where it ends`(_ file: String) throws {
            let whole = try Fixtures.bytes(file)
            guard file != "book.m4b" else { return try missingTailOfIndexedFile() }
            let probe = try FFmpegEngineTests.probe([.bytes(Array(whole.prefix(whole.count * 2 / 3)), name: file)])
            try probe.load()
            let rendering = try probe.renderAll(keepingSamples: false)
            #expect(rendering.hasEnded)
            #expect(rendering.frames > 50_000)
            #expect(try probe.measure() == rendering.runs.last?.end)
        }

        /// Cuts off a file whose index is at the front, as in a file made for the web.
        private func missingTailOfIndexedFile() throws {
            let whole = try Fixtures.bytes("faststart.m4b")
            let probe = try FFmpegEngineTests.probe([.bytes(Array(whole.prefix(whole.count * 2 / 3)), name: "x.m4b")])
            try probe.load()
            #expect(try probe.track().confidence == ROSTRUM_CONFIDENCE_CONTAINER)
            let rendering = try probe.renderAll(keepingSamples: false)
            #expect(rendering.frames > 200_000)
            #expect(try probe.measure() == rendering.runs.last?.end)
        }

        @Test(arguments: ["flac16.flac", "book.m4b", "vorbis.ogg", "matroska.mka"])
        func `damage in the middle costs only what it hit, and nothing behind it moves`(_ file: String) throws {
            let reference = try FFmpegEngineTests.probe([.file(Fixtures.path(file))])
            try reference.load()
            let all = try reference.renderAll().samples
            var bytes = try Fixtures.bytes(file)
            for index in bytes.count / 2..<bytes.count / 2 + 2500 {
                bytes[index] = UInt8(truncatingIfNeeded: index &* 37)
            }
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: file)])
            try probe.load()
            let rendering = try probe.renderAll()
            let last = try #require(rendering.runs.last)
            #expect(rendering.hasEnded)
            #expect(last.end == Int64(all.count))
            let tail = min(last.frames, 40_000)
            let worst = zip(last.samples.suffix(tail), all.suffix(tail)).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(tail > 20_000)
            #expect(worst <= 1e-4)
        }

        @Test func `a pipe is played, and a seek back in it is refused`() throws {
            let path = try Fixtures.path("cbr.mp3")
            let file = try FFmpegEngineTests.probe([.file(path)])
            try file.load()
            let probe = try FFmpegEngineTests.probe([.pipe(path)])
            try probe.load()
            #expect(
                try probe.renderAll(frames: 100_000).samples.prefix(100_000)
                    == file.renderAll(frames: 100_000).samples.prefix(100_000))
            do throws(ProbeFailure) {
                try probe.seek(position: 10)
                Issue.record("went back in a pipe")
            } catch {
                #expect(error.code == ROSTRUM_ERROR_UNSUPPORTED)
            }
        }

        @Test func `text is refused`() throws {
            let probe = try FFmpegEngineTests.probe([.text("words")])
            #expect(throws: ProbeFailure.self) { try probe.load(kind: ROSTRUM_KIND_TEXT) }
        }
    }
}

extension ProbeSource {
    var shortName: String {
        switch self {
        case .bytes(_, let name), .file(let name), .pipe(let name): name
        case .url(let url, _): url
        case .renewed(let addresses): addresses.first?.url ?? "missing"
        case .missing: "missing"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    /// Tests of each list of chapters with bytes that are written here, so that its content is known.
    @Suite struct ChapterSourceTests {
        private func chapters(_ bytes: [UInt8], _ name: String) throws -> [ProbeChapter] {
            let probe = try FFmpegEngineTests.probe([.bytes(bytes, name: name)])
            try probe.load()
            return try probe.chapters()
        }

        // MARK: ID3

        private func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }

        private func frame(_ id: String, _ body: [UInt8]) -> [UInt8] {
            joined([Array(id.utf8), big(body.count), [0, 0], body])
        }

        private func joined(_ parts: [[UInt8]]) -> [UInt8] { parts.flatMap(\.self) }

        private func chap(_ name: String, _ start: Int, _ title: String) -> [UInt8] {
            frame(
                "CHAP",
                joined([
                    Array(name.utf8), [0], big(start), big(start + 500), big(-1), big(-1),
                    frame("TIT2", [3] + Array(title.utf8)),
                ]))
        }

        private func ctoc(_ name: String, top: Bool, _ names: [String]) -> [UInt8] {
            let flags: UInt8 = top ? 3 : 1
            let listed: [[UInt8]] = names.map { Array($0.utf8) + [0] }
            return frame("CTOC", joined([Array(name.utf8), [0, flags, UInt8(names.count)], joined(listed)]))
        }

        /// Returns an MP3 without any tag, preceded by an ID3v2.3 tag.
        private func tagged(_ frames: [[UInt8]]) throws -> [UInt8] {
            let body = frames.flatMap(\.self)
            let size: [UInt8] = (0..<4).reversed().map { UInt8(body.count >> (7 * $0) & 0x7f) }
            return joined([Array("ID3".utf8), [3, 0, 0], size, body, try Fixtures.bytes("bare.mp3")])
        }

        @Test func `with a table of contents, only what it or its nested tables name is a chapter`() throws {
            let list = try chapters(
                tagged([
                    chap("hidden", 200, "A picture"), chap("c3", 3000, "Three"), chap("c1", 0, "One"),
                    chap("c2", 1000, "Two"), ctoc("part2", top: false, ["c3", "part1"]),
                    ctoc("toc", top: true, ["part1", "part2", "gone"]), ctoc("part1", top: false, ["c1", "c2", "toc"]),
                ]), "toc.mp3")
            #expect(list.map(\.title) == ["One", "Two", "Three"])
            #expect(list.map(\.start) == [0, 44_100, 132_300])
            #expect(list.allSatisfy { $0.source == "id3" })
        }

        @Test func `chapters with the same start are in the order of the table`() throws {
            let list = try chapters(
                tagged([chap("a", 1000, "A"), chap("b", 1000, "B"), ctoc("toc", top: true, ["b", "a"])]), "order.mp3")
            #expect(list.map(\.title) == ["B", "A"])
        }

        @Test func `without a table, or with one that names nothing, no chapter is hidden`() throws {
            for tables in [[], [ctoc("toc", top: true, ["gone"])], [ctoc("toc", top: true, [])]] {
                let list = try chapters(tagged([chap("a", 0, "A"), chap("b", 2000, "B")] + tables), "none.mp3")
                #expect(list.map(\.title) == ["A", "B"])
            }
        }

        // MARK: Cue sheets as tags

        private static let sheet =
            "PERFORMER \"X\"\r\nFILE \"book.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    TITLE \"Erstes\"\r\n    INDEX 01 00:00:00\r\n"
            + "  TRACK 02 AUDIO\r\n    TITLE \"Zweites\"\r\n    INDEX 00 00:01:00\r\n    INDEX 01 00:02:15\r\n"
            + "  TRACK 03 AUDIO\r\n    INDEX 01 00:99:00\r\n"
            + "FILE \"more.wav\" WAVE\r\n  TRACK 04 AUDIO\r\n    INDEX 01 00:00:00\r\n"

        /// Returns a FLAC file in which a new Vorbis comment block replaces its own.
        private func flac(comments: [String]) throws -> [UInt8] {
            let file = try Fixtures.bytes("flac16.flac")
            func little(_ value: Int) -> [UInt8] { big(value).reversed() }
            var body = little(0) + little(comments.count)
            for comment in comments { body += joined([little(comment.utf8.count), Array(comment.utf8)]) }
            var result = Array(file[..<4])
            var place = 4
            var isLast = false
            var blocks: [[UInt8]] = []
            while !isLast {
                isLast = file[place] & 0x80 != 0
                let kind = file[place] & 0x7f
                let size = file[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                if kind == 0 { blocks.append(joined([[0], big(size, 3), Array(file[place + 4..<place + 4 + size])])) }
                place += 4 + size
            }
            blocks.append(joined([[0x84], big(body.count, 3), body]))
            for block in blocks { result += block }
            return joined([result, Array(file[place...])])
        }

        @Test func `a cue sheet in a tag provides the chapters of its own file, at INDEX 01`() throws {
            let list = try chapters(try flac(comments: ["CUESHEET=" + Self.sheet]), "sheet.flac")
            #expect(list.map(\.title) == ["Erstes", "Zweites"])
            #expect(list.map(\.start) == [0, Int64(2.2 * 44_100)])
            #expect(list.map(\.source) == ["cuesheet", "cuesheet"])
            let mp3 = try chapters(
                tagged([frame("TXXX", [3] + Array("CUESHEET".utf8) + [0] + Array(Self.sheet.utf8))]), "sheet.mp3")
            #expect(mp3.map(\.title) == ["Erstes", "Zweites"])
        }

        @Test func `the format's own chapters, if they have titles, take precedence over a sheet in a tag`() throws {
            let list = try chapters(
                try flac(comments: [
                    "CUESHEET=" + Self.sheet, "CHAPTER001=00:00:01.000", "CHAPTER001NAME=Own",
                ]), "both.flac")
            #expect(list.map(\.title) == ["Own"])
            #expect(list.map(\.source) == ["vorbis"])
        }

        // MARK: Matroska

        private func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
            // The size takes eight bytes, which the first one indicates.
            joined([id, [0x01], big(body.count, 7), body])
        }

        private func atom(
            _ start: Int, _ title: String, hidden: Bool = false, enabled: Bool = true, other: Bool = false,
            _ within: [UInt8] = []
        ) -> [UInt8] {
            let display = joined([element([0x85], Array(title.utf8)), element([0x43, 0x7C], Array("eng".utf8))])
            return element(
                [0xB6],
                joined([
                    element([0x73, 0xC4], big(start + 1)), element([0x91], big(start * 1_000_000, 8)),
                    element([0x98], [hidden ? 1 : 0]), element([0x45, 0x98], [enabled ? 1 : 0]),
                    other ? element([0x6E, 0x67], Array(repeating: 7, count: 16)) : [], element([0x80], display),
                    within,
                ]))
        }

        private func edition(_ atoms: [[UInt8]], isDefault: Bool, hidden: Bool = false, ordered: Bool = false)
            -> [UInt8]
        {
            element(
                [0x45, 0xB9],
                joined([
                    element([0x45, 0xDB], [isDefault ? 1 : 0]), element([0x45, 0xBD], [hidden ? 1 : 0]),
                    element([0x45, 0xDD], [ordered ? 1 : 0]), joined(atoms),
                ]))
        }

        /// Returns the fixture with another list of chapters before its own, which is then no longer the first.
        private func matroska(_ editions: [[UInt8]]) throws -> [UInt8] {
            let file = try Fixtures.bytes("flac.mka")
            let id: [UInt8] = [0x18, 0x53, 0x80, 0x67]
            let segment = try #require(file.indices.first { file[$0...].starts(with: id) })
            let length = file[segment + 4].leadingZeroBitCount + 1
            let start = segment + 4 + length
            let list = element([0x10, 0x43, 0xA7, 0x70], editions.flatMap(\.self))
            // The list comes first, and the segment is of unknown size, as in a stream. The seek head is removed,
            // because its positions are no longer valid.
            var rest = Array(file[start...])
            if rest.starts(with: [0x11, 0x4D, 0x9B, 0x74]) {
                let size = rest[4].leadingZeroBitCount + 1
                let mask = Int64(1) << (7 * size) - 1
                let body = Int(rest[4..<4 + size].reduce(Int64(0)) { $0 << 8 | Int64($1) } & mask)
                rest.removeFirst(4 + size + body)
            }
            return joined([Array(file[..<segment]), id, [0x01], Array(repeating: 0xFF, count: 7), list, rest])
        }

        @Test func `the default edition of several is used, without hidden chapters`() throws {
            let list = try chapters(
                matroska([
                    edition([atom(0, "Wrong"), atom(500, "Wrong")], isDefault: false),
                    edition(
                        [
                            atom(0, "One"), atom(700, "Hidden", hidden: true), atom(800, "Off", enabled: false),
                            atom(900, "Elsewhere", other: true),
                            atom(1000, "Part", atom(1000, "Two") + atom(2000, "Three")),
                        ], isDefault: true, ordered: true),
                ]), "editions.mka")
            #expect(list.map(\.title) == ["One", "Two", "Three"])
            #expect(list.map(\.start) == [0, 44_100, 88_200])
            #expect(list.allSatisfy { $0.source == "matroska" })
        }

        @Test func `a hidden edition is not used, and without a default the first visible one is`() throws {
            let list = try chapters(
                matroska([
                    edition([atom(0, "Hidden")], isDefault: true, hidden: true),
                    edition([atom(100, "Shown"), atom(300, "Whole", atom(600, "Within"))], isDefault: false),
                    edition([atom(0, "Other")], isDefault: false),
                ]), "hidden.mka")
            #expect(list.map(\.title) == ["Shown", "Whole", "Within"])
        }

        @Test func `damaged lists of chapters do no harm`() throws {
            let good = try matroska([edition([atom(0, "One"), atom(1000, "Two")], isDefault: true)])
            let place = try #require(good.indices.first { good[$0...].starts(with: [0x10, 0x43, 0xA7, 0x70]) })
            for index in place..<place + 120 {
                for value in [UInt8(0), 0xFF, good[index] ^ 0x40] {
                    var bad = good
                    bad[index] = value
                    let probe = try FFmpegEngineTests.probe([.bytes(bad, name: "bad.mka")])
                    // Whether it is refused or not, nothing may crash.
                    do throws(ProbeFailure) {
                        try probe.load()
                        _ = try probe.chapters()
                    } catch {
                        #expect(error.code < 0)
                    }
                }
            }
        }
    }
}

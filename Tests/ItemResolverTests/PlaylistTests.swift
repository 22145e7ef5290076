// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

@testable import ItemResolver

@Suite struct `Playlists and cue sheets` {
    @Test func `a list that names a folder a million times is rejected quickly`() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<30 { try folder.write("\(number).mp3") }
        let list = try folder.write("list.m3u", Data(String(repeating: ".\n", count: 1_000_000).utf8))
        let long = try folder.write("long.m3u", Data(String(repeating: "x\n", count: 20_001).utf8))
        for path in [list, long] {
            await #expect(throws: ItemError(.unsupported, "\(path): more than 20000 files; make several lists of it")) {
                _ = try await ItemResolver(deadline: .seconds(60)).resolve(
                    ItemRequest(items: [path], extensions: extensions))
            }
        }
    }

    @Test(arguments: ["m3u", "m3u8"])
    func `a playlist plays its entries in order and reports what it leaves out`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        for name in ["list/b.mp3", "list/sub/ä.mp3", "c d.mp3", "list/CD/2.mp3", "list/CD/10.mp3", "list/note.txt"] {
            try folder.write(name)
        }
        let list = try folder.write(
            "list/my.\(ending)",
            Data(
                """
                \u{FEFF}#EXTM3U\r
                #EXTINF:12,Second: first\r
                b.mp3\r
                # a comment\r
                \r
                sub\\ä.mp3\r
                ../c%20d.mp3\r
                CD\r
                missing.mp3\r
                note.txt\r
                my.\(ending)\r
                http://u:p@host/live.mp3\r
                \(folder.path)/list/b.mp3
                """.utf8))
        let item = try await ItemResolver().resolve(
            ItemRequest(items: [list], headers: ["X: listener's"], extensions: extensions))
        #expect(
            names(item, in: folder) == [
                "list/b.mp3", "list/sub/ä.mp3", "c d.mp3", "list/CD/2.mp3", "list/CD/10.mp3", "http://host/live.mp3",
                "list/b.mp3",
            ])
        #expect(item.content.tracks[5] == .url("http://host/live.mp3", headers: ["Authorization: Basic dTpw"]))
        #expect(item.notes.count == 3, "\(item.notes)")
        #expect(item.content.title == "my")
        #expect(try await resolve([list], asText: true).content.kind == .text)
    }

    @Test func `an old playlist is read as Latin-1, with titles from EXTINF and PLAYLIST`() {
        let list = M3UPlaylist(
            Array("#PLAYLIST:Mein H".utf8) + [0xF6] + Array("rbuch\r#EXTINF:-1 x=\"a\",Eins\rG".utf8) + [0xE4]
                + Array("nge.mp3".utf8))
        #expect(list.title == "Mein Hörbuch")
        #expect(list.entries == [.init(location: "Gänge.mp3", title: "Eins")])
    }

    @Test(
        arguments: [
            ("", .empty), ("missing.mp3\n", .empty), ("#EXTM3U\n#EXT-X-TARGETDURATION:6\na.mp3\n", .unsupported),
            ("other.m3u\n", .empty), ("a\0b", .unsupported),
        ] as [(String, ItemError.Reason)])
    func `a playlist with nothing to play is an error`(_ text: String, _ reason: ItemError.Reason) async throws {
        let folder = try TemporaryFolder()
        try folder.write("other.m3u", Data("a.mp3".utf8))
        try folder.write("a.mp3")
        let list = try folder.write("list.m3u", Data("# \n".utf8) + Data(text.utf8))
        #expect(await failure([list])?.reason == reason)
    }

    @Test func `a cue sheet yields its files as tracks and each INDEX 01 as a chapter`() async throws {
        let folder = try TemporaryFolder()
        for name in ["one.flac", "Two.mp3", "before.mp3"] { try folder.write(name) }
        let sheet = try folder.write(
            "book.cue",
            Data(
                """
                REM DATE 1999\r
                TITLE "The Book"\r
                FILE "one.wav" WAVE\r
                  TRACK 01 AUDIO\r
                    TITLE "First"\r
                    INDEX 01 00:00:00\r
                  TRACK 02 AUDIO\r
                    TITLE "Second"\r
                    INDEX 00 120:01:00\r
                    INDEX 01 120:02:74\r
                  TRACK 03 AUDIO\r
                    INDEX 00 130:00:00\r
                FILE Two.mp3 MP3\r
                    INDEX 01 00:00:00\r
                """.utf8))
        let item = try await resolve([folder.path + "/before.mp3", sheet])
        #expect(names(item, in: folder) == ["before.mp3", "one.flac", "Two.mp3"])
        #expect(
            item.content.cue == [
                CueEntry(track: 1, start: 0, title: "First"),
                CueEntry(track: 1, start: (120 * 60 + 2) * 75 + 74, title: "Second"),
                CueEntry(track: 2, start: 0, title: nil),
            ])
        #expect(try await resolve([sheet]).content.title == "The Book")
        try folder.write("lonely.cue", Data("FILE \"gone.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00".utf8))
        #expect(await failure([folder.path + "/lonely.cue"])?.reason == .missing)
        try folder.write("lonely.ogg")
        #expect(names(try await resolve([folder.path + "/lonely.cue"]), in: folder) == ["lonely.ogg"])
    }

    @Test func `a file of a sheet without an audio track is not played`() async throws {
        let folder = try TemporaryFolder()
        for name in ["a.wav", "data.wav", "unused.wav", "b.wav"] { try folder.write(name) }
        let sheet = try folder.write(
            "mixed.cue",
            Data(
                """
                FILE "unused.wav" WAVE
                FILE "b.wav" WAVE
                TRACK 01 AUDIO
                INDEX 01 00:00:00
                FILE "data.wav" WAVE
                TRACK 02 MODE1/2352
                INDEX 01 00:00:00
                FILE "a.wav" WAVE
                TRACK 03 AUDIO
                INDEX 01 00:00:10
                """.utf8))
        let item = try await resolve([sheet])
        #expect(names(item, in: folder) == ["b.wav", "a.wav"])
        #expect(
            item.content.cue == [
                CueEntry(track: 0, start: 0, title: nil), CueEntry(track: 1, start: 10, title: nil),
            ])
        #expect(item.notes.isEmpty)
    }

    @Test func `a sheet beside a file is marked as found rather than requested`() async throws {
        let folder = try TemporaryFolder()
        for name in ["one.flac", "two.flac", "other.mp3"] { try folder.write(name) }
        // The title is in Windows-1252.
        try folder.write(
            "one.cue",
            Data(
                [
                    Array("FILE \"C:\\rips\\one.wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"".utf8), [0x93, 0xC4, 0x94],
                    Array("\"\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 00 01:00:00\nINDEX 01 01:02:00\n".utf8),
                ].flatMap(\.self)))
        // The sheet has two files, of which only its own counts.
        try folder.write(
            "two.flac.cue",
            Data(
                """
                FILE "first.flac" WAVE
                TRACK 01 AUDIO
                INDEX 01 00:00:00
                FILE "two.flac" WAVE
                TRACK 02 AUDIO
                TITLE "Of two"
                INDEX 01 00:00:30
                """.utf8))
        try folder.write("other.cue", Data("no sheet".utf8))
        let one = try await resolve([folder.path + "/one.flac"])
        let first = [
            CueEntry(track: 0, start: 0, title: "“Ä”", isBeside: true),
            CueEntry(track: 0, start: 62 * 75, title: nil, isBeside: true),
        ]
        #expect(one.content.cue == first)
        #expect(one.content.tracks == [.file(path: folder.path + "/one.flac")])
        let all = try await resolve([folder.path])
        #expect(names(all, in: folder) == ["one.flac", "other.mp3", "two.flac"])
        #expect(all.content.cue == first + [CueEntry(track: 2, start: 30, title: "Of two", isBeside: true)])
        #expect(all.notes.count == 1)
        #expect(all.notes.joined().contains("other.cue, line"))
        // A sheet that is named is requested.
        #expect(try await resolve([folder.path + "/one.cue"]).content.cue.allSatisfy { !$0.isBeside })
    }

    @Test(
        arguments: [
            ("", 1, "no TRACK"), ("CATALOG 1\nCATALOG 2\n", 2, "second CATALOG"),
            ("FILE \"a\nTRACK 1 AUDIO\n", 1, "quote"), ("INDEX 01 0:0:0", 1, "before the first TRACK"),
            ("TRACK 1 AUDIO\nINDEX 01 0:60:0", 2, "MM:SS:FF"), ("TRACK 1 AUDIO\nINDEX 01 0:0:75", 2, "MM:SS:FF"),
            ("TRACK 1 AUDIO\nINDEX 01 -1:0:0", 2, "MM:SS:FF"),
            ("TRACK 1 AUDIO\nINDEX 01 99999999999999999999:0:0", 2, "MM:SS:FF"),
            ("TRACK 1 AUDIO\nINDEX 01 0:1:0\nINDEX 02 0:1:0", 3, "not after"), ("TRACK x AUDIO", 1, "number"),
            ("TRACK 1 AUDIO\nINDEX 01 0:0:0\nTRACK 1 AUDIO", 3, "after TRACK 1"),
            ("TRACK 1 AUDIO\nINDEX 01 0:5:0\nTRACK 2 AUDIO\nINDEX 01 0:4:0", 4, "does not begin after"),
            ("TRACK 1 AUDIO\nTRACK 2 AUDIO", 1, "no INDEX 01"),
        ] as [(String, Int, String)])
    func `the error of an invalid sheet has the line number`(_ text: String, _ line: Int, _ message: String) {
        let error = #expect(throws: CueSheet.Failure.self) { try CueSheet(Array(text.utf8)) }
        #expect(error?.line == line)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `the good and bad sheets of a public suite are told apart`() throws {
        guard let media = sharedMedia(),
            let names = try? FileManager.default.contentsOfDirectory(atPath: media + "/chapters/cue")
        else {
            print("skipped: no shared media here")
            return
        }
        #expect(names.count > 0)
        for name in names.sorted() {
            let bytes = Array(try #require(FileManager.default.contents(atPath: media + "/chapters/cue/" + name)))
            var error: CueSheet.Failure?
            do throws(CueSheet.Failure) { _ = try CueSheet(bytes) } catch let failure { error = failure }
            #expect((error == nil) == name.hasPrefix("good"), "\(name): \(String(describing: error))")
        }
    }

    @Test func `text is distinguished from audio by its first bytes`() async throws {
        func isText(_ bytes: [UInt8]) -> Bool { TextSniffer.isText(bytes) }
        #expect(isText(Array("Hello, wörld\r\n".utf8)))
        #expect(isText([0xFF, 0xFE, 0x48, 0, 0x69, 0]) && isText([0xFE, 0xFF, 0, 0x48, 0, 0x69]))
        #expect(isText([0x47, 0xE4, 0x6E, 0x67, 0x65]))
        #expect(!isText([]) && !isText([0x49, 0x44, 0x33, 3, 0, 0]) && !isText([0xFF, 0xFE, 0, 0, 0, 0]))
        guard let media = sharedMedia() else {
            print("skipped: no shared media here")
            return
        }
        var counts = [true: 0, false: 0]
        let texts: Set = ["txt", "md", "html"]
        for case let name as String in FileManager.default.enumerator(atPath: media) ?? .init() {
            let ending = (name as NSString).pathExtension.lowercased()
            guard
                texts.contains(ending)
                    || ["mp3", "m4b", "m4a", "ogg", "opus", "flac", "wav", "mp4", "mka"].contains(ending),
                let bytes = try? FileProbe.sniff(Array((media + "/" + name).utf8)), bytes.count > 64
            else { continue }
            counts[texts.contains(ending), default: 0] += 1
            // The first 4 KiB of these files are printable, so only the extension can tell.
            if name.hasPrefix("corrupt") || name.hasSuffix("100kB-garbage-prefix.mp3") { continue }
            #expect(isText(bytes) == texts.contains(ending), "\(name)")
        }
        print("sniffed \(counts[true] ?? 0) texts and \(counts[false] ?? 0) audio files of the shared media")
    }
}

/// Returns the path of the media beside the package, or in `ROSTRUM_SHARED`, or `nil` if there are none.
func sharedMedia() -> String? {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let shared =
        ProcessInfo.processInfo.environment["ROSTRUM_SHARED"]
        ?? package.deletingLastPathComponent().appendingPathComponent("shared").path
    return FileManager.default.fileExists(atPath: shared + "/media") ? shared + "/media" : nil
}

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

extension RunningSession {
    /// Makes a clip of a passage.
    func clip(of book: String, _ start: String = "2", _ end: String = "6") async throws -> ClipInfo {
        let outcome = try await program.run("clip", "add", "--book", book, "--start", start, "--end", end, "--json")
        try #require(outcome.code == 0, "\(outcome)")
        return try JSONDecoder().decode(ClipInfo.self, from: Data(outcome.output.utf8))
    }

    func clip(_ id: String) async throws -> ClipInfo {
        let outcome = try await program.run("clip", "show", id, "--json")
        try #require(outcome.code == 0, "\(outcome)")
        return try JSONDecoder().decode(ClipInfo.self, from: Data(outcome.output.utf8))
    }

    /// Waits until a clip has its own file, and returns its path.
    func file(of clip: ClipInfo) async throws -> String {
        try await wait { try await self.clip(clip.id).file != nil }
        return try #require(try await self.clip(clip.id).file?.path)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `A clip that counts from the current place` {
    @Test func `lies around it, and needs one`() async throws {
        let session = try RunningSession()
        let book = try session.sound("book.wav", milliseconds: 60_000)
        #expect(try await session.program.run("play", book, "--at", "20", "--detach").code == 0)
        #expect(try await session.program.run("pause").code == 0)
        let outcome = try await session.program.run("clip", "add", "--start", "-5", "--end", "+2.5", "--json")
        try #require(outcome.code == 0, "\(outcome)")
        let clip = try JSONDecoder().decode(ClipInfo.self, from: Data(outcome.output.utf8))
        #expect(clip.durationMs == 7500)
        #expect((15_000..<16_000).contains(try #require(clip.startMs)))
        let other = try session.sound("other.wav", milliseconds: 60_000)
        let refused = try await session.program.run("clip", "add", "--book", other, "--start", "-5", "--end", "10")
        #expect(refused.code == 64)
        #expect(refused.errors == "rostrum: -5 counts from the current place, and “other” has none; give a time\n")
        // Behind a start that does not count from the place, the end counts from the start.
        #expect(try await session.clip(of: other, "10", "+5").durationMs == 5000)
        #expect(try await session.clip(of: book, "30", "+4").durationMs == 4000)
        withExtendedLifetime(session) {}
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `An export of clips` {
    private let session: RunningSession
    private var folder: String { session.temporary.path + "/out" }

    init() throws {
        session = try RunningSession()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func export(_ clip: ClipInfo, _ arguments: String...) async throws -> Program.Outcome {
        try await session.program.run(["clip", "export", clip.id] + arguments)
    }

    private func entries() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// `true` while an engine's process cuts.
    private var cuts: Bool { session.runners().contains { $0.dropFirst().first == "clip" } }

    private func head(_ path: String, _ count: Int = 4) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)).prefix(count), as: UTF8.self)
    }

    @Test func `has the format of its name, and refuses a name of another one or of none`() async throws {
        let clip = try await session.clip(of: session.sound("book.wav", milliseconds: 20_000))
        for (name, format, words) in [
            ("x.ogg", nil, "x.ogg says no format; end the name in .m4a, .mp3"), ("x", nil, "x says no format"),
            ("x.mp3", "flac", "x.mp3 is no name for flac; end it in .flac"),
        ] {
            let asked = format.map { ["--format", $0] } ?? []
            let outcome = try await session.program.run(
                ["clip", "export", clip.id, "--to", "\(folder)/\(name)"] + asked)
            #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome)")
            #expect(outcome.errors.filter(\.isNewline).count == 1 && outcome.errors.contains("m4a, "), "\(outcome)")
        }
        let empty = try await export(clip, "--to", "")
        #expect(empty.errors == "rostrum: clip export: say where: --to FOLDER, or --list markdown\n")
        #expect(empty.code == 64)
        #expect(try entries() == [])
        #expect(try await export(clip, "--to", folder + "/a.FLAC").code == 0)
        #expect(try head(folder + "/a.FLAC") == "fLaC")
        #expect(try await export(clip, "--to", folder + "/b.ogg", "--format", "opus").code == 0)
        #expect(try head(folder + "/b.ogg") == "OggS")
        #expect(try entries() == ["a.FLAC", "b.ogg"])
    }

    @Test func `replaces the file that a link leads to, and no pipe`() async throws {
        let clip = try await session.clip(of: session.sound("book.wav", milliseconds: 20_000))
        let (real, link, pipe) = (folder + "/real.flac", folder + "/link.flac", folder + "/pipe.flac")
        try "old".write(toFile: real, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.flac")
        try #require(mkfifo(pipe, 0o600) == 0)
        let kept = try await export(clip, "--to", link)
        #expect(kept.code == 73 && kept.errors.contains("link.flac exists; give another name, or --force"), "\(kept)")
        let refused = try await export(clip, "--to", pipe, "--force")
        #expect(refused.code == 73 && refused.errors.contains("pipe.flac is a pipe"), "\(refused)")
        let outcome = try await export(clip, "--to", link, "--force")
        #expect(outcome == .init(output: real + "\n", errors: "", code: 0))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.flac")
        #expect(try head(real) == "fLaC")
        #expect(try entries() == ["link.flac", "pipe.flac", "real.flac"])
        // In a folder, a link is not what the listener named.
        let named = try await String(export(clip, "--to", folder).output.dropLast())
        try FileManager.default.removeItem(atPath: named)
        try FileManager.default.createSymbolicLink(atPath: named, withDestinationPath: "real.flac")
        let beside = try await export(clip, "--to", folder, "--force")
        #expect(beside.output == named.replacing(".wav", with: " (2).wav") + "\n" && beside.code == 0, "\(beside)")
        #expect(try head(real) == "fLaC")
    }

    /// It needs the right to mount a file system; without it, it reports that it was skipped.
    @Test func `says which file a full disk does not hold`() async throws {
        let clip = try await session.clip(of: session.sound("book.wav", milliseconds: 20_000))
        guard mount("tmpfs", folder, "tmpfs", 0, "size=64k") == 0 else {
            print("skipped: no right to mount a full disk")
            return
        }
        defer { umount2(folder, Int32(MNT_DETACH)) }
        let outcome = try await export(clip, "--to", folder + "/x.wav")
        #expect(
            outcome
                == .init(
                    output: "", errors: "rostrum: cannot write \(folder)/x.wav: the disk is full; make room\n", code: 74
                ))
        #expect(try entries() == [])
    }

    @Test func `ends with its client, and leaves nothing`() async throws {
        try await #require(session.program.run("settings", "set", "clipFiles", "off").code == 0)
        let clip = try await session.clip(of: session.silence("long.wav", hours: 6), "0", "5:59:00")
        let client = try session.program.start(["clip", "export", clip.id, "--to", folder + "/x.flac"])
        try await session.wait { cuts }
        kill(client.processIdentifier, SIGKILL)
        _ = client.outcome()
        try await session.wait { !cuts }
        #expect(try entries() == [])
        #expect(session.isAlive)
    }

    @Test func `that a kill of the session ends leaves nothing`() async throws {
        try await #require(session.program.run("settings", "set", "clipFiles", "off").code == 0)
        let clip = try await session.clip(of: session.silence("long.wav", hours: 6), "0", "5:59:00")
        let client = try session.program.start(["clip", "export", clip.id, "--to", folder + "/x.flac"])
        try await session.wait { cuts }
        session.signal(SIGKILL)
        #expect(client.outcome().code != 0)
        #expect(try entries() == [])
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `A clip without its book` {
    @Test func `and without its own file says that both are gone, and what helps`() async throws {
        let session = try RunningSession()
        let book = try session.sound("book.wav", milliseconds: 20_000)
        let clip = try await session.clip(of: book)
        let file = try await session.file(of: clip)
        try FileManager.default.removeItem(atPath: book)
        // The own file is enough to play and to export.
        let target = session.temporary.path + "/x.wav"
        #expect(try await session.program.run("clip", "export", clip.id, "--to", target).code == 0)
        let bounds = try await session.program.run("clip", "edit", clip.id, "--end", "+1")
        #expect(bounds.errors.contains("the bounds of clip \(clip.id) stay"), "\(bounds)")
        try FileManager.default.removeItem(atPath: file)
        let words =
            "rostrum: clip \(clip.id) has no audio: its passage of \(book) is gone, and so is its own file; put the book back, "
            + "or delete the clip\n"
        for arguments in [
            ["play", clip.id], ["export", clip.id, "--to", target, "--force"], ["edit", clip.id, "--end", "+1"],
        ] {
            let outcome = try await session.program.run(["clip"] + arguments)
            #expect(outcome == .init(output: "", errors: words, code: 66))
        }
        // Notes are not audio.
        #expect(try await session.program.run("clip", "edit", clip.id, "--note", "gone").code == 0)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct `A repair of clips` {
    @Test func `sets files aside that no clip has, and says where they are`() async throws {
        let session = try RunningSession()
        let clip = try await session.clip(of: session.sound("book.wav", milliseconds: 20_000))
        let file = try await session.file(of: clip)
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let other = "0123abcd-1.wav"
        try FileManager.default.copyItem(atPath: file, toPath: "\(folder)/\(other)")
        try FileManager.default.removeItem(atPath: file)
        #expect(
            try await session.program.run("clip", "repair")
                == .init(output: "1 made, 1 set aside (in \(folder)/lost), 0 failed\n", errors: "", code: 0))
        #expect(FileManager.default.fileExists(atPath: "\(folder)/lost/\(other)"))
        #expect(
            try await session.program.run("clip", "repair")
                == .init(output: "0 made, 0 set aside, 0 failed\n", errors: "", code: 0))
    }
}

@Suite(.timeLimit(.minutes(1)))
struct `A list of clips` {
    private static func clip(_ id: String, note: Int = 0, items: [String] = ["/x"]) -> ClipInfo {
        ClipInfo(
            id: id, uri: "file:///x", items: items, title: "T", author: nil, chapter: nil,
            start: .init(track: 0, units: 1, unitsPerSecond: 44_100),
            end: .init(track: 0, units: 44_101, unitsPerSecond: 44_100), startMs: nil, durationMs: nil,
            note: String(repeating: "\u{7}", count: note), tags: [], createdAt: 1, changedAt: 1, sourceThere: true,
            file: nil)
    }

    private func fixture() throws -> CommandFixture {
        try CommandFixture { command, _, _ throws(SessionError) in
            guard case .manageClips(let action) = command else { return .done }
            return .clips(ClipPage(clips: action.clips ?? []))
        }
    }

    private func bring(_ clips: [ClipInfo], _ fixture: CommandFixture) async throws -> Program.Outcome {
        let list = try JSONLine.encode(ClipPage(clips: clips))
        let path = try fixture.file("clips.json", String(decoding: list, as: UTF8.self))
        return try await fixture.program.run("clip", "import", path)
    }

    @Test func `with long notes comes in by messages that are small enough`() async throws {
        let fixture = try fixture()
        // Six bytes for each in JSON.
        let clips = (0..<45).map { Self.clip("\($0)", note: 16_384) }
        #expect(try await bring(clips, fixture) == .init(output: "45 added, 0 were there\n", errors: "", code: 0))
        let pieces = fixture.session.commands.compactMap { command -> [String]? in
            if case .manageClips(let action) = command { action.clips?.map(\.id) } else { nil }
        }
        #expect(pieces.count > 1)
        #expect(pieces.flatMap(\.self) == clips.map(\.id))
    }

    @Test func `comes in as a whole or not at all`() async throws {
        let fixture = try fixture()
        var clips = (0..<450).map { Self.clip("\($0)") }
        clips.append(Self.clip("bad", items: ["descriptor:0"]))
        let outcome = try await bring(clips, fixture)
        #expect(
            outcome.code == 64 && outcome.errors.contains("the source of clip \"bad\" is no absolute path"),
            "\(outcome)")
        clips[450] = Self.clip("long", items: ["/" + String(repeating: "x", count: 1 << 20)])
        let long = try await bring(clips, fixture)
        #expect(long.code == 65 && long.errors.contains("clip \"long\" takes more than a message holds"), "\(long)")
        #expect(fixture.session.commands == [])
    }

    @Test(arguments: [
        "2026-02-29", "2026-02-31", "2026-04-31", "2100-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1",
    ])
    func `is asked for no day that is none`(_ day: String) async throws {
        let fixture = try fixture()
        for option in ["--since", "--before"] {
            let outcome = try await fixture.program.run("clip", "list", option, day)
            #expect(outcome == .init(output: "", errors: "rostrum: bad day: \(day); give it as 2026-01-31\n", code: 64))
        }
        #expect(fixture.session.commands == [])
        #expect(try await fixture.program.run("clip", "list", "--since", "2028-02-29").code == 0)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `A waveform in a file` {
    @Test func `replaces another file only by force, and says in a line why it cannot be written`() async throws {
        let session = try RunningSession()
        let book = try session.sound("book.wav", milliseconds: 2000)
        let path = session.temporary.path + "/book.dat"
        func write(_ arguments: String...) async throws -> Program.Outcome {
            try await session.program.run(["clip", "waveform", book, "--output"] + arguments)
        }
        #expect(try await write(path) == .init(output: "", errors: "", code: 0))
        let made = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(made.first == 2)
        try "mine".write(toFile: path, atomically: false, encoding: .utf8)
        let refused = try await write(path)
        #expect(
            refused
                == .init(output: "", errors: "rostrum: \(path) exists; give another name, or --force\n", code: 73))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(try await write(path, "--force").code == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == made)
        let nowhere = try await write("/nonexistent/x.dat")
        #expect(
            nowhere
                == .init(
                    output: "", errors: "rostrum: cannot write /nonexistent/x.dat: No such file or directory\n",
                    code: 74))
        let names = try FileManager.default.contentsOfDirectory(atPath: session.temporary.path)
        #expect(names.filter { $0.hasPrefix(".draft") } == [])
    }
}

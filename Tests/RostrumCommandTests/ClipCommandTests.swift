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

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

/// Input that kills its reader costs one step over it, not the session.
@Suite(.timeLimit(.minutes(4)))
struct `Input that kills` {
    private struct Step: Equatable {
        var from: Int
        var to: Int
    }

    /// Returns the parts of items that were left out, according to the log.
    private func steps(_ session: RunningSession) async throws -> [Step] {
        try await session.log().filter { $0["action"] as? String == "stepOver" }.compactMap { record in
            func units(_ key: String) -> Int? { (record[key] as? [String: Any])?["units"] as? Int }
            guard let from = units("place"), let to = units("beyond") else { return nil }
            return Step(from: from, to: to)
        }
    }

    private func deaths(_ session: RunningSession) async throws -> Int {
        try await session.log().count { $0["action"] as? String == "gone" }
    }

    @Test func `costs at most a second of a book, and the rest is played`() async throws {
        let session = try RunningSession()
        try session.engine("conformant", from: "conformant.c", ["-DFAULT=DIES_AT_MARK"])
        let mark = 60_000
        let book = try session.sound("book.wav", milliseconds: 3_000, mark: mark)
        let played = try await session.program.run("play", book, "--engine", "conformant")
        #expect(played == .init(output: "", errors: "", code: 0))
        let steps = try await steps(session)
        #expect(steps.count == 1 && steps.allSatisfy { $0.from <= mark && $0.to > mark && $0.to <= mark + 48_000 })
        #expect(try await deaths(session) == 2, "once may be chance")
        #expect(try await session.status().status.status == "ended")
    }

    /// Returns a session in which no engine stands in for another.
    private func readingAlone() async throws -> RunningSession {
        let session = try RunningSession()
        for engine in ["espeak", "sherpa"] {
            let outcome = try await session.program.run("engines", "disable", engine)
            try #require(outcome.code == 0, "\(outcome.errors)")
        }
        return session
    }

    @Test func `costs one sentence of a text, and the rest is read`() async throws {
        let session = try await readingAlone()
        try session.engine("conformant", from: "conformant.c", ["-DFAULT=DIES_AT_MARK"])
        let words = "One sentence first. Then a KILLER comes. And the text goes on behind it.\n"
        let text = try session.temporary.file("text.txt", words)
        let read = try await session.program.run("read", text, "--engine", "conformant")
        #expect(read == .init(output: "", errors: "rostrum: 1 of 3 sentences could not be spoken\n", code: 0))
        let bytes = Array(words.utf8)
        let killer = try #require(words.range(of: "KILLER")).lowerBound.utf16Offset(in: words)
        let next = try #require(words.range(of: "And")).lowerBound.utf16Offset(in: words)
        let steps = try await steps(session)
        #expect(
            steps.count == 1
                && steps.allSatisfy { (20...killer).contains($0.from) && (next - 1...next).contains($0.to) },
            "\(steps) of \(bytes.count)")
        #expect(try await deaths(session) == 2)
        #expect(try await session.status().status.status == "ended")
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func `costs one sentence of a text in UTF-16, and no more`(_ encoding: String.Encoding) async throws {
        let session = try await readingAlone()
        try session.engine("conformant", from: "conformant.c", ["-DFAULT=DIES_AT_MARK"])
        let words = "\u{FEFF}One sentence first. Then a KILLER comes. And the text goes on behind it.\n"
        let path = session.temporary.path + "/text.txt"
        let bytes = try #require(words.data(using: encoding))
        try bytes.write(to: URL(fileURLWithPath: path))
        let read = try await session.program.run("read", path, "--engine", "conformant")
        #expect(read == .init(output: "", errors: "rostrum: 1 of 3 sentences could not be spoken\n", code: 0))
        let steps = try await steps(session)
        #expect(steps.count == 1)
        let step = try #require(steps.first)
        // A place is a byte of the reading text, which is UTF-8 and has no mark.
        let text = Array(words.dropFirst().utf8)
        #expect(String(decoding: text.dropFirst(step.to), as: UTF8.self).hasPrefix("And the text"), "\(step)")
    }

    @Test func `costs many sentences of a text, and their number is told once`() async throws {
        let session = try await readingAlone()
        try session.engine("conformant", from: "conformant.c", ["-DFAULT=DIES_AT_MARK"])
        // They are skipped by sentences at first, and by paragraphs when those do not end.
        let bad = (0..<10).map { "KILLER number \($0)." }.joined(separator: " ")
        let words = "\(bad)\n\nKILLER too. And its rest.\n\nThis is heard. And this.\n"
        let text = try session.temporary.file("text.txt", words)
        let read = try await session.program.run("read", text, "--engine", "conformant")
        #expect(read == .init(output: "", errors: "rostrum: 12 of 14 sentences could not be spoken\n", code: 0))
        let end = try #require(try await steps(session).last)
        #expect(Array(words.utf8.dropFirst(end.to)).starts(with: Array("This is heard".utf8)))
        let status = try await session.status().status
        #expect(status.status == "ended" && status.warning == "12 of 14 sentences could not be spoken")
    }

    @Test func `that leaves nothing of a text to speak is refused in one line`() async throws {
        let session = try await readingAlone()
        try session.engine("conformant", from: "conformant.c", ["-DFAULT=DIES_AT_MARK"])
        let words = (0..<14).map { "KILLER number \($0).\($0 % 4 == 3 ? "\n\n" : " ")" }.joined()
        let text = try session.temporary.file("text.txt", words)
        let read = try await session.program.run("read", text, "--engine", "conformant")
        #expect(read.code == 65 && read.errors.contains("can speak none of 14 sentences"), "\(read)")
        #expect(read.errors.count(where: \.isNewline) == 1)
        let sound = try session.sound("sound.wav", milliseconds: 100)
        #expect(try await session.program.run("play", sound) == .init(output: "", errors: "", code: 0))
    }

    /// The files that `make-killers.py` makes, in groups.
    private static let files: [[String]] = {
        guard let folder else { return [] }
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        return stride(from: 0, to: all.count, by: 12).map { Array(all[$0..<min($0 + 12, all.count)]) }
    }()

    /// It is removed when the process ends, because a static value has no deinitializer of its own.
    private static let folder: String? = {
        var template = Array("/tmp/rostrum-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        atexit { if let folder = `Input that kills`.folder { try? FileManager.default.removeItem(atPath: folder) } }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Killers/make-killers.py").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, folder]
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        return folder
    }()

    @Test func `has many kinds`() {
        let names = Self.files.joined()
        #expect(names.count { $0.hasSuffix(".txt") } > 10 && names.count { !$0.hasSuffix(".txt") } > 25)
    }

    @Test(arguments: files)
    func `is played to its end or refused in one line, and the next item plays`(_ names: [String]) async throws {
        let folder = try #require(Self.folder)
        try await survive(names.map { "\(folder)/\($0)" })
    }

    /// Plays each file, and something with a sound engine after it.
    private func survive(_ paths: [String]) async throws {
        let session = try RunningSession()
        let sound = try session.sound("sound.wav", milliseconds: 100)
        let words = try session.temporary.file("words.txt", "Yes.\n")
        // Something is played before the first of them, so that there is a log.
        #expect(try await session.program.run("play", sound) == .init(output: "", errors: "", code: 0))
        for path in paths {
            let isText = Self.isText(path)
            if isText {
                // This is played in real time, as a user hears it; the engine is seconds ahead of the sound.
                let start = try await session.program.run("read", path, "--rate", "3", "--detach")
                let during = try await session.status()
                #expect(start.code == 0 && during.after < .seconds(2), "\(path): \(start)")
                #expect(try await session.program.run("stop").code == 0)
            }
            let arguments =
                isText
                ? ["read", path, "--rate", "3", "--output", "null:fast"] + Self.limit(path) : ["play", path]
            let before = try await steps(session).count
            let outcome = try await session.program.run(arguments)
            #expect([0, 65, 70, 74].contains(outcome.code), "\(path): \(outcome)")
            #expect(outcome.errors.isEmpty == (outcome.code == 0), "\(path): \(outcome)")
            #expect(outcome.errors.filter(\.isNewline).count <= 1, "\(path): \(outcome)")
            #expect(try await steps(session).count <= before + 1, "\(path)")
            let (status, after) = try await session.status()
            #expect(after < .seconds(2) && ["idle", "ended", "error", "paused"].contains(status.status), "\(path)")
            let healthy = isText ? ["read", words, "--rate", "3"] : ["play", sound, "--from-start"]
            #expect(try await session.program.run(healthy) == .init(output: "", errors: "", code: 0), "after \(path)")
            #expect(try await session.status().status.status == "ended", "after \(path)")
        }
        #expect(session.isAlive)
        let deaths = try await deaths(session)
        if deaths > 0 { print("killed \(deaths) engines: among \(paths)") }
    }

    private static func isText(_ path: String) -> Bool { ["txt", "md", "html"].contains { path.hasSuffix("." + $0) } }

    /// Limits the time for hours of speech, because a debug build speaks slowly.
    private static func limit(_ path: String) -> [String] {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
        return size > 50_000 ? ["--until", "3m"] : []
    }

    /// Real files beside the package that are broken, truncated or no prose, in groups.
    private static let real: [[String]] = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shared =
            ProcessInfo.processInfo.environment["ROSTRUM_SHARED"]
            ?? package.deletingLastPathComponent().appendingPathComponent("shared").path
        let media = shared + "/media"
        guard FileManager.default.fileExists(atPath: media) else { return [] }
        let whole = ["corrupt", "text/nasty", "text/udhr"].map { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(media)/\(folder)")) ?? []).sorted().map {
                "\(folder)/\($0)"
            }
        }
        let single = [
            "ogg/no_audio.ogg", "ogg/corrupt_metadata.ogg", "ogg/data_after_eos.ogg", "flac/invalid_block_sizes.flac",
            "flac/11_-_incorrect_metadata_block_length.flac", "flac/05_-_wrong_total_number_of_samples.flac",
            "mp4/mp4_extended_size_truncated.m4a", "mp4/mp4_invalid_size_zero.m4a", "mp4/sample_mdat_too_long.mp4",
            "mp3/bad-xing.mp3", "mp3/id3_broken_frame_size.mp3", "mp3/UTF16.mp3",
        ]
        return (whole + [single]).map { $0.map { "\(media)/\($0)" } }.filter { !$0.isEmpty }
    }()

    @Test(.enabled(if: !real.isEmpty, "no ../shared/media here"), arguments: real)
    func `from ../shared costs a line at most, and the next item plays`(_ paths: [String]) async throws {
        try await survive(paths)
    }
}

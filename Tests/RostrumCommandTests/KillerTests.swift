// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

/// Input that kills what reads it costs a step, not the session.
@Suite(.timeLimit(.minutes(4)))
struct `Input that kills` {
    private struct Step: Equatable {
        var from: Int
        var to: Int
    }

    /// What the log says was left out.
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

    @Test func `a second of a book is stepped over, and the rest is played`() async throws {
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

    @Test func `a sentence of a text is stepped over, and the rest is read`() async throws {
        let session = try RunningSession()
        try session.engine("conformant", from: "conformant.c", ["-DFAULT=DIES_AT_MARK"])
        let words = "One sentence first. Then a KILLER comes. And the text goes on behind it.\n"
        let text = try session.temporary.file("text.txt", words)
        let read = try await session.program.run("read", text, "--engine", "conformant")
        #expect(read == .init(output: "", errors: "", code: 0))
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

    /// What `make-killers.py` makes, some at a time.
    private static let files: [[String]] = {
        guard let folder else { return [] }
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        return stride(from: 0, to: all.count, by: 12).map { Array(all[$0..<min($0 + 12, all.count)]) }
    }()

    /// Removed when the process ends: a value that is static has no end of its own.
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

    @Test func `is made of many kinds`() {
        let names = Self.files.joined()
        #expect(names.count { $0.hasSuffix(".txt") } > 10 && names.count { !$0.hasSuffix(".txt") } > 25)
    }

    @Test(arguments: files)
    func `is played to its end or refused in one line, and what comes next plays`(_ names: [String]) async throws {
        let session = try RunningSession()
        let folder = try #require(Self.folder)
        let sound = try session.sound("sound.wav", milliseconds: 100)
        let words = try session.temporary.file("words.txt", "Yes.\n")
        for name in names {
            let path = "\(folder)/\(name)"
            let isText = name.hasSuffix(".txt")
            if isText {
                // As a listener hears it: the engine is seconds ahead of that.
                let start = try await session.program.run("read", path, "--rate", "3", "--detach")
                let during = try await session.status()
                #expect(start.code == 0 && during.after < .seconds(2), "\(name): \(start)")
                #expect(try await session.program.run("stop").code == 0)
            }
            let arguments = isText ? ["read", path, "--rate", "3", "--output", "null:fast"] : ["play", path]
            let outcome = try await session.program.run(arguments)
            #expect([0, 65, 70, 74].contains(outcome.code), "\(name): \(outcome)")
            #expect(outcome.errors.isEmpty == (outcome.code == 0), "\(name): \(outcome)")
            #expect(outcome.errors.filter(\.isNewline).count <= 1, "\(name): \(outcome)")
            let (status, after) = try await session.status()
            #expect(after < .seconds(2) && ["idle", "ended", "error", "paused"].contains(status.status), "\(name)")
            let healthy = isText ? ["read", words, "--rate", "3"] : ["play", sound, "--from-start"]
            #expect(try await session.program.run(healthy) == .init(output: "", errors: "", code: 0), "after \(name)")
        }
        #expect(session.isAlive)
        let deaths = try await deaths(session)
        if deaths > 0 { print("killed \(deaths) engines: among \(names)") }
    }
}

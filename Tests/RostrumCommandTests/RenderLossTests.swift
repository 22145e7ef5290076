// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// A render continues when its engine dies, as playback does.
@Suite(.timeLimit(.minutes(4)))
struct `A render whose engine dies` {
    private func session() throws -> RunningSession {
        let session = try RunningSession()
        try session.engine("conformant", from: "conformant.c", ["-DFAULT=DIES_AT_MARK"])
        return session
    }

    /// Returns the number of bytes of sound in a rendered file.
    private func rendered(_ session: RunningSession, _ verb: String, _ path: String) async throws -> (
        Int, String, Int32
    ) {
        let file = session.temporary.path + "/out.wav"
        let run = try await session.program.run(verb, path, "--engine", "conformant", "--output", "wav:\(file)")
        let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? 0
        try? FileManager.default.removeItem(atPath: file)
        return (max(0, size - 44), run.errors, run.code)
    }

    @Test func `leaves out what cannot be spoken, and continues after it`() async throws {
        let session = try session()
        let before = "One sentence first. "
        let killer = "Then a KILLER comes. "
        let after = "And the text goes on behind it, for a while at least.\n"
        let whole = try await rendered(session, "read", try session.temporary.file("good.txt", before + after))
        #expect(whole.2 == 0 && whole.0 > 0)
        let holed = try await rendered(session, "read", try session.temporary.file("bad.txt", before + killer + after))
        #expect(holed.2 == 0, "\(holed)")
        // The part of the omitted sentence before the word that kills may be there.
        let letter = whole.0 / (before + after).utf8.count
        #expect(
            holed.0 > whole.0 - 2 * letter && holed.0 < whole.0 + (killer.utf8.count + 2) * letter, "\(holed) \(whole)")
        #expect(holed.1 == "rostrum: 1 of 3 sentences could not be spoken\n")
    }

    @Test func `refuses a text of which nothing can be spoken in one line`() async throws {
        let session = try session()
        let words = (0..<14).map { "KILLER number \($0).\($0 % 4 == 3 ? "\n\n" : " ")" }.joined()
        let none = try await rendered(session, "read", try session.temporary.file("bad.txt", words))
        #expect(none.2 == 65 && none.1.contains("can speak none of 14 sentences"), "\(none)")
        #expect(none.1.count(where: \.isNewline) == 1)
    }

    @Test func `begins to the frame at a position after what kills`() async throws {
        let session = try session()
        let path = try session.sound("bad.wav", milliseconds: 6_000, mark: 9_000)
        let file = session.temporary.path + "/out.wav"
        let run = try await session.program.run(
            "play", path, "--at", "2", "--engine", "conformant", "--output", "wav:\(file)")
        #expect(run == .init(output: "", errors: "", code: 0))
        let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int
        #expect(size == 92 + 4 * 48_000 * 4)
    }

    @Test func `leaves out a second of a book, and has the rest to the frame`() async throws {
        let session = try session()
        let seconds = 6
        let whole = try await rendered(
            session, "play", try session.sound("good.wav", milliseconds: seconds * 1_000, mark: 10_000_000))
        #expect(whole.2 == 0 && whole.0 > 0)
        let holed = try await rendered(
            session, "play", try session.sound("bad.wav", milliseconds: seconds * 1_000, mark: 60_000))
        #expect(holed.2 == 0, "\(holed)")
        let second = whole.0 / seconds
        #expect(holed.0 < whole.0 && holed.0 >= whole.0 - second, "\(holed) \(whole)")
    }
}

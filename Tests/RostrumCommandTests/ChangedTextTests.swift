// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// A text that is edited between two readings.
@Suite(.timeLimit(.minutes(3)))
struct `A text that was changed since` {
    private static let sentences = (0..<120).map {
        "Number \($0) tells of the \($0 * 7919 % 1009) ships in harbour \($0 * 31 % 97)."
    }

    private static func byte(_ words: String, in text: String) throws -> Int64 {
        let range = try #require(text.firstRange(of: words))
        return Int64(text.utf8.distance(from: text.startIndex, to: range.lowerBound))
    }

    /// Reads from a sentence on, stops there, and returns the place that was left.
    private func leave(_ path: String, at byte: Int64, in session: RunningSession) async throws {
        let read = try await session.program.run("read", path, "--at", "byte:\(byte)", "--detach")
        try #require(read.code == 0, "\(read.errors)")
        try await session.until { $0.text.map { $0.offset >= byte } ?? false }
        #expect(try await session.program.run("stop").code == 0)
    }

    private func place(in session: RunningSession) async throws -> Int64 {
        try await session.until { $0.status == "playing" && $0.text != nil }
        return try #require(try await session.status().status.text).offset
    }

    @Test func `goes on at the same words, in the same session and in the next`() async throws {
        let temporary: TemporaryFolders
        let text = Self.sentences.joined(separator: " ")
        let path: String
        let changed = "A new preface. It is not long. " + text
        do {
            let session = try RunningSession()
            temporary = session.temporary
            path = try temporary.file("a.txt", text)
            try await leave(path, at: try Self.byte("Number 60 ", in: text), in: session)
            try temporary.file("a.txt", changed)
            let again = try await session.program.run("read", path, "--detach")
            #expect(again == .init(output: "", errors: "", code: 0))
            let there = try await place(in: session)
            let expected = try Self.byte("Number 60 ", in: changed)
            #expect((expected..<expected + 200).contains(there), "\(there) for \(expected)")
            #expect(try await session.program.run("stop").code == 0)
            session.signal(SIGTERM)
            try await session.end()
        }
        let more = "Another preface, in front of the first one. " + changed
        try temporary.file("a.txt", more)
        let next = try RunningSession(in: temporary)
        // Without a name: the library alone knows what was read.
        let read = try await next.program.run("read", "--detach")
        #expect(read == .init(output: "", errors: "", code: 0))
        let there = try await place(in: next)
        let expected = try Self.byte("Number 60 ", in: more)
        #expect((expected..<expected + 250).contains(there), "\(there) for \(expected)")
    }

    @Test func `says so if the words at the place are gone`() async throws {
        let session = try RunningSession()
        let text = Self.sentences.joined(separator: " ")
        let path = try session.temporary.file("a.txt", text)
        try await leave(path, at: try Self.byte("Number 60 ", in: text), in: session)
        let other = (0..<200).map { "Wholly different words, \($0) of them." }.joined(separator: " ")
        try session.temporary.file("a.txt", other)
        let again = try await session.program.run("read", path, "--detach")
        #expect(again.code == 0 && again.errors.contains("has changed") && again.errors.contains("goes on near"))
        let share = Double(try await place(in: session)) / Double(other.utf8.count)
        #expect((0.4...0.6).contains(share), "\(share)")
        #expect(try await session.status().status.warning?.contains("goes on near") == true)
    }
}

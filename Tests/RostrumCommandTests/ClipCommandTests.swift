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

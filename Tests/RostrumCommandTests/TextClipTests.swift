// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// A clip of a text: a quote with its place.
@Suite(.timeLimit(.minutes(3)))
struct `A clip of a text` {
    private let session: RunningSession
    private static let sentences = (0..<60).map {
        "Number \($0) tells of the \($0 * 7919 % 1009) ships in harbour \($0 * 31 % 97)."
    }
    private static let text = sentences.joined(separator: " ")

    init() throws { session = try RunningSession() }

    private func byte(_ words: String, in text: String = text) throws -> Int64 {
        let range = try #require(text.firstRange(of: words))
        return Int64(text.utf8.distance(from: text.startIndex, to: range.lowerBound))
    }

    /// The number of the last sentence of a quote.
    private func index(_ quote: String) throws -> Int {
        try #require(Self.sentences.lastIndex { quote.hasSuffix($0) })
    }

    private func file(_ text: String = text) throws -> String {
        try session.temporary.file("a.txt", text)
    }

    private func add(_ arguments: String...) async throws -> ClipInfo {
        let outcome = try await session.program.run(["clip", "add"] + arguments + ["--json"])
        try #require(outcome.code == 0, "\(outcome)")
        return try JSONDecoder().decode(ClipInfo.self, from: Data(outcome.output.utf8))
    }

    @Test func `has the whole sentences around the place that is read, and is found by its words`() async throws {
        let path = try file()
        let start = try byte("Number 20 ")
        let read = try await session.program.run("read", path, "--at", "byte:\(start)", "--detach")
        try #require(read.code == 0, "\(read.errors)")
        try await session.until { $0.text.map { $0.offset >= start } ?? false }
        #expect(try await session.program.run("pause").code == 0)
        let clip = try await add("--note", "ships", "--tag", "sea")
        let quote = try #require(clip.quote)
        #expect(quote.hasPrefix("Number ") && quote.hasSuffix(".") && quote.contains(Self.sentences[20]))
        #expect(clip.start.units == (try byte(quote)) && clip.end.units - clip.start.units == Int64(quote.utf8.count))
        #expect(clip.file == nil && clip.note == "ships" && clip.tags == ["sea"])
        // The sentence that is heard; during its first word, also the one before.
        let heard = try #require(try await add("--start", "sentence:-1", "--end", "sentence:+1").quote)
        let passages = Self.sentences.indices.dropFirst().flatMap {
            [Self.sentences[$0], Self.sentences[$0 - 1...$0].joined(separator: " ")]
        }
        #expect(passages.contains(heard), "\(heard)")
        // Both ends count from the place.
        let four = try #require(try await add("--start", "sentence:-2", "--end", "sentence:+3").quote)
        #expect(four.hasSuffix(Self.sentences[try index(heard) + 2]) && four.contains(heard), "\(four)")
        let around = try await add("--start", "-20", "--end", "+5")
        let place = try #require(try await session.status().status.text?.offset)
        #expect(around.start.units < place && place < around.end.units)
        #expect(place - around.start.units > around.end.units - place)
        let list = try await session.program.run("clip", "list", "tells", "harbour").output
        #expect(list.contains(clip.id) && list.contains("“Number "))
        let none = try await session.program.run("clip", "list", "zebra").output
        #expect(!none.contains(clip.id))
        let repair = try await session.program.run("clip", "repair")
        #expect(repair == .init(output: "0 made, 0 set aside, 0 failed\n", errors: "", code: 0))
    }

    @Test func `has whole sentences, unless bytes are named`() async throws {
        let path = try file()
        let inside = try byte("tells of the", in: Self.text) + 2
        var clip = try await add("--book", path, "--start", "byte:\(inside)", "--end", "byte:\(inside + 10)")
        #expect(clip.quote == "lls of the")
        clip = try await add("--book", path, "--start", "byte:0", "--end", "sentence:+2")
        #expect(clip.quote == Self.sentences[..<2].joined(separator: " "))
        clip = try await add("--book", path, "--start", "sentence:3", "--end", "sentence:5")
        #expect(clip.quote == Self.sentences[2..<4].joined(separator: " "))
        clip = try await add("--book", path, "--start", "10", "--end", "11")
        #expect(clip.quote.map { $0.hasPrefix("Number ") && $0.hasSuffix(".") } == true)
        let beyond = try await session.program.run(
            "clip", "add", "--book", path, "--start", "byte:99999999", "--end", "byte:999999999")
        #expect(beyond.code == 66, "\(beyond)")
        for start in ["-20", "sentence:-1", "paragraph:+2"] {
            let refused = try await session.program.run(
                "clip", "add", "--book", path, "--start", start, "--end", "byte:99")
            #expect(refused.code == 64)
            #expect(
                refused.errors == "rostrum: \(start) counts from the current place, and “a” has none; give a time\n")
        }
    }

    @Test func `is read from its first to its last word, and what was read before goes on`() async throws {
        let path = try file()
        let read = try await session.program.run("read", path, "--detach")
        try #require(read.code == 0, "\(read.errors)")
        let (start, end) = (try byte("Number 30 "), try byte("Number 32 "))
        let clip = try await add("--book", path, "--start", "byte:\(start)", "--end", "byte:\(end)")
        #expect(clip.quote == Self.sentences[30..<32].joined(separator: " ") + " ")
        let play = try await session.program.run("clip", "play", clip.id, "--owner", "reader", "--detach")
        try #require(play.code == 0, "\(play.errors)")
        var heard: [Int64] = []
        try await session.until {
            if $0.owner == "reader", let offset = $0.text?.offset { heard.append(offset) }
            return $0.owner == "main" && $0.status == "playing"
        }
        #expect(!heard.isEmpty && heard.allSatisfy { (start...end).contains($0) }, "\(heard)")
        #expect(try #require(try await session.status().status.item?.uri).hasSuffix("a.txt"))
        let loop = try await session.program.run("clip", "play", clip.id, "--loop", "--detach")
        #expect(loop.code == 64 && loop.errors.contains("not repeated"))
    }

    @Test func `moves with its words, and is read from its own when they are gone`() async throws {
        let path = try file()
        let (start, end) = (try byte("Number 30 "), try byte("Number 32 ") - 1)
        let clip = try await add("--book", path, "--start", "byte:\(start)", "--end", "byte:\(end)")
        let changed = "A new preface. " + Self.text
        _ = try file(changed)
        let play = try await session.program.run("clip", "play", clip.id, "--owner", "reader", "--detach")
        try #require(play.code == 0, "\(play.errors)")
        let place = try byte("Number 30 ", in: changed)
        try await session.until { $0.owner == "reader" && $0.text.map { $0.offset >= place } ?? false }
        let moved = try await session.clip(clip.id)
        #expect(moved.start.units == place && moved.quote == clip.quote)
        #expect(try await session.program.run("stop", "--owner", "reader").code == 0)
        let edited = try await session.program.run("clip", "edit", clip.id, "--end", "sentence:+1", "--json")
        try #require(edited.code == 0, "\(edited.errors)")
        #expect(try await session.clip(clip.id).quote == Self.sentences[30..<33].joined(separator: " "))

        _ = try file("Nothing of it is left. Not a word.")
        let own = try await session.program.run("clip", "play", clip.id, "--owner", "other", "--detach")
        try #require(own.code == 0, "\(own.errors)")
        try await session.until { $0.owner == "other" && $0.text != nil }
        #expect(try await session.program.run("release", "other").code == 0)
        let edit = try await session.program.run("clip", "edit", clip.id, "--end", "sentence:+1")
        #expect(edit.code == 66 && edit.errors.contains("gone"))
        try FileManager.default.removeItem(atPath: path)
        let lost = try await session.program.run("clip", "play", clip.id, "--owner", "third", "--detach")
        #expect(lost.code == 0, "\(lost.errors)")
    }

    @Test func `is exported as words with their source, and comes back in from a list`() async throws {
        let path = try file()
        let clip = try await add(
            "--book", path, "--start", "byte:0", "--end", "sentence:+2", "--note", "a *note*")
        let folder = session.temporary.path + "/out"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let words = Self.sentences[..<2].joined(separator: " ")
        let whole = try await session.program.run("clip", "export", clip.id, "--to", folder)
        try #require(whole.code == 0, "\(whole.errors)")
        let name = whole.output.trimmingCharacters(in: .newlines)
        #expect(name.hasSuffix(".txt"))
        let text = try String(contentsOfFile: name, encoding: .utf8)
        #expect(text.hasPrefix(words + "\n\n— a\n") && text.contains("file://\(path), bytes 0–\(words.utf8.count)"))
        #expect(text.hasSuffix("\na *note*\n"))
        let markdown = try await session.program.run("clip", "export", clip.id, "--to", folder + "/q.md")
        try #require(markdown.code == 0, "\(markdown.errors)")
        let quoted = try String(contentsOfFile: folder + "/q.md", encoding: .utf8)
        #expect(quoted.hasPrefix("> " + words) && quoted.contains("> — a") && quoted.contains("a \\*note\\*"))
        let sound = try await session.program.run("clip", "export", clip.id, "--to", folder + "/q.mp3")
        #expect(sound.code == 64 && sound.errors.contains("txt or md"))
        let book = try await session.clip(of: session.sound("book.wav", milliseconds: 20_000))
        let none = try await session.program.run("clip", "export", book.id, "--to", folder + "/q.txt")
        #expect(none.code == 64 && none.errors.contains("is of a recording"))

        let list = try await session.program.run("clip", "export", "--list", "json", clip.id).output
        #expect(try await session.program.run("clip", "delete", clip.id).code == 0)
        let back = try await session.program.run("clip", "import", "-", input: list)
        #expect(back == .init(output: "1 added, 0 were there\n", errors: "", code: 0))
        #expect(try await session.clip(clip.id).quote == words)
        #expect(
            try await session.program.run("clip", "export", "--list", "markdown", clip.id).output.contains(
                "  > Number 0"))
    }
}

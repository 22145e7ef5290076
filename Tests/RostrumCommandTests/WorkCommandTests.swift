// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import FakeSession
import Foundation
import SessionProtocol
import Testing

/// A recording that eSpeak NG made of a text, and what the command line does with both.
@Suite(.timeLimit(.minutes(5))) struct `A book and its text on the command line` {
    private let session: RunningSession
    private let text: String
    /// The ID of the book.
    private let book: String

    init() async throws {
        let session = try RunningSession()
        for folder in ["texts", "books"] {
            try FileManager.default.createDirectory(
                atPath: session.temporary.path + "/" + folder, withIntermediateDirectories: true)
        }
        let text = try session.temporary.file("texts/story.txt", Self.story)
        let recording = session.temporary.path + "/books/story.wav"
        let rendered = try await session.program.run("read", text, "--output", "wav:" + recording)
        try #require(rendered.code == 0, "\(rendered.errors)")
        (self.session, self.text) = (session, text)
        book = try await Self.add(recording, session)
    }

    /// Sentences that all differ, about seven minutes of speech.
    private static let story: String = {
        let people = ["The captain", "A sailor", "Her brother", "The old doctor", "Nobody else", "The cook", "A child"]
        let acts = ["looked for", "painted", "remembered", "carried away", "counted", "gave back", "forgot", "praised"]
        let things = ["the lantern", "a broken oar", "three letters", "his hat", "the harbour", "green bottles"]
        let times = ["before the storm", "in the morning", "without a word", "because of the fog", "on Sunday"]
        return (0..<110).map { number in
            "\(people[number * 3 % 7]) \(acts[number * 5 % 8]) \(things[number * 7 % 6]) \(times[number % 5]), "
                + "and that was number \(number * 37 % 1009)."
        }.joined(separator: " ")
    }()

    private static func add(_ path: String, _ session: RunningSession) async throws -> String {
        let added = try await session.program.run("library", "add", path, "--json")
        for line in added.output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            if object?["type"] as? String == "book", let id = object?["id"] as? String { return id }
        }
        Issue.record("\(added)")
        return ""
    }

    private func run(_ words: String...) async throws -> Program.Outcome { try await session.program.run(words) }

    private func work() async throws -> LibraryWork {
        let shown = try await run("align", book, "--show", "--json")
        try #require(shown.code == 0, "\(shown.errors)")
        return try JSONDecoder().decode(LibraryWork.self, from: Data(shown.output.utf8))
    }

    // MARK: Pairs

    @Test func `are paired and parted, and the status knows at once`() async throws {
        #expect(try await run("align", book, "--show").code == 66, "it has no text")
        let paired = try await run("library", "pair", book, text)
        #expect(paired.code == 0 && paired.errors.isEmpty)
        let lines = paired.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("text: file://\(text)") && lines.contains("places: proportional"), "\(lines)")
        #expect(try await run("play", "library:" + book, "--detach").code == 0)
        try await session.until { $0.work?.uri == "file://" + text }
        let parted = try await run("library", "unpair", book)
        #expect(parted.code == 0 && parted.output.contains("has no text now"))
        #expect(try await session.status().status.work == nil)
        #expect(try await run("align", book, "--show").code == 66)
        #expect(try await run("library", "unpair", "nosuchid").code == 66)
        #expect(try await run("library", "pair", book, text + "x").code == 66)
    }

    @Test func `keep their text unless it is taken by force`() async throws {
        let other = try await Self.add(try session.sound("other.wav", milliseconds: 3000), session)
        #expect(try await run("library", "pair", book, text).code == 0)
        let refused = try await run("library", "pair", other, text)
        #expect(refused.code == 77 && refused.errors.contains("(\(book))") && refused.errors.contains("--force"))
        #expect(try await work().text == "file://" + text)
        let taken = try await run("library", "pair", other, text, "--force")
        #expect(taken.code == 0 && taken.output.contains("it was the text of “story” (\(book))"), "\(taken)")
        #expect(try await run("align", book, "--show").code == 66)
    }

    // MARK: Alignment

    @Test func `are aligned with progress, and go on after a kill where that was`() async throws {
        #expect(try await run("library", "pair", book, text).code == 0)
        let file = try #require(try await work().alignment)
        let first = try session.program.start(["align", book, "--json"])
        // It tells of its progress until the header, the voice and one step are on disk.
        while Self.lines(of: file) < 3 { try #require(try await blocking { first.read() } != "", "it has ended") }
        kill(first.processIdentifier, SIGKILL)
        let told = try await blocking { first.outcome() }
        try #require(told.code == 128 + SIGKILL, "\(told)")
        let left = try Data(contentsOf: URL(fileURLWithPath: file))
        try #require(Self.lines(of: file) >= 3)
        #expect(try await work().share > 0, "what is there is used")

        let second = try await run("align", book, "--json")
        try #require(second.code == 0, "\(second.errors)")
        let objects = try second.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let progress = objects.compactMap { $0["progress"] as? Double }
        #expect(progress == progress.sorted() && progress.last ?? 0 > 0.9)
        #expect(try #require(progress.first) > 0.1, "it goes on and does not begin anew")
        let summary = try #require(objects.last)
        #expect(summary["matchedShare"] as? Double ?? 0 > 0.9, "\(summary)")
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let kept = left[..<(try #require(left.lastIndex(of: UInt8(ascii: "\n"))) + 1)]
        #expect(whole.starts(with: kept) && whole.count > kept.count)

        let shown = try await work()
        #expect(shown.grade == "aligned" && shown.share > 0.9)
        let words = try await run("align", book, "--show")
        #expect(words.output.contains("places: aligned, \(Int(shown.share * 100)) % of the text to the sentence"))
        // What is complete is not made again.
        let third = try await run("align", book)
        #expect(third.code == 0 && third.output.contains("% of the text found"), "\(third)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == whole)
    }

    @Test func `are aligned by one process at a time, which can be seen and stopped`() async throws {
        #expect(try await run("library", "pair", book, text).code == 0)
        #expect(try await work().run == nil)
        let begun = try await run("align", book, "--background")
        try #require(begun.code == 0 && begun.output.contains("in the background"), "\(begun)")
        let running = try #require(try await work().run)
        let process = try #require(running.process)
        // It must not be done before it was looked at.
        try #require(running.state == "running" && kill(process, SIGSTOP) == 0, "\(running)")
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").compactMap {
            id_t($0)
        }
        #expect(
            threads.allSatisfy { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), $0) == 19 } && !threads.isEmpty)
        let seen = try await run("align", book, "--show")
        #expect(seen.output.contains("\naligning: ") && seen.output.contains(", process \(process);"), "\(seen)")
        for words in [["align", book], ["align", book, "--background"]] {
            let second = try await session.program.run(words)
            #expect(second.code == 75 && second.errors.contains("“story” is being aligned already"), "\(second)")
        }
        #expect(try await run("play", "library:" + book, "--detach").code == 0)
        try await session.until { $0.work?.run?.state == "running" }
        #expect(try await run("status").output.contains("\naligning: "))

        let stopped = try await run("align", book, "--stop")
        #expect(stopped.code == 0 && stopped.output.contains("of “story” is stopped, "), "\(stopped)")
        #expect(kill(process, 0) != 0 || Self.isEnded(process))
        #expect(try await work().run?.state == "stopped")
        let again = try await run("align", book, "--stop")
        #expect(again.code == 0 && again.output == "“story” is not being aligned\n", "\(again)")
        #expect(try await run("align", book, "--stop", "--show").code == 64)
    }

    /// Returns whether a process is gone, but for whoever has to take note of it.
    private static func isEnded(_ process: Int32) -> Bool {
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state.map { $0.split(separator: ")").last?.hasPrefix(" Z") == true } ?? true
    }

    @Test func `are stopped in the background, whatever was said before and became of the text`() async throws {
        #expect(try await run("library", "pair", book, text).code == 0)
        var talkative = session.program
        // The loader of each program complains of it.
        talkative.environment["LD_PRELOAD"] = session.temporary.path + "/nosuch.so"
        let begun = try await talkative.run("align", book, "--background")
        try #require(begun.code == 0 && begun.output.contains("in the background"), "\(begun)")
        #expect(begun.errors.contains("nosuch.so"))
        let process = try #require(try await work().run?.process)
        // It must not be done before it was looked at.
        try #require(kill(process, SIGSTOP) == 0)
        try session.temporary.file("texts/story.txt", "Another story. " + Self.story)
        #expect(try await work().run?.process == process, "it is seen although the text is another")
        try FileManager.default.removeItem(atPath: text)
        let stopped = try await run("align", book, "--stop")
        #expect(stopped.code == 0 && stopped.output.contains("of “story” is stopped, "), "\(stopped)")
        #expect(kill(process, 0) != 0 || Self.isEnded(process))
        let again = try await run("align", book, "--stop")
        #expect(again.code == 0 && again.output == "“story” is not being aligned\n", "\(again)")
    }

    @Test func `keep the reason why they could not be aligned`() async throws {
        #expect(try await run("library", "pair", book, text).code == 0)
        let failed = try await run("align", book, "--engine", "nosuch")
        #expect(failed.code == 69)
        let reason = try #require(failed.errors.split(separator: "\n").last?.split(separator: "rostrum: ").last)
        let left = try #require(try await work().run)
        #expect(left.state == "failed" && left.process == nil && left.endedAt ?? 0 >= left.begunAt)
        #expect(left.failure == .init(kind: "unavailable", message: String(reason)))
        #expect(
            try await run("align", book, "--show").output.contains("the last alignment failed, 0 % done: \(reason)"))
    }

    @Test func `show what has no counterpart`() async throws {
        #expect(try await run("library", "pair", book, text).code == 0)
        let before = try await work()
        #expect(before.unmatched == nil)
        let writer = try AlignmentWriter(
            try #require(before.alignment),
            AlignmentHeader(
                text: try #require(before.textIdentity), recording: try #require(before.recordingIdentity),
                engine: "espeak", voice: nil))
        let voice = VoiceCalibration(
            means: [Float](repeating: 0, count: 9), deviations: [Float](repeating: 1, count: 9), book: [])
        let end = try #require(Self.story.utf8.firstIndex(of: UInt8(ascii: ".")))
        let first = 0..<Self.story.utf8.distance(from: Self.story.utf8.startIndex, to: end) + 1
        var state = AlignmentState(voice: voice, text: first.upperBound, track: 0, step: 6_800)
        state.matchedEnd = 68_000
        try writer.append(
            AlignmentStep(
                sentences: [
                    AlignedSentence(range: first, track: 0, start: 65_000, end: 68_000, error: 80, isMatched: true)
                ],
                unmatched: [UnmatchedSound(track: 0, range: 1_000..<64_000)],
                repeated: [RepeatedSound(track: 0, range: 60_000..<64_000, text: first)],
                state: state, isLast: true))
        let shown = try await work()
        let size = Int64(Self.story.utf8.count)
        let unmatched = try #require(shown.unmatched)
        try #require(unmatched.count == 3, "\(unmatched)")
        #expect(unmatched[0] == .init(kind: "prologue", file: 0, startMs: 1_000, endMs: 60_000))
        let again = try #require(unmatched[1].words)
        #expect(Self.story.hasPrefix(again.hasSuffix("…") ? String(again.dropLast()) : again) && again.count > 10)
        #expect(
            unmatched[1]
                == .init(
                    kind: "repeated", file: 0, startMs: 60_000, endMs: 64_000, startByte: 0,
                    endByte: Int64(first.upperBound), words: again))
        #expect(unmatched[2].kind == "skipped" && unmatched[2].startMs == 68_000 && unmatched[2].endByte == size)
        #expect(shown.unmatchedLeftOut == nil)
        let words = try #require(unmatched[2].words)
        #expect(words.hasSuffix("…") && Self.story.contains(words.dropLast()) && words.count > 20)
        let lines = try await run("align", book, "--show").output.split(separator: "\n").suffix(4)
        #expect(
            lines == [
                "without a counterpart:", "  0:01–1:00  prologue", "  1:00–1:04  repeated: “\(again)”",
                "  1:08  skipped: “\(words)”",
            ])
    }

    private static func lines(of path: String) -> Int {
        FileManager.default.contents(atPath: path)?.count { $0 == UInt8(ascii: "\n") } ?? 0
    }
}

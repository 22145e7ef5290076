// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

/// The outcome for a user of an engine with one of the faults of `conformant.c`.
private struct BrokenEngine: Sendable {
    enum Item: Sendable { case book, text, damaged, damagedSecond }

    var item = Item.book
    /// The exit code of `rostrum play`, attached.
    var code: Int32 = 0
    var says = ""
    /// The exit code and the words if the seek comes only when the first file has been heard to its end.
    var later: (code: Int32, says: String)?
    /// The status afterwards.
    var status = "ended"
    /// The number of retries until sound is back, or until the session gives up.
    var tries = 0...0

    static let killed = "rostrum: the engine conformant was killed by signal 11 (Segmentation fault)\n"

    /// The exceptions; with any other fault, the book is played to its end as if nothing was wrong.
    static let special: [String: BrokenEngine] = [
        "CRASH": .init(code: 70, says: killed, status: "error", tries: 1...9),
        "HANG": .init(
            code: 74, says: "rostrum: the engine conformant rendered nothing more and was ended\n", status: "error",
            tries: 1...9),
        // It is ended because it contradicts itself. Another process continues after it, or starts again where it was
        // heard.
        "BACKWARDS": .init(tries: 0...3),
        "NO_CONFIDENCE": .init(
            code: 70, says: "rostrum: the engine conformant describes track 0 with impossible numbers\n",
            status: "idle"),
        "EMPTY_CHAPTER": .init(
            code: 70, says: "rostrum: the engine conformant describes chapter 0 with impossible numbers\n",
            status: "idle"),
        "CRASHES_ON_BAD": .init(item: .damaged, code: 70, says: killed, status: "idle"),
        "TWO_LINES": .init(item: .damaged, code: 65, says: "rostrum: failed: not a WAV file\n", status: "idle"),
        "STAYS_LOADED": .init(item: .damaged, code: 65, says: "rostrum: not a WAV file\n", status: "idle"),
        // It reports that no sound of the second file can be played, and thereby that it is back in the first.
        "ENDLESS_GAP": .init(
            item: .damagedSecond, code: 70,
            says: "rostrum: the engine conformant rendered a block with position 0 after 72000\n",
            // The session steps over the end of the first file, and so finds that the second one cannot be opened.
            later: (code: 65, says: "rostrum: not a WAV file\n"), status: "error", tries: 1...9),
        // It fails after the seek that comes while the last part of it is audible.
        "STAYS_ENDED": .init(code: 70, says: "rostrum: nothing comes after the end\n", status: "error"),
        // There is no fault in the engine, but an unreadable file after a readable one.
        "NONE": .init(item: .damagedSecond, code: 65, says: "rostrum: not a WAV file\n", status: "error"),
        "NEXT_WORD": .init(item: .text), "LATE_MARK": .init(item: .text), "LONG_MARK": .init(item: .text),
        "WRONG_PACE": .init(item: .text), "BAD_RATES": .init(item: .text), "SAME_VOICES": .init(item: .text),
        "REFUSES_VOICES": .init(item: .text),
    ]

    /// The names in the fixture's enumeration, in groups that are played side by side.
    static let faults: [[String]] = {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Engines/conformant.c")
        let text = (try? String(contentsOf: source, encoding: .utf8)) ?? ""
        let names = text.split(separator: "enum fault {").dropFirst().first?.split(separator: "}").first ?? ""
        let all = names.split { $0 == "," || $0.isWhitespace }.map(String.init) + ["SECOND_SYMBOL"]
        return stride(from: 0, to: all.count, by: 6).map { Array(all[$0..<min($0 + 6, all.count)]) }
    }()
}

@Suite(.timeLimit(.minutes(3)))
struct `A session with a broken engine` {
    /// Plays what shows the fault, sends commands meanwhile, and plays something with a sound engine afterwards.
    private static func play(_ fault: String) async throws {
        let expected = BrokenEngine.special[fault] ?? BrokenEngine()
        let session = try RunningSession()
        try session.engine(
            "conformant", from: "conformant.c", [fault == "SECOND_SYMBOL" ? "-DSECOND_SYMBOL" : "-DFAULT=\(fault)"])
        let book = try session.sound("book.wav", milliseconds: 1_500)
        let damaged = try session.temporary.file("damaged.wav", "RIFF")
        let text = try session.temporary.file("text.txt", "One sentence of words. And another one of these.\n")
        let items: [String] =
            switch expected.item {
            case .book: ["play", book]
            case .text: ["read", text]
            case .damaged: ["play", damaged]
            case .damagedSecond: ["play", book, damaged]
            }
        let running = try session.program.start(items + ["--engine", "conformant", "--json"])
        var said = ""
        while !said.contains(#""status":"playing""#) {
            let piece = try await blocking { running.read() }
            if piece.isEmpty { break }
            said += piece
        }
        // The result of the seek does not matter.
        _ = try await session.program.run("seek", "0.1")
        let during = try await session.status()
        #expect(during.after < .seconds(2), "\(fault)")
        let outcome = try await blocking { running.outcome() }
        var (code, says) = (expected.code, expected.says)
        if let later = expected.later, outcome.code == later.code { (code, says) = later }
        #expect(outcome.code == code && outcome.errors == says, "\(fault): \(outcome)")

        let after = try await session.status()
        #expect(after.after < .seconds(2), "\(fault)")
        // A seek that comes after the end was heard only moves the position.
        let isEnd = expected.status == "ended" && after.status.status == "ready"
        #expect(after.status.status == expected.status || isEnd, "\(fault): \(after.status)")
        #expect(after.status.error.map { "rostrum: \($0.message)\n" } ?? "" == says, "\(fault)")
        #expect((after.status.item?.title ?? "").utf8.count < 5_000, "\(fault)")
        let tries = try await session.log().count { $0["action"] as? String == "retry" }
        #expect(expected.tries.contains(tries), "\(fault): \(tries)")

        let sound = try session.sound("sound.wav", milliseconds: 200)
        let healthy = try await session.program.run("play", sound, "--engine", "ffmpeg", "--from-start")
        #expect(healthy == .init(output: "", errors: "", code: 0), "\(fault)")
        let last = try await session.status().status
        #expect(last.status == "ended" && last.engine == "ffmpeg" && last.error == nil, "\(fault): \(last)")
        #expect(session.isAlive, "\(fault)")
    }

    @Test(arguments: BrokenEngine.faults)
    fileprivate func `stays alive, says what happened, and plays with a sound one`(_ faults: [String]) async throws {
        try await withThrowingTaskGroup { group in
            for fault in faults { group.addTask { try await Self.play(fault) } }
            try await group.waitForAll()
        }
    }

    @Test fileprivate func `is tested with every fault that the kit finds`() {
        let faults = Set(BrokenEngine.faults.joined())
        #expect(faults.count > 50 && faults.isSuperset(of: BrokenEngine.special.keys))
    }
}

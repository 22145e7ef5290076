// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import ProcessTestSupport
import Testing

@testable import AlignmentFile

@Suite(.timeLimit(.minutes(1))) struct `The making of an alignment` {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/k.alignment" }

    init() throws { folder = try TemporaryFolder() }

    /// Makes a record as a process leaves it that is killed.
    private func leave(_ share: Double) throws {
        let claim = try RunningAlignment(path)
        claim.note(share: share)
    }

    @Test func `leaves word when it ends`() throws {
        #expect(AlignmentActivity(of: path) == nil, "nobody ever made it")
        try leave(0.25)
        let left = try #require(AlignmentActivity(of: path))
        #expect(left.state == .interrupted && left.share == 0.25 && left.begunAt > 0 && left.endedAt == nil)

        let failure = AlignmentFailure(.unavailable, "no engine 'x' is installed: see rostrum engines")
        try RunningAlignment(path).fail(failure)
        let failed = try #require(AlignmentActivity(of: path))
        #expect(failed.state == .failed(failure) && failed.share == 0 && failed.endedAt ?? 0 >= failed.begunAt)

        let last = try RunningAlignment(path)
        last.note(share: 0.99)
        last.finish()
        #expect(AlignmentActivity(of: path) == nil, "nothing is to be said of a complete one")
    }

    @Test func `leaves at most a line of any message`() throws {
        for message in [String(repeating: "\u{1}", count: 5000), String(repeating: "👩‍👩‍👧", count: 900)] {
            try RunningAlignment(path).fail(AlignmentFailure(.content, message))
            guard case .failed(let failure) = AlignmentActivity(of: path)?.state else {
                Issue.record("the failure is lost")
                continue
            }
            #expect(!failure.message.isEmpty && failure.message.utf8.count <= 610 && failure.kind == .content)
        }
        // What follows is shorter, and not mixed up with it.
        try leave(0.5)
        #expect(AlignmentActivity(of: path)?.state == .interrupted)
    }

    @Test(arguments: [
        "", "\n", "{}\n", "{\"begunAt\":1", "{\"begunAt\":\"x\",\"share\":0}\n",
        "{\"begunAt\":99999999999999999999,\"share\":0}\n",
        "{\"begunAt\":1,\"share\":0,\"failure\":{\"kind\":\"no such\",\"message\":\"\"}}\n", "\u{0}\u{0}\n",
    ])
    func `is not known by a damaged record`(content: String) throws {
        try folder.write("k.alignment.run", Data(content.utf8))
        #expect(AlignmentActivity(of: path) == nil)
        #expect(try AlignmentActivity.end(path) == nil)
        try leave(1)
        #expect(AlignmentActivity(of: path)?.share == 1)
    }

    @Test func `has a share of 0 to 1, whatever is written`() throws {
        for (written, share) in [(-3.0, 0.0), (1e300, 1), (0.5, 0.5)] {
            try folder.write("k.alignment.run", Data("{\"begunAt\":1,\"share\":\(written)}\n".utf8))
            #expect(AlignmentActivity(of: path)?.share == share)
        }
    }

    @Test func `is the work of one process at a time`() throws {
        try leave(0.25)
        let other = try AligningProcess(making: path)
        let running = try #require(AlignmentActivity(of: path))
        #expect(running.state == .running(process: other.id) && running.share == 0.25)
        let refused = #expect(throws: AlignmentFileError.self) { try RunningAlignment(path) }
        #expect(refused?.kind == .busy)
        #expect(refused?.message.contains("process \(other.id) ") == true)
        #expect(AlignmentActivity(of: path) == running, "a refusal leaves no word")
        other.end()
        _ = try RunningAlignment(path)
    }

    @Test func `says of which book it is, while it goes on`() throws {
        let books: [(name: String, book: String?)] = [
            ("k", "abcd1234"), ("old", nil), ("over", "abcd1234"), ("long", String(repeating: "x", count: 33)),
        ]
        for (name, book) in books { _ = try RunningAlignment("\(folder.path)/\(name).alignment", book: book) }
        try folder.write("k.alignment")
        #expect(AlignmentActivity(of: path)?.book == "abcd1234")
        #expect(AlignmentActivity.running(in: folder.path) == [:])
        let paths = ["k", "old", "long"].map { "\(folder.path)/\($0).alignment" }
        let others = try paths.map { try AligningProcess(making: $0) }
        let running = AlignmentActivity.running(in: folder.path)
        #expect(running.keys.sorted() == paths.sorted())
        #expect(paths.map { running[$0]?.book } == ["abcd1234", nil, nil], "a part of an ID is another ID")
        #expect(running[paths[0]]?.state == .running(process: others[0].id))
        for other in others { other.end() }
        #expect(AlignmentActivity.running(in: folder.path + "/none") == [:])
    }

    @Test func `leaves a record that fits, with a book and a reason of any length`() throws {
        let claim = try RunningAlignment(path, book: String(repeating: "\u{1}", count: 32))
        claim.note(share: 0.123456789012345)
        claim.fail(AlignmentFailure(.unavailable, String(repeating: "\u{1}", count: 5000)))
        let left = try #require(AlignmentActivity(of: path))
        #expect(left.endedAt != nil && left.book?.utf8.count == 32)
    }

    @Test(arguments: [false, true])
    func `ends by request, with what is known of it`(isHalted: Bool) throws {
        try leave(0.25)
        let other = try AligningProcess(making: path)
        if isHalted { kill(other.id, SIGSTOP) }
        let ended = try #require(try AlignmentActivity.end(path))
        other.process.waitUntilExit()
        #expect(other.process.terminationReason == .uncaughtSignal && other.process.terminationStatus == SIGTERM)
        #expect(ended.state == .stopped && ended.share == 0.25 && ended.endedAt ?? 0 >= ended.begunAt)
        #expect(AlignmentActivity(of: path) == ended)
        #expect(try AlignmentActivity.end(path) == nil, "nobody makes it now")
        #expect(AlignmentActivity(of: path) == ended)
    }

    @Test func `is no work of a process that merely looks at it`() throws {
        try leave(0.25)
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/tail")
        reader.arguments = ["-f", path + ".run"]
        let output = Pipe()
        reader.standardOutput = output
        try reader.run()
        try #require(!output.fileHandleForReading.availableData.isEmpty)
        #expect(try AlignmentActivity.end(path) == nil)
        #expect(AlignmentActivity(of: path)?.state == .interrupted)
        #expect(reader.isRunning)
        kill(reader.processIdentifier, SIGKILL)
        reader.waitUntilExit()
    }

    @Test func `cannot be claimed where nothing can be written`() {
        let error = #expect(throws: AlignmentFileError.self) { try RunningAlignment(folder.path + "/none/k.alignment") }
        #expect(error?.kind == .io && error?.message.hasPrefix(folder.path) == true)
        #expect(AlignmentActivity(of: folder.path + "/none/k.alignment") == nil)
    }
}

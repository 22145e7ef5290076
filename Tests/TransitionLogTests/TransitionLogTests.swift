// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import JSON
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@testable import TransitionLog

@Suite struct `Transition log` {
    private struct Line: Decodable, Equatable {
        var seq: Int64
        var kind: String
        var n: Int?
        var lost: Int64?
        var padding: String?
    }

    private static func log(_ path: String, limit: Int64 = 8 << 20, capacity: Int = 4096) -> TransitionLog {
        TransitionLog(
            path: path, limit: limit, capacity: capacity,
            clock: TransitionClock(monotonic: { 1 }, wall: { 2 }),
            snapshot: { TransitionEntry(.snapshot, cause: .restore) })
    }

    private static func event(_ n: Int, _ kind: TransitionEntry.Kind = .event, padding: Int = 0) -> TransitionEntry {
        var fields: JSONObject = ["n": .int(Int64(n))]
        if padding > 0 { fields["padding"] = .string(String(repeating: "p", count: padding)) }
        return TransitionEntry(kind, cause: .user, fields: fields)
    }

    private static func lines(_ path: String) throws -> [Line] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test func `a file begins with a snapshot, and the next process continues the numbers`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a/b/transitions.jsonl"
        for start in [0, 2] {
            let log = Self.log(path)
            log.record(Self.event(start))
            log.record(Self.event(start + 1))
            await log.close()
        }
        let lines = try Self.lines(path)
        #expect(lines.map(\.kind) == ["snapshot", "event", "event", "snapshot", "event", "event"])
        #expect(lines.map(\.seq) == [1, 2, 3, 4, 5, 6])
        #expect(lines.compactMap(\.n) == [0, 1, 2, 3])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/a")[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func `a torn last line stays on a line of its own`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "transitions.jsonl", Data((#"{"v":1,"seq":41,"kind":"event"}"# + "\n" + #"{"v":1,"seq":42,"ki"#).utf8))
        let log = Self.log(path)
        log.record(Self.event(1))
        await log.flush()
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines[1] == #"{"v":1,"seq":42,"ki"#)
        #expect(lines[2].hasPrefix(#"{"v":1,"seq":42,"#))
        #expect(lines.count == 4)
    }

    @Test func `full files are rotated, four older ones are kept, and each begins with a snapshot`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/transitions.jsonl"
        let log = Self.log(path, limit: 2000)
        for n in 0..<60 {
            log.record(Self.event(n, padding: 300))
            await log.flush()
        }
        #expect(
            folder.names == [
                "transitions.jsonl", "transitions.jsonl.1", "transitions.jsonl.2", "transitions.jsonl.3",
                "transitions.jsonl.4",
            ])
        var last: Int64?
        for name in folder.names.sorted(by: >) {
            let file = name == "transitions.jsonl" ? folder.names[0] : name
            let lines = try Self.lines(folder.path + "/" + file)
            #expect(lines.first?.kind == "snapshot", "\(file)")
            if let last { #expect(lines.first?.seq == last + 1, "\(file)") }
            last = lines.last?.seq
        }
    }

    @Test func `a snapshot is taken on the thread of the event, just before it`() async throws {
        let folder = try TemporaryFolder()
        let state = Mutex(0)
        let log = TransitionLog(path: folder.path + "/transitions.jsonl", limit: 1500) {
            TransitionEntry(.snapshot, cause: .restore, fields: ["n": .int(Int64(state.withLock { $0 }))])
        }
        // As in the controller, the event is recorded before it is applied.
        for n in 1...40 {
            log.record(Self.event(n, padding: 100))
            state.withLock { $0 = n }
            log.record(Self.event(n, .session))
            if n % 3 == 0 { await log.flush() }
        }
        await log.close()
        for name in folder.names {
            var applied: Int?
            for line in try Self.lines(folder.path + "/" + name) {
                switch line.kind {
                case "snapshot":
                    if let applied { #expect(line.n == applied) }
                    applied = line.n
                case "event":
                    #expect(line.n == (applied ?? -9) + 1, "\(name) does not replay alone")
                    applied = line.n
                default: break
                }
            }
        }
    }

    @Test func `a full queue drops records and counts them`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/transitions.jsonl"
        let inside = DispatchSemaphore(value: 0)
        let held = DispatchSemaphore(value: 0)
        let log = Self.log(path, capacity: 8)
        let lines = log.subscribe()
        log.record(Self.event(0))
        await log.flush()
        log.holdWriter(entered: inside, until: held)
        inside.waitUntilSignalled()
        for n in 1...20 { log.record(Self.event(n)) }
        held.signal()
        await log.flush()
        log.record(Self.event(21))
        await log.close()
        let written = try Self.lines(path)
        #expect(written.compactMap(\.n) == Array(0...8) + [21])
        #expect(written.filter { $0.lost != nil } == [Line(seq: 11, kind: "snapshot", lost: 12)])
        var count = 0
        for await _ in lines { count += 1 }
        #expect(count == written.count)
    }

    @Test func `records lost on a missing disk are counted, and the log continues once it is back`() async throws {
        let folder = try TemporaryFolder()
        // A file in the place of the folder, so that nothing can be opened.
        let blocked = try folder.write("state")
        let log = Self.log(blocked + "/transitions.jsonl")
        log.record(Self.event(1))
        log.record(Self.event(2, .session))
        await log.flush()
        try FileManager.default.removeItem(atPath: blocked)
        log.record(Self.event(3))
        await log.close()
        let lines = try Self.lines(blocked + "/transitions.jsonl")
        // The loss is two entries and the snapshot before them.
        #expect(lines.map(\.kind) == ["snapshot", "event"])
        #expect(lines.first?.lost == 3)
        #expect(lines.last?.n == 3)
    }

    /// Needs the right to mount, and reports that it was skipped if it has none.
    @Test func `a full disk keeps whole lines, and the loss is recorded when there is room`() async throws {
        let folder = try TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0 else {
            print("skipped: no right to mount a small file system")
            return
        }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let filler = try folder.write("filler", Data(count: 40 << 10))
        let path = folder.path + "/transitions.jsonl"
        let log = Self.log(path)
        for n in 0..<100 {
            log.record(Self.event(n, padding: 700))
            await log.flush()
        }
        let before = try Self.lines(path)
        #expect(before.count > 5 && before.count < 100)
        try FileManager.default.removeItem(atPath: filler)
        log.record(Self.event(100))
        await log.close()
        let lines = try Self.lines(path)
        #expect(Array(lines.prefix(before.count)) == before)
        #expect(lines.dropFirst(before.count).map(\.kind) == ["snapshot", "event"])
        let written = before.filter { $0.kind == "event" }.count
        #expect((lines[before.count].lost ?? 0) >= 100 - Int64(written))
    }

    @Test func `a file that was removed is created again`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/transitions.jsonl"
        let log = Self.log(path)
        log.record(Self.event(1))
        await log.flush()
        try FileManager.default.removeItem(atPath: path)
        log.record(Self.event(2, .session))
        await log.flush()
        log.record(Self.event(3))
        await log.close()
        #expect(try Self.lines(path).map(\.kind) == ["snapshot", "event"])
        #expect(try Self.lines(path + ".1").map(\.n) == [2])
    }

    @Test func `a slow subscriber loses the oldest lines and ends with the log`() async throws {
        let folder = try TemporaryFolder()
        let log = Self.log(folder.path + "/transitions.jsonl")
        let stream = log.subscribe()
        for n in 1...600 { log.record(Self.event(n)) }
        await log.close()
        var seen: [String] = []
        for await line in stream { seen.append(line) }
        #expect(seen.count == LogSubscribers.capacity)
        #expect(seen.last?.contains(#""n":600"#) == true)
        #expect(seen.allSatisfy { !$0.contains("\n") })
        for await _ in log.subscribe() { Issue.record("a closed log has nothing to say") }
    }

    @Test func `a record that comes while the log is closed does not open its file again`() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<10 {
            let path = folder.path + "/\(round).jsonl"
            let log = Self.log(path)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let recording = Task {
                log.record(Self.event(1))
                begin.finish()
                while !Task.isCancelled {
                    log.record(Self.event(1))
                    await Task.yield()
                }
            }
            for await _ in begun {}
            await log.flush()
            await log.close()
            #expect(unlink(path) == 0)
            recording.cancel()
            await recording.value
            await log.flush()
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func `records of many threads are complete and numbered without gaps`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/transitions.jsonl"
        let log = Self.log(path, capacity: 100_000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for n in 0..<500 { log.record(Self.event(task * 1000 + n)) } }
            }
        }
        await log.close()
        let lines = try Self.lines(path)
        #expect(lines.map(\.seq) == Array(1...4001))
        for task in 0..<8 {
            let mine = lines.compactMap(\.n).filter { $0 / 1000 == task }
            #expect(mine == Array((task * 1000)..<(task * 1000 + 500)))
        }
    }

    @Test func `recording takes microseconds`() async throws {
        let folder = try TemporaryFolder()
        let log = Self.log(folder.path + "/transitions.jsonl", capacity: 200_000)
        let entry = TransitionEntry(
            .transition, cause: .user, command: "c1", engine: EngineID("ffmpeg"), owner: .main, from: "paused",
            to: "playing", fields: ["position": 123_456_789, "uri": "file:///books/a%20book.m4b", "rate": 1.25])
        let clock = ContinuousClock()
        let recorded = clock.measure { for _ in 0..<100_000 { log.record(entry) } }
        let start = clock.now
        await log.flush()
        print("transition log: 100,000 records queued in \(recorded), written \(clock.now - start) later")
        // Far above the time in a debug build. A log that waits for the disk would take minutes.
        #expect(recorded < .seconds(20))
    }
}

extension DispatchSemaphore {
    /// Waits for an event on another thread that is in progress.
    fileprivate func waitUntilSignalled() { wait() }
}

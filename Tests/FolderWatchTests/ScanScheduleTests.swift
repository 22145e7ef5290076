// SPDX-License-Identifier: Apache-2.0

import FolderWatch
import RandomTestSupport
import Testing

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// An order in words: `/r: /r/a /r/b/… (not /r/c)`; a tree ends with `/…`.
private func words(_ order: ScanSchedule.Order) -> String {
    func text(_ paths: Set<[UInt8]>, _ end: String = "") -> [String] {
        paths.map { String(decoding: $0, as: UTF8.self) + end }
    }
    let changed = (text(order.folders) + text(order.trees, "/…")).sorted().joined(separator: " ")
    let unsettled = (text(order.unsettledFolders) + text(order.unsettledTrees, "/…")).sorted()
    return changed + (unsettled.isEmpty ? "" : " not " + unsettled.joined(separator: " "))
}

@Suite struct `A schedule of scans` {
    enum Step: Sendable {
        case entries(String)
        case tree(String)
        case opened(String)
        case closed(String)
        case periodic(Bool)
        /// Begins a scan, with what is to be scanned; it ends after so many seconds.
        case scan(String, takes: Int64 = 0)
        /// The time of the next scan.
        case next(Int64?)
        case remove
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What happens at which second.
        var steps: [(Int64, Step)]
    }

    static let cases = [
        Case(
            testDescription: "a change is scanned after 5 s of quiet",
            steps: [
                (10, .entries("/r/a")), (10, .next(15)), (12, .entries("/r/a")), (12, .next(17)), (17, .scan("/r/a")),
                (17, .next(nil)),
            ]),
        Case(
            testDescription: "a folder that never rests is scanned after two minutes",
            steps: (0..<30).map { (10 + 4 * $0, .entries("/r/a")) } + [(129, .next(130)), (130, .scan("/r/a"))]),
        Case(
            testDescription: "one that still changes is left out of the scan of another",
            steps: [
                (10, .entries("/r/a")), (14, .entries("/r/b")), (14, .tree("/r/c")),
                (15, .scan("/r/a not /r/b /r/c/…")), (15, .next(20)), (20, .scan("/r/b /r/c/…")),
            ]),
        Case(
            testDescription: "a file that is written keeps only itself out",
            steps: [
                (10, .opened("/r/a/1.mp3")), (10, .next(610)), (11, .entries("/r/a")),
                (16, .scan("/r/a not /r/a/1.mp3/…")),
                (60, .closed("/r/a/1.mp3")), (60, .entries("/r/a")), (60, .next(65)), (65, .scan("/r/a")),
            ]),
        Case(
            testDescription: "a file that is never closed counts after ten minutes",
            steps: [(10, .opened("/r/a/1.mp3")), (600, .opened("/r/a/1.mp3")), (610, .scan("/r/a")), (610, .next(nil))]),
        Case(
            testDescription: "a file that is written in a folder that moves away is forgotten",
            steps: [
                (10, .opened("/r/a/1.mp3")), (11, .tree("/r/a")), (11, .opened("/r/b/1.mp3")),
                (16, .scan("/r/a/… not /r/b/1.mp3/…")),
            ]),
        Case(
            testDescription: "several changes are one scan",
            steps: [
                (10, .entries("/r/a")), (10, .tree("/r/b")), (10, .tree("/r/a")), (10, .entries("/r")),
                (15, .scan("/r /r/a/… /r/b/…")),
            ]),
        Case(
            testDescription: "a scan that takes long is followed by a long rest",
            steps: [
                (10, .entries("/r/a")), (15, .scan("/r/a", takes: 30)), (45, .entries("/r/a")), (45, .next(165)),
                (165, .scan("/r/a")),
            ]),
        Case(
            testDescription: "short scans are 5 s apart",
            steps: [
                (10, .entries("/r/a")), (14, .entries("/r/b")), (15, .scan("/r/a not /r/b", takes: 1)), (16, .next(21)),
            ]),
        Case(
            testDescription: "what the kernel does not report is scanned every 15 minutes",
            steps: [
                (0, .periodic(true)), (0, .next(900)), (900, .scan("/r/…")), (900, .periodic(true)), (900, .next(1800)),
                (1000, .periodic(false)), (1000, .next(nil)),
            ]),
        Case(
            testDescription: "a folder that is watched no longer is not scanned",
            steps: [(10, .entries("/r/a")), (11, .remove), (11, .next(nil)), (12, .entries("/r/a")), (12, .next(nil))]),
    ]

    @Test(arguments: cases)
    func `decides by time and changes alone`(_ it: Case) {
        let second: Int64 = 1_000_000_000
        var schedule = ScanSchedule()
        let root = bytes("/r")
        schedule.add(root, at: -100 * second)
        #expect(schedule.begin(at: -95 * second).map(words) == ["/r/…"])
        schedule.end(at: -95 * second)
        for (time, step) in it.steps {
            let now = time * second
            switch step {
            case .entries(let path): schedule.note(.entries(of: bytes(path)), in: root, at: now)
            case .tree(let path): schedule.note(.tree(bytes(path)), in: root, at: now)
            case .opened(let path): schedule.note(.opened(bytes(path)), in: root, at: now)
            case .closed(let path): schedule.note(.closed(bytes(path)), in: root, at: now)
            case .periodic(let isPeriodic): schedule.setPeriodic(isPeriodic, root, at: now)
            case .remove: schedule.remove(root)
            case .next(let next): #expect(schedule.next == next.map { $0 * second }, "at \(time)")
            case .scan(let wanted, let takes):
                #expect(schedule.begin(at: now - 1).isEmpty, "before \(time)")
                #expect(schedule.begin(at: now).map(words) == [wanted], "at \(time)")
                #expect(schedule.next == nil && schedule.begin(at: now + second).isEmpty)
                schedule.end(at: now + takes * second)
            }
        }
    }

    @Test func `scans again what a scan did not finish`() throws {
        var schedule = ScanSchedule(rules: .init(quiet: .seconds(1)))
        schedule.add(bytes("/r"), at: 0)
        schedule.add(bytes("/s"), at: 0)
        let orders = schedule.begin(at: 1_000_000_000)
        #expect(orders.map(words) == ["/r/…", "/s/…"])
        schedule.remove(bytes("/s"))
        schedule.end(at: 2_000_000_000, unfinished: orders)
        let next = try #require(schedule.next)
        #expect(schedule.begin(at: next).map(words) == ["/r/…"])
    }

    @Test func `takes ten thousand folders for the whole of it`() throws {
        var schedule = ScanSchedule()
        schedule.add(bytes("/r"), at: 0)
        for number in 0..<10_000 { schedule.note(.entries(of: bytes("/r/\(number)")), in: bytes("/r"), at: 1) }
        let next = try #require(schedule.next)
        let order = try #require(schedule.begin(at: next).first)
        #expect(order.trees == [bytes("/r")] && order.folders.count <= 2048)
    }

    @Test(arguments: [UInt64](0..<20))
    func `scans everything that changed, and within a bound`(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        var schedule = ScanSchedule()
        let root = bytes("/r")
        schedule.add(root, at: 0)
        var now: Int64 = 0
        /// The first change of each folder that was not scanned since.
        var waiting: [[UInt8]: Int64] = [root: 0]
        for _ in 0..<2_000 {
            now += Int64.random(in: 0..<4_000_000_000, using: &random)
            if let next = schedule.next, next <= now {
                let orders = schedule.begin(at: now)
                for order in orders { for folder in order.folders.union(order.trees) { waiting[folder] = nil } }
                now += Int64.random(in: 0..<2_000_000_000, using: &random)
                if !orders.isEmpty { schedule.end(at: now) }
            }
            // 120 s, and the longest rest after a scan.
            for (folder, first) in waiting { #expect(now - first < 140_000_000_000, "\(folder)") }
            let folder = bytes("/r/\(Int.random(in: 0..<6, using: &random))")
            guard Bool.random(using: &random) else { continue }
            schedule.note(Bool.random(using: &random) ? .entries(of: folder) : .tree(folder), in: root, at: now)
            waiting[folder] = waiting[folder] ?? now
        }
        while let next = schedule.next {
            for order in schedule.begin(at: next) {
                for folder in order.folders.union(order.trees) { waiting[folder] = nil }
            }
            schedule.end(at: next)
        }
        #expect(waiting.isEmpty)
    }

    @Test(arguments: [Duration.zero, .milliseconds(50), .seconds(3600), .seconds(Int64.max)])
    func `works with any delay`(_ quiet: Duration) {
        var schedule = ScanSchedule(rules: .init(quiet: quiet))
        schedule.add(bytes("/r"), at: .max - 5)
        schedule.note(.opened(bytes("/r/a")), in: bytes("/r"), at: .max - 5)
        #expect(schedule.next.map { $0 >= Int64.max - 5 } == true)
        #expect(schedule.begin(at: .max).count == 1)
        schedule.end(at: .max)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Clocks
import RandomTestSupport
import Testing

@testable import PulseOutput

@Suite struct ReplacementRuleTests {
    private static let millisecond = MonotonicTime.millisecond

    /// A sink whose turns take what is missing to a period ahead of the ear, each later than due by some time.
    private struct LateSink {
        let period: Int64
        /// The times of its turns.
        let turns: [Int64]

        init(period: Int64, until end: Int64, using random: inout some RandomNumberGenerator, latest: Int64) {
            self.period = period
            var turns: [Int64] = [0]
            while let last = turns.last, last < end {
                turns.append(last + period + (latest == 0 ? 0 : Int64.random(in: 0...latest, using: &random)))
            }
            self.turns = turns
        }

        /// Returns the number of frames that it has taken by a time.
        func taken(at time: Int64) -> Int64 { frames((turns.last { $0 <= time } ?? 0) + period) }

        /// Returns what it reports at a time.
        func report(at time: Int64) -> StreamTiming {
            let read = taken(at: time)
            return StreamTiming(
                read: read, latency: max(0, read - frames(time)), time: time, isFlowing: true, isDry: false,
                sampleRate: 48_000)
        }

        private func frames(_ time: Int64) -> Int64 { time * 48_000 / MonotonicTime.second }
    }

    @Test(arguments: [(5, 0), (5, 1), (5, 3), (20, 3), (50, 3)])
    func `no frame that can still be replaced is taken before the replacement is there`(
        _ milliseconds: Int64, _ latest: Int64
    ) {
        let (period, latest) = (milliseconds * Self.millisecond, latest * Self.millisecond)
        var random = SplitMix(state: UInt64(period &+ latest))
        for _ in 0..<2_000 {
            let sink = LateSink(period: period, until: 2 * MonotonicTime.second, using: &random, latest: latest)
            var rule = ReplacementRule(rewinds: false, graphPeriod: nil, transit: 2 * Self.millisecond)
            // Reports that came with the first writes.
            for turn in sink.turns.prefix(4) { rule.note(sink.report(at: turn)) }
            let now = Int64.random(in: MonotonicTime.second...(MonotonicTime.second * 3 / 2), using: &random)
            // The report is somewhat older than its arrival.
            let told = now - Int64.random(in: 0...(Self.millisecond / 4), using: &random)
            let first = rule.firstFrame(sink.report(at: told), at: now, answer: Self.millisecond / 4)
            let arrival = now + Int64.random(in: 0...(2 * Self.millisecond), using: &random)
            #expect(sink.taken(at: arrival) <= first)
        }
    }

    @Test func `a replacement before the sink's next turn begins at its read position`() {
        var rule = ReplacementRule(rewinds: false, graphPeriod: nil, transit: 2 * Self.millisecond)
        let timing = StreamTiming(
            read: 4_800, latency: 960, time: 0, isFlowing: true, isDry: false, sampleRate: 48_000)
        #expect(rule.firstFrame(timing, at: Self.millisecond, answer: 0) == 4_800)
    }

    @Test func `sound that the sink has not taken can be replaced from its read position`() {
        var rule = ReplacementRule(rewinds: false, graphPeriod: nil, transit: 2 * Self.millisecond)
        let timing = StreamTiming(
            read: 480, latency: 0, time: 0, isFlowing: false, isDry: false, sampleRate: 48_000)
        #expect(rule.firstFrame(timing, at: MonotonicTime.second, answer: 0) == 480)
    }

    @Test func `the first command knows the period that earlier reports showed`() {
        var rule = ReplacementRule(rewinds: false, graphPeriod: nil, transit: 2 * Self.millisecond)
        func report(_ latency: Int64) -> StreamTiming {
            StreamTiming(
                read: 48_000, latency: latency, time: 0, isFlowing: true, isDry: false, sampleRate: 48_000)
        }
        rule.note(report(2_400))
        // The sink's next turn is due now, and takes 50 ms.
        #expect(rule.firstFrame(report(0), at: 0, answer: 0) >= 48_000 + 2_400)
    }

    @Test func `a graph may have taken a turn more than it reported, and a turn is heard later than reported`() {
        let format = AudioFormat(sampleRate: 48_000, channels: 2)
        let graph = ReplacementRule(
            rewinds: false, graphPeriod: 20 * Self.millisecond, transit: 2 * Self.millisecond)
        let timing = StreamTiming(
            read: 4_800, latency: 0, time: 0, isFlowing: false, isDry: false, sampleRate: 48_000)
        #expect(graph.turnFrames(format) == 960)
        #expect(graph.mostTaken(timing, at: 10 * Self.millisecond) == 4_800 + 32 * 48)
        let sink = ReplacementRule(rewinds: false, graphPeriod: nil, transit: 2 * Self.millisecond)
        #expect(sink.turnFrames(format) == 0)
    }

    @Test func `a slow answer leaves more time`() {
        func first(_ answer: Int64) -> Int64 {
            var rule = ReplacementRule(rewinds: false, graphPeriod: nil, transit: 2 * Self.millisecond)
            let timing = StreamTiming(
                read: 4_800, latency: 48, time: 0, isFlowing: true, isDry: false, sampleRate: 48_000)
            return rule.firstFrame(timing, at: 0, answer: answer)
        }
        #expect(first(20 * Self.millisecond) - first(0) == 39 * 48)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `The clock of the sleep timer` {
    /// Time that the test sets; reason for the lock: the stopwatch is called from anywhere.
    private final class Hand: Sendable {
        private let now = Mutex(Duration.zero)
        func advance(_ seconds: Int) { now.withLock { $0 += .seconds(seconds) } }
        var stopwatch: @Sendable () -> Duration {
            let start = now.withLock(\.self)
            return { self.now.withLock(\.self) - start }
        }
    }

    private let hand = Hand()

    /// Counts, and returns the time after which the timer is to run out; `nil` if it does not run.
    private func count(_ clock: inout SleepClock, _ id: UInt64, adding seconds: Int, runs: Bool) -> Duration? {
        var after: Duration?
        clock.count(id, adding: .seconds(seconds), elapsed: runs ? { hand.stopwatch } : nil) { left in
            after = left
            return Task {}
        }
        return after
    }

    @Test func `counts only while it runs`() {
        var clock = SleepClock()
        #expect(clock.left == nil)
        #expect(count(&clock, 1, adding: 60, runs: true) == .seconds(60))
        hand.advance(10)
        #expect(clock.left == .seconds(50))
        #expect(count(&clock, 1, adding: 0, runs: false) == nil)
        hand.advance(100)
        #expect(clock.left == .seconds(50), "paused")
        #expect(count(&clock, 1, adding: 0, runs: true) == .seconds(50))
    }

    @Test func `an extension adds to what is left, and a new timer begins anew`() {
        var clock = SleepClock()
        _ = count(&clock, 1, adding: 60, runs: true)
        hand.advance(10)
        #expect(count(&clock, 1, adding: 30, runs: true) == .seconds(80))
        #expect(count(&clock, 2, adding: 5, runs: true) == .seconds(5))
    }

    @Test func `never shows less than nothing`() {
        var clock = SleepClock()
        _ = count(&clock, 1, adding: 1, runs: true)
        hand.advance(10)
        #expect(clock.left == .zero)
        clock.stopCounting()
        #expect(clock.left == nil)
    }

    @Test func `a timer and a fade that are replaced are cancelled`() async {
        var clock = SleepClock()
        let (first, second) = (Task.endless(), Task.endless())
        clock.fade(by: first)
        clock.fade(by: second)
        await first.value
        clock.stopFading()
        await second.value
        let timer = Task.endless()
        clock.count(1, adding: .seconds(1), elapsed: { hand.stopwatch }) { _ in timer }
        clock.stop()
        await timer.value
    }
}

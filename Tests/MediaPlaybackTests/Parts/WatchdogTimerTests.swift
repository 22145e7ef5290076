// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MediaPlayback

@Suite struct `The timer of the watchdog` {
    @Test func `replaces the one before it`() {
        var watchdog = WatchdogTimer()
        let (first, second) = (Task.endless(), Task.endless())
        watchdog.start(first)
        #expect(!first.isCancelled)
        watchdog.start(second)
        #expect(first.isCancelled && !second.isCancelled)
        second.cancel()
    }

    @Test func `does not ring after it was stopped`() {
        var watchdog = WatchdogTimer()
        let timer = Task.endless()
        watchdog.start(timer)
        watchdog.stop()
        #expect(timer.isCancelled)
    }

    @Test func `can be stopped without being started, and started after being stopped`() {
        var watchdog = WatchdogTimer()
        watchdog.stop()
        let timer = Task.endless()
        watchdog.start(timer)
        #expect(!timer.isCancelled)
        watchdog.stop()
        watchdog.stop()
        let next = Task.endless()
        watchdog.start(next)
        #expect(!next.isCancelled)
        next.cancel()
    }
}

// SPDX-License-Identifier: Apache-2.0

import Clocks
import Testing

@testable import MediaPlayback

@Suite struct `The loss of a route` {
    private static let start: Int64 = 7 * MonotonicTime.second
    private static let window = RouteLosses.window
    private let start = Self.start

    @Test func `is recent for a moment`() {
        var losses = RouteLosses()
        #expect(!losses.isRecent(at: start))
        _ = losses.lose(at: start)
        #expect(losses.isRecent(at: start) && losses.isRecent(at: start + Self.window - 1))
        #expect(!losses.isRecent(at: start + Self.window))
        _ = losses.lose(at: start + Self.window)
        #expect(losses.isRecent(at: start + Self.window), "the last loss counts")
    }

    @Test(arguments: [(0, true), (window - 1, true), (window, false)])
    func `explains a pause by a remote just before it`(_ later: Int64, _ explains: Bool) {
        var losses = RouteLosses()
        losses.pause(at: start, by: "c1")
        let pause = losses.lose(at: start + later)
        #expect(pause == (explains ? RouteLosses.Pause(time: start, command: "c1") : nil))
    }

    @Test func `explains only the last pause, and no pause is explained twice`() {
        var losses = RouteLosses()
        losses.pause(at: start, by: "c1")
        losses.pause(at: start + 5, by: "c2")
        #expect(losses.lose(at: start + 9)?.command == "c2")
        #expect(losses.lose(at: start + 10) == nil)
    }
}

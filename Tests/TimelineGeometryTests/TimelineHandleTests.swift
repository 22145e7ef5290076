// SPDX-License-Identifier: Apache-2.0

import Testing
import TimelineGeometry

@Suite struct `The handles of a clip` {
    /// A strip at 50 s with a clip from 45 s to 55 s: its handles are at x 15 and 25.
    private func clip(_ start: Int64 = 45_000, _ end: Int64 = 55_000) -> TimelineState {
        var state = strip(at: 50_000)
        state.take(.opened(start: start, end: end))
        return state
    }

    // The handle, the seconds that it is dragged, and the bounds in seconds afterwards.
    @Test(arguments: [
        (TimelineHandle.start, -3.0, [42.0, 55.0]), (.start, 4, [49, 55]), (.start, 9, [54, 55]),
        (.start, 30, [54, 55]), (.start, -300, [0, 55]), (.end, 20, [45, 75]), (.end, -9.5, [45, 46]),
        (.end, -40, [45, 46]), (.end, 700, [45, 100]), (.end, 0.25, [45, 55.25]),
    ])
    func `stay a second apart and within the content`(_ handle: TimelineHandle, _ way: Double, _ bounds: [Double]) {
        var state = clip()
        state.take([.grabbed(handle, x: 15.25), .dragged(x: 15.25 + way), .released])
        #expect(state.bounds == bounds)
        #expect(state.geometry.position == 50_000)
    }

    @Test func `do not jump to the finger that takes them`() {
        var state = clip()
        #expect(state.take([.grabbed(.start, x: 14.4), .dragged(x: 14.4), .released]).isEmpty)
        #expect(state.bounds == [45, 55])
        state.take([.grabbed(.start, x: 14.4), .dragged(x: 10), .dragged(x: 14.4), .released])
        #expect(state.bounds == [45, 55])
    }

    /// Bounds are frames of 44.1 kHz: no whole number of milliseconds, and at no whole pixel.
    @Test func `keep the exact bound that nobody moves`() {
        var geometry = TimelineGeometry(width: 333, duration: 1_587_600_000, unitsPerSecond: 44_100)
        geometry.movePlayhead(to: 441_000_001)
        var state = TimelineState(geometry)
        state.take(.opened(start: 440_000_003, end: 442_000_007))
        for round in 0..<1_000 {
            let zoom = round.isMultiple(of: 2) ? 1.7 : 1 / 1.7
            state.take([
                .zoomed(by: zoom, aboutX: 17), .panBegan(x: 3), .panMoved(x: 4.56), .panEnded(velocity: 1_000),
                .frame(seconds: 0.2), .grabbed(.end, x: 250), .dragged(x: 250 + Double(round % 7)), .released,
                .tapped(x: 100), .resized(width: 300 + Double(round % 5)),
            ])
            #expect(state.selection?.start == 440_000_003)
        }
        #expect(state.selection?.end != 442_000_007)
    }

    @Test func `stay under the finger while the content moves and is zoomed`() {
        var state = clip()
        state.take([
            .grabbed(.end, x: 25), .followed(position: 50_000, rate: 1, age: 0), .frame(seconds: 2),
            .dragged(x: 25),
        ])
        #expect(state.bounds == [45, 57])
        state.take([.zoomed(by: 2, aboutX: nil), .dragged(x: 27)])
        #expect(state.bounds == [45, 58])
        state.take([.resized(width: 80), .dragged(x: 25), .released, .dragged(x: 0)])
        #expect(state.bounds == [45, 57])
    }

    @Test func `can move a clip that is shorter than a second, but not closer together`() {
        var state = clip(50_000, 50_400)
        state.take(.stepped(.handle(.start), .fine, 1))
        #expect(state.bounds == [50, 50.4])
        state.take(.stepped(.handle(.end), .fine, 3))
        #expect(state.bounds == [50, 50.7])
        state.take([.grabbed(.start, x: 0), .dragged(x: 20)])
        #expect(state.bounds == [50.3, 50.7])
        state.take(.dragged(x: -20))
        #expect(state.bounds == [30, 50.7])
    }

    @Test func `are brought into the content when a clip is opened`() {
        for (start, end, bounds) in [
            (Int64(10_000), Int64(20_000), [10.0, 20.0]), (20_000, 10_000, [10, 20]), (-5, 20_000, [0, 20]),
            (90_000, 200_000, [90, 100]), (.min, .max, [0, 100]), (.max, .max, [100, 100]), (7_000, 7_000, [7, 7]),
        ] {
            var state = strip()
            let effects = state.take(.opened(start: start, end: end))
            #expect(state.bounds == bounds)
            // Whoever opens a clip knows its bounds, unless they have changed.
            let isUnchanged = start == Int64(bounds[0] * 1000) && end == Int64(bounds[1] * 1000)
            #expect(effects == (isUnchanged ? [] : state.selection.map { [.selected($0)] }))
        }
    }

    @Test func `follow an end that comes nearer, and say so`() {
        var state = clip()
        #expect(state.take(.measured(52_000)) == state.selection.map { [.selected($0)] })
        #expect(state.bounds == [45, 52])
        state.take(.measured(45_500))
        #expect(state.bounds == [44.5, 45.5])
        state.take(.measured(300))
        #expect(state.bounds == [0, 0.3])
        #expect(state.take(.measured(nil)).isEmpty)
        state.take(.stepped(.handle(.end), .coarse, 1))
        #expect(state.bounds == [0, 1.3])
    }

    @Test func `move by fine steps, coarse steps and skips`() {
        var state = clip()
        var rows: [[Double]] = []
        for (target, step, count) in [
            (TimelineTarget.handle(.start), TimelineStep.fine, -1), (.handle(.start), .fine, 3),
            (.handle(.start), .coarse, -2), (.handle(.end), .coarse, 5), (.handle(.end), .skip, 1),
            (.handle(.end), .skip, -1), (.handle(.end), .fine, 0), (.handle(.end), .fine, .max),
            (.handle(.start), .coarse, .min),
        ] {
            let before = state.selection
            let effects = state.take(.stepped(target, step, count))
            #expect(effects == (state.selection == before ? [] : state.selection.map { [.selected($0)] }))
            rows.append(state.bounds)
        }
        #expect(
            rows == [
                [44.9, 55], [45.2, 55], [43.2, 55], [43.2, 60], [43.2, 85], [43.2, 55], [43.2, 55], [43.2, 100],
                [0, 100],
            ])
    }

    /// A finger that drags for a second, 60 times a second.
    @Test func `report at most every 50 ms, and the last bounds at once`() {
        var state = clip()
        state.take(.grabbed(.end, x: 25))
        var times: [Int] = []
        for frame in 1...60 {
            let effects = state.take(.dragged(x: 25 + Double(frame) / 10), .frame(seconds: 1.0 / 60))
            if effects.contains(where: { $0.reported != nil }) { times.append(frame) }
        }
        // The first at once, then with every third frame.
        #expect(times == [1] + Array(stride(from: 3, through: 60, by: 3)))
        state.take(.dragged(x: 60))
        #expect(state.take(.released) == state.selection.map { [.selected($0)] })
        #expect(!state.needsFrames)
    }

    @Test func `are absent without a clip`() {
        var state = clip()
        state.take([
            .grabbed(.end, x: 25), .closed, .dragged(x: 3), .stepped(.handle(.end), .fine, 1), .grabbed(.start, x: 1),
            .linked(true), .dragged(x: 9), .tapped(x: 0), .released,
        ])
        #expect(state.selection == nil && state.held == nil)
    }
}

@Suite struct `A linked playhead` {
    private func clip(at position: Int64) -> TimelineState {
        var state = strip(at: position)
        state.take([.opened(start: 45_000, end: 55_000), .linked(true)])
        return state
    }

    // The playhead before and after a tap, in seconds, and the bounds afterwards.
    @Test(arguments: [
        (50, 54, [45.0, 55.0]), (50, 46, [45, 55]), (50, 55, [45, 55]), (50, 60, [45, 60]), (50, 31, [31, 55]),
        (60, 65, [45, 65]), (65, 60, [45, 55]), (40, 35, [35, 55]), (35, 44, [45, 55]), (44, 60, [45, 60]),
        (60, 42, [42, 55]),
    ])
    func `pushes the nearer handle outward, and never inward`(_ from: Int64, _ to: Int64, _ bounds: [Double]) {
        var state = clip(at: from * 1000)
        state.take(.tapped(x: Double(20 + to - from)))
        let reports = state.settle().effects.compactMap(\.reported)
        #expect(state.bounds == bounds)
        #expect(reports.last == (bounds == [45, 55] ? nil : state.selection))
        #expect(state.geometry.position == to * 1000)
    }

    @Test func `pushes with a pan, with momentum, with a key and while it plays`() {
        var state = clip(at: 50_000)
        state.take([.panBegan(x: 20), .panMoved(x: 12), .panMoved(x: 20), .panEnded(velocity: 0)])
        #expect(state.bounds == [45, 58])
        state.take(.stepped(.playhead, .skip, -1))
        #expect(state.bounds == [20, 58])
        state.take([.panBegan(x: 20), .panMoved(x: -20), .panEnded(velocity: -60 * 10)])
        _ = state.settle()
        #expect(state.bounds == [20, 100])
        state = clip(at: 54_000)
        state.take([.followed(position: 54_000, rate: 1, age: 0), .frame(seconds: 0.5), .frame(seconds: 2)])
        #expect(state.bounds == [45, 56.5])
    }

    @Test func `pushes nothing when it is carried off, zoomed, or not linked`() {
        var state = clip(at: 50_000)
        state.take(.followed(position: 70_000, rate: 0, age: 0))
        #expect(state.geometry.position == 70_000 && state.bounds == [45, 55])
        state.take([.zoomed(by: 0.25, aboutX: 0)])
        #expect(state.geometry.position > 70_000 && state.bounds == [45, 55])
        state.take([.linked(false), .stepped(.playhead, .coarse, 1)])
        #expect(state.bounds == [45, 55])
    }
}

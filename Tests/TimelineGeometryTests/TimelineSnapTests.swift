// SPDX-License-Identifier: Apache-2.0

import Testing
import TimelineGeometry

@Suite struct `A snap` {
    private static let points = SnapPoints([
        SnapPoint(position: 90_000, kind: .chapter), SnapPoint(position: 0, kind: .chapter),
        SnapPoint(position: 44_000, kind: .silence), SnapPoint(position: 46_500, kind: .silence),
        SnapPoint(position: 46_600, kind: .sentence), SnapPoint(position: 54_200, kind: .silence),
        SnapPoint(position: 60_000, kind: .sentence), SnapPoint(position: 54_200, kind: .sentence),
        SnapPoint(position: 120_000, kind: .silence), SnapPoint(position: .min, kind: .silence),
        SnapPoint(position: .max, kind: .silence),
    ])

    private static let all = Set(SnapPoint.Kind.allCases)

    // The direction, the kinds, and the bounds or the playhead afterwards, from a clip of 45 s to 55 s at 50 s.
    private static let snaps: [(SnapDirection, Set<SnapPoint.Kind>, [Double])] = [
        (.back, all, [44, 54.2, 46.6]), (.forward, all, [46.5, 60, 54.2]), (.nearest, all, [44, 54.2, 46.6]),
        (.back, [.chapter], [0, 55, 0]), (.forward, [.chapter], [45, 90, 90]),
        (.back, [.silence], [44, 54.2, 46.5]), (.forward, [.sentence], [46.6, 60, 54.2]),
        (.nearest, [.sentence], [46.6, 54.2, 46.6]), (.forward, [], [45, 55, 50]),
    ]

    @Test(arguments: snaps)
    func `goes to the next point of its kinds`(
        _ direction: SnapDirection, _ kinds: Set<SnapPoint.Kind>, _ seconds: [Double]
    ) {
        func state(after target: TimelineTarget) -> TimelineState {
            var state = strip(at: 50_000)
            state.take(.opened(start: 45_000, end: 55_000))
            let before = state
            let effects = state.take(.snapped(target, direction, kinds: kinds, among: Self.points))
            #expect(effects.isEmpty == (state == before))
            return state
        }
        #expect(state(after: .handle(.start)).bounds == [seconds[0], 55])
        #expect(state(after: .handle(.end)).bounds == [45, seconds[1]])
        #expect(state(after: .playhead).geometry.playhead == seconds[2] * 1000)
    }

    @Test func `goes on from point to point`() {
        var state = strip(at: 0)
        var positions: [Int64] = []
        for direction in [SnapDirection.forward, .back] {
            while case .seek(let target)? = state.take(
                .snapped(.playhead, direction, kinds: Self.all, among: Self.points)
            ).first {
                positions.append(target / 100)
            }
        }
        #expect(positions == [440, 465, 466, 542, 600, 900, 600, 542, 466, 465, 440, 0])
    }

    @Test func `skips points that a handle cannot reach`() {
        var state = strip(at: 50_000)
        state.take(.opened(start: 54_000, end: 55_100))
        #expect(state.take(.snapped(.handle(.start), .forward, kinds: Self.all, among: Self.points)).isEmpty)
        state.take(.snapped(.handle(.end), .back, kinds: Self.all, among: Self.points))
        #expect(state.bounds == [54, 55.1])
        state.take(.snapped(.handle(.end), .nearest, kinds: Self.all, among: Self.points))
        #expect(state.bounds == [54, 60])
    }

    @Test func `stays where it is on a point that is the nearest`() {
        var state = strip(at: 46_500)
        #expect(state.take(.snapped(.playhead, .nearest, kinds: Self.all, among: Self.points)).isEmpty)
        #expect(state.take(.snapped(.playhead, .nearest, kinds: Self.all, among: SnapPoints())).isEmpty)
    }

    @Test func `starts from the place that a tap is on its way to`() {
        var state = strip(at: 50_000)
        state.take([.tapped(x: 25), .frame(seconds: 0.05)])
        #expect(
            state.take(.snapped(.playhead, .forward, kinds: Self.all, among: Self.points)) == [.seek(to: 60_000)])
        #expect(!state.needsFrames)
    }

    @Test func `of steps goes to where they lead`() {
        var state = strip(at: 50_000)
        var targets: [Int64?] = []
        for (step, count) in [
            (TimelineStep.fine, 1), (.fine, -3), (.coarse, 4), (.skip, 1), (.skip, -1), (.skip, -2), (.coarse, .max),
            (.coarse, 1), (.skip, .min),
        ] {
            targets.append(state.take(.stepped(.playhead, step, count)).first?.target)
        }
        #expect(targets == [50_100, 49_800, 53_800, 78_800, 48_800, 0, 100_000, nil, 0])
    }
}

// SPDX-License-Identifier: Apache-2.0

import RandomTestSupport
import Testing
import TimelineGeometry

/// Random gestures on random timelines, sensible and impossible ones.
///
/// Each seed is a sequence, and is the same in every run.
@Suite struct `Any sequence of gestures` {
    private struct Hand {
        var random: SplitMix

        mutating func pick<Value>(_ values: [Value]) -> Value { values[random.next(below: values.count)] }

        /// A number within a range, or sometimes an impossible one.
        mutating func number(_ range: ClosedRange<Double>) -> Double {
            if random.next(below: 40) == 0 {
                return pick([.nan, .infinity, -.infinity, 0, -0.0, 1e300, -1e300, 1e-300, -1])
            }
            return range.lowerBound
                + (range.upperBound - range.lowerBound) * Double(random.next() >> 11) / Double(UInt64(1) << 53)
        }

        mutating func position() -> Int64 {
            if random.next(below: 40) == 0 { return pick([.min, .max, -1, 0, 1 << 53]) }
            return Int64(random.next(below: 120_000)) - 1_000
        }

        mutating func duration() -> Int64? {
            pick([nil, nil, .min, .max, 0, 1, 300, 999, 1_000, 1_001, 5_000, 60_000, 100_000, 100_000, 100_000])
        }

        mutating func event() -> TimelineEvent {
            let target = pick([TimelineTarget.playhead, .handle(.start), .handle(.end)])
            switch random.next(below: 24) {
            case 0: return pick([.resized(width: number(0...300)), .measured(duration()), .stopped, .closed])
            case 1: return .opened(start: position(), end: position())
            case 2: return .linked(random.next(below: 3) > 0)
            case 3: return .panBegan(x: number(0...100))
            case 4, 5, 6: return .panMoved(x: number(-100...200))
            case 7: return .panEnded(velocity: number(-5_000...5_000))
            case 8: return .tapped(x: number(-10...110))
            case 9: return .grabbed(pick([.start, .end]), x: number(0...100))
            case 10, 11, 12: return .dragged(x: number(-100...200))
            case 13: return .released
            case 14: return .zoomed(by: number(0.3...3), aboutX: random.next(below: 2) == 0 ? nil : number(0...100))
            case 15:
                return .stepped(
                    target, pick(TimelineStep.allCases), pick([-1, 1, -7, 7, 0, .min, .max]))
            case 16:
                let points = (0..<random.next(below: 9)).map { _ in
                    SnapPoint(position: position(), kind: pick(SnapPoint.Kind.allCases))
                }
                return .snapped(
                    target, pick(SnapDirection.allCases), kinds: [pick(SnapPoint.Kind.allCases), .silence],
                    among: SnapPoints(points))
            case 17: return .followed(position: position(), rate: number(0...3), age: number(0...2))
            case 18: return .answered
            case 19: return .moved(target, to: pick([position(), -1, .min, .max]))
            default: return .frame(seconds: number(0...0.1))
            }
        }

        mutating func state() -> TimelineState {
            TimelineState(
                TimelineGeometry(
                    width: number(0...200), duration: duration(), unitsPerSecond: pick([1_000, 44_100, 0.1, .nan]),
                    secondsPerPixel: number(0.01...2)),
                position: position())
        }
    }

    /// Returns the first thing that must not be so, given the least length of the clip.
    private func fault(_ state: TimelineState, _ effects: [TimelineEffect], least: Int64) -> String? {
        let geometry = state.geometry
        let end = geometry.end
        guard (0...Double(end)).contains(geometry.playhead) else { return "playhead \(geometry.playhead)" }
        guard geometry.rules.zooms.contains(geometry.secondsPerPixel) else { return "zoom" }
        guard TimelineGeometry.widths.contains(geometry.width) else { return "width" }
        if let selection = state.selection {
            guard 0 <= selection.start, selection.start <= selection.end, selection.end <= end else {
                return "bounds \(selection)"
            }
            guard selection.length >= least else { return "length \(selection.length), not \(least)" }
            guard geometry.x(of: selection.start) <= geometry.x(of: selection.end) else { return "swapped" }
        }
        let layers = geometry.layers(state.selection)
        for part in [layers.played, layers.unplayed, layers.selected] {
            guard part.map({ 0 <= $0.lowerBound && $0.upperBound <= geometry.width }) != false else {
                return "layer \(String(describing: part))"
            }
        }
        for case .seek(let target) in effects where !(0...end).contains(target) { return "seek to \(target)" }
        for selection in effects.compactMap(\.reported) where selection != state.selection { return "report" }
        return nil
    }

    /// Runs sequences of events, and returns the first fault.
    private func explore(seeds: Range<UInt64>, length: Int) -> (events: Int, fault: String?) {
        var count = 0
        for seed in seeds {
            var hand = Hand(random: SplitMix(state: seed))
            var state = hand.state()
            var least: Int64 = 0
            var trace: [TimelineEvent] = []
            for _ in 0..<length {
                let event = hand.event()
                trace.append(event)
                let before = state.selection
                let effects = state.take(event)
                count += 1
                switch event {
                case .opened: least = min(state.geometry.units(1), state.selection?.length ?? 0)
                // Content that gets shorter than the clip leaves no more room than there is.
                case .measured: least = min(least, state.geometry.end)
                case .closed: least = 0
                default:
                    if (before == nil) != (state.selection == nil) { return (count, "seed \(seed): appeared") }
                }
                if let fault = fault(state, effects, least: least) {
                    return (count, "seed \(seed): \(fault) after \(trace.suffix(5))")
                }
            }
            // Without further events, all comes to rest but what plays.
            _ = state.take([.stopped, .released, .panEnded(velocity: 0)])
            let (seconds, effects) = state.settle(frame: 0.05)
            if state.needsFrames || seconds > 60 { return (count, "seed \(seed): moves for \(seconds) s") }
            if let fault = fault(state, effects.suffix(1), least: least) { return (count, "seed \(seed): \(fault)") }
        }
        return (count, nil)
    }

    @Test(arguments: 0..<8) func `leaves no bounds and swaps no handles`(_ part: UInt64) {
        let (events, fault) = explore(seeds: (part * 2_500)..<((part + 1) * 2_500), length: 40)
        #expect(fault == nil)
        #expect(events == 100_000)
    }

    @Test func `that is long leaves no bounds either`() {
        let (events, fault) = explore(seeds: 1_000_000..<1_000_010, length: 10_000)
        #expect(fault == nil)
        #expect(events == 100_000)
    }

    /// Nothing but gestures moves this strip: the last seek went to where it has come to rest.
    @Test func `ends with a seek to where the strip is`() {
        var seeks = 0
        for seed in UInt64(0)..<3_000 {
            var hand = Hand(random: SplitMix(state: seed))
            var state = strip(at: 50_000)
            var last: Int64 = 50_000
            for _ in 0..<30 {
                let event = hand.event()
                switch event {
                case .followed, .measured, .stopped: continue
                default: break
                }
                for effect in state.take(event) {
                    if let target = effect.target { (last, seeks) = (target, seeks + 1) }
                }
            }
            let effects = state.take(.panEnded(velocity: 0)) + state.settle(frame: 0.05).effects
            last = effects.compactMap(\.target).last ?? last
            #expect(state.geometry.position == last, "seed \(seed)")
        }
        #expect(seeks > 5_000)
    }

    /// The same gestures at the same times, with frames of different lengths in between.
    @Test func `leads to the same place at any frame rate`() {
        for seed in UInt64(0)..<1_000 {
            var hand = Hand(random: SplitMix(state: seed))
            var states = [strip(at: 50_000), strip(at: 50_000), strip(at: 50_000)]
            for index in states.indices { states[index].take(.opened(start: 40_000, end: 60_000)) }
            for _ in 0..<12 {
                let x = Double(hand.random.next(below: 40))
                let events: [TimelineEvent] = hand.pick([
                    [.panBegan(x: x), .panMoved(x: x + 3), .panEnded(velocity: x * 20 - 400), .answered],
                    [.tapped(x: x), .answered],
                    [.grabbed(.end, x: x), .dragged(x: x + 5), .released],
                    [.stepped(.playhead, .coarse, Int(x) - 20), .answered],
                    [.zoomed(by: 0.5 + x / 30, aboutX: nil)],
                ])
                for (index, frames) in [1, 7, 60].enumerated() {
                    states[index].take(events)
                    // Long enough for every momentum to end.
                    for _ in 0..<frames { states[index].take(.frame(seconds: 3 / Double(frames))) }
                    states[index].take(.answered)
                }
            }
            for state in states {
                #expect(abs(state.geometry.playhead - states[0].geometry.playhead) < 1e-3, "seed \(seed)")
                #expect(abs((state.selection?.end ?? 0) - (states[0].selection?.end ?? 0)) <= 1, "seed \(seed)")
            }
        }
    }
}

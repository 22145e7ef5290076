// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TimelineGeometry

@Suite struct `A timeline's momentum` {
    /// The rule as it is written down: a move, then a decay, frame by frame.
    private func loop(_ pixelsPerFrame: Double) -> (pixels: Double, frames: Int) {
        var (velocity, pixels, frames) = (pixelsPerFrame, 0.0, 0)
        while velocity >= 0.5 {
            pixels += velocity
            velocity *= 0.95
            frames += 1
        }
        return (pixels, frames)
    }

    /// The way of a strip that is let go, and the reference frames that it takes.
    private func glide(_ pixelsPerFrame: Double, framesPerSecond: Double = 60) -> (pixels: Double, frames: Double) {
        var state = strip(duration: nil, zoom: 0.01, at: 50_000_000)
        state.take([.panBegan(x: 0), .panEnded(velocity: -pixelsPerFrame * 60)])
        let seconds = state.settle(frame: 1 / framesPerSecond).seconds
        return ((state.geometry.playhead - 50_000_000) / 10, seconds * 60)
    }

    /// Pixels a frame at the start, pixels of the way, and frames: (v - 0.5) / 0.05, and as many as bring v to 0.5.
    @Test func `goes a way that follows from its velocity`() {
        let rows = [0.4, 0.5, 0.6, 1, 2, 5, 10, 20, 50, 100].map { velocity in
            let (pixels, frames) = glide(velocity)
            return "\(velocity) px: \((pixels * 100).rounded() / 100) px in \(Int(frames.rounded())) frames"
        }
        #expect(
            rows == [
                "0.4 px: 0.0 px in 0 frames",
                "0.5 px: 0.0 px in 0 frames",
                "0.6 px: 2.0 px in 4 frames",
                "1.0 px: 10.0 px in 14 frames",
                "2.0 px: 30.0 px in 28 frames",
                "5.0 px: 90.0 px in 45 frames",
                "10.0 px: 190.0 px in 59 frames",
                "20.0 px: 390.0 px in 72 frames",
                "50.0 px: 990.0 px in 90 frames",
                "100.0 px: 1990.0 px in 104 frames",
            ])
    }

    @Test func `is that of the loop by which it is defined`() {
        for velocity in stride(from: 0.51, through: 200, by: 0.37) {
            let (expected, frames) = loop(velocity)
            let (pixels, passed) = glide(velocity)
            // The loop ends with a whole frame: it may go beyond the least velocity, by less than that.
            #expect((expected - 0.5...expected + 1e-6).contains(pixels), "\(velocity)")
            #expect(Int(passed.rounded()) == frames, "\(velocity)")
        }
        var state = strip(duration: nil, zoom: 0.01, at: 50_000_000)
        state.take([.panBegan(x: 0), .panEnded(velocity: 600)])
        var (velocity, pixels) = (10.0, 0.0)
        for frame in 1...58 {
            state.take(.frame(seconds: 1.0 / 60))
            pixels += velocity
            velocity *= 0.95
            #expect(abs((50_000_000 - state.geometry.playhead) / 10 - pixels) < 1e-5, "frame \(frame)")
        }
    }

    @Test(arguments: [10.0, 24, 30, 50, 59.94, 75, 120, 144, 240, 1000])
    func `does not depend on the frames a second`(_ framesPerSecond: Double) {
        for velocity in [0.7, 3, 17, 90] {
            let (pixels, frames) = glide(velocity, framesPerSecond: framesPerSecond)
            #expect(abs(pixels - glide(velocity).pixels) < 1e-5)
            #expect(abs(frames - glide(velocity).frames) <= 1 + 60 / framesPerSecond)
        }
    }

    @Test func `ends at an end of the content, with a seek there`() {
        var state = strip(at: 98_000)
        state.take([.panBegan(x: 20), .panEnded(velocity: -6_000)])
        #expect(state.take(.frame(seconds: 1.0 / 60)) == [.seek(to: 100_000)])
        #expect(!state.needsFrames)
    }

    @Test func `is caught by a finger`() {
        var state = strip(at: 50_000)
        state.take([.panBegan(x: 20), .panEnded(velocity: 120), .frame(seconds: 0.1)])
        let caught = state.geometry.playhead
        #expect(caught < 50_000)
        #expect(state.take([.panBegan(x: 5), .frame(seconds: 1), .panMoved(x: 5)]).isEmpty)
        #expect(state.geometry.playhead == caught)
        #expect(state.take(.panEnded(velocity: 0)) == [.seek(to: state.geometry.position)])
    }

    @Test(arguments: [0.0, 0.001, 0.25, 0.5, 1, 1.5, 3.75, 100, 1e5, 1e12, .infinity])
    func `has powers that agree with products and roots`(_ exponent: Double) {
        #expect(power(1, exponent) == 1)
        #expect(abs(power(0.95, exponent) * power(0.95, exponent) - power(0.95, exponent * 2)) < 1e-14)
        if exponent == 0.5 { #expect(power(0.25, exponent) == 0.5) }
        if exponent == 3.75 { #expect(abs(power(16, exponent) - 32_768) < 1e-9) }
        #expect(power(0.95, 1e12) == 0)
    }
}

@Suite struct `A timeline's pan and tap` {
    @Test func `moves the content with the finger, pixel by pixel`() {
        var state = strip(at: 50_000)
        var effects = state.take(.panBegan(x: 30))
        for (x, position) in [
            (29.0, 51_000.0), (25.5, 54_500), (40, 40_000), (-10, 90_000), (30, 50_000), (33, 47_000),
        ] {
            effects += state.take(.panMoved(x: x))
            #expect(state.geometry.playhead == position)
        }
        #expect(effects.isEmpty)
        #expect(state.take(.panEnded(velocity: 29)) == [.seek(to: 47_000)])
        #expect(!state.needsFrames)
    }

    @Test func `has no effect if nothing was moved`() {
        var state = strip(at: 50_000)
        #expect(state.take([.panBegan(x: 3), .panMoved(x: 3), .panEnded(velocity: 0)]).isEmpty)
        #expect(state.take([.panMoved(x: 9), .panEnded(velocity: 5_000), .tapped(x: 20)]).isEmpty)
        #expect(state == strip(at: 50_000))
    }

    @Test func `collects parts of a unit`() {
        var state = strip(zoom: 0.001, at: 50_000)
        state.take(.panBegan(x: 0))
        for part in 1...1_000 { state.take(.panMoved(x: Double(part) / 100)) }
        #expect(state.geometry.position == 49_990)
    }

    @Test func `stops at the ends, and comes back with the finger`() {
        var state = strip(at: 5_000)
        state.take([.panBegan(x: 0), .panMoved(x: 30)])
        #expect(state.geometry.position == 0)
        state.take(.panMoved(x: 4))
        #expect(state.geometry.position == 1_000)
        state.take(.panMoved(x: -4_000))
        #expect(state.geometry.position == 100_000)
    }

    @Test func `goes on under the finger after a zoom`() {
        var state = strip(at: 50_000)
        state.take([.panBegan(x: 10), .panMoved(x: 12), .zoomed(by: 2, aboutX: nil)])
        #expect(state.geometry.position == 48_000)
        state.take(.panMoved(x: 14))
        #expect(state.geometry.position == 47_000)
        #expect(state.take(.panEnded(velocity: 0)) == [.seek(to: 47_000)])
    }

    /// The part of the way, 1 - (1 - t)³, after parts of 200 ms.
    @Test func `eases out to the tapped place over 200 ms`() {
        var state = strip(at: 50_000)
        #expect(state.take(.tapped(x: 30)) == [.seek(to: 60_000)])
        var positions: [Double] = []
        for _ in 0..<10 {
            state.take(.frame(seconds: 0.02))
            positions.append(state.geometry.playhead.rounded())
        }
        #expect(positions == [52_710, 54_880, 56_570, 57_840, 58_750, 59_360, 59_730, 59_920, 59_990, 60_000])
        #expect(state.geometry.playhead == 60_000 && !state.needsFrames)
    }

    @Test(arguments: [1.0 / 144, 1.0 / 60, 0.03, 0.05, 0.2, 5]) func `takes as long at any frame rate`(_ frame: Double)
    {
        var state = strip(at: 50_000)
        state.take(.tapped(x: 0))
        let (seconds, effects) = state.settle(frame: frame)
        #expect(effects.isEmpty && state.geometry.playhead == 30_000)
        #expect((0.2 - 1e-9..<0.2 + frame).contains(seconds))
    }

    @Test func `stays within the content`() {
        var state = strip(at: 5_000)
        #expect(state.take(.tapped(x: 0)) == [.seek(to: 0)])
        state = strip(at: 95_000)
        #expect(state.take(.tapped(x: 39)) == [.seek(to: 100_000)])
    }

    @Test func `leaves a tapped place that is caught on the way there`() {
        var state = strip(at: 50_000)
        let effects = state.take([
            .tapped(x: 30), .frame(seconds: 0.1), .panBegan(x: 1), .frame(seconds: 1), .panEnded(velocity: 0),
        ])
        #expect(effects == [.seek(to: 60_000), .seek(to: 58_750)])
    }
}

@Suite struct `The velocity of a drag` {
    // Places as x and seconds, the second at which the finger leaves, and pixels a second.
    private static let drags: [([(Double, Double)], Double, Double)] = [
        ([], 1, 0), ([(5, 1)], 1, 0), ([(0, 0), (10, 0.05)], 0.05, 200), ([(0, 0), (10, 0.05), (5, 0.1)], 0.1, 50),
        // What was long ago does not count, and a finger that rests has no velocity.
        ([(900, 0), (0, 0.5), (10, 0.55)], 0.55, 200), ([(0, 0), (10, 0.05)], 0.3, 0),
        ([(0, 0), (10, 0.05), (10, 0.2), (10, 0.25)], 0.25, 0),
        // Two places at one time, a time that goes back, and no numbers.
        ([(0, 0), (7, 0.05), (10, 0.05)], 0.05, 200), ([(0, 1), (99, 0.5), (10, 1.05)], 1.05, 200),
        ([(0, 0), (.nan, 0.01), (3, .infinity), (10, 0.05)], 0.05, 200), ([(-1e308, 0), (1e308, 0.05)], 0.05, 0),
        ([(0, 0), (10, 0.05)], .nan, 0),
    ]

    @Test(arguments: drags)
    func `is that of the last tenth of a second`(_ places: [(Double, Double)], _ end: Double, _ velocity: Double) {
        var drag = DragVelocity()
        for (x, seconds) in places { drag.note(x: x, at: seconds) }
        #expect(abs(drag.velocity(at: end) - velocity) < 1e-6)
    }
}

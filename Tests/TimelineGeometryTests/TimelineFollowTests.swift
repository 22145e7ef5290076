// SPDX-License-Identifier: Apache-2.0

import Testing
import TimelineGeometry

@Suite struct `A followed position` {
    /// The seconds on the strip in frames of 0.25 s after one report.
    private func positions(_ position: Double, rate: Double, age: Double = 0) -> [Double] {
        var state = strip(at: 50_000)
        state.take(.followed(position: Int64(position * 1000), rate: rate, age: age))
        return (0...5).map { frame in
            if frame > 0 { state.take(.frame(seconds: 0.25)) }
            return (state.geometry.playhead).rounded() / 1000
        }
    }

    @Test func `is reached at once if it is off by more than 2 s, otherwise within 1 s`() {
        func row(_ position: Double, _ rate: Double, _ age: Double = 0) -> String {
            "\(position) s, rate \(rate), age \(age): "
                + positions(position, rate: rate, age: age).map { "\($0)" }.joined(separator: " ")
        }
        let rows = [
            row(50, 0), row(51, 0), row(52, 0), row(52.001, 0), row(48, 0), row(47.999, 0), row(50, 1), row(50.4, 1),
            row(49.6, 1), row(50, 2), row(51, 1.5), row(60, 1), row(10, 0.5), row(50, 1, 1), row(50, 1, 3),
            row(50, 0, 3), row(50, .nan), row(50, -1), row(50, 1_000), row(50, 1, .nan), row(50, 1, -5),
        ]
        #expect(
            rows == [
                "50.0 s, rate 0.0, age 0.0: 50.0 50.0 50.0 50.0 50.0 50.0",
                "51.0 s, rate 0.0, age 0.0: 50.0 50.25 50.5 50.75 51.0 51.0",
                "52.0 s, rate 0.0, age 0.0: 50.0 50.5 51.0 51.5 52.0 52.0",
                "52.001 s, rate 0.0, age 0.0: 52.001 52.001 52.001 52.001 52.001 52.001",
                "48.0 s, rate 0.0, age 0.0: 50.0 49.5 49.0 48.5 48.0 48.0",
                "47.999 s, rate 0.0, age 0.0: 47.999 47.999 47.999 47.999 47.999 47.999",
                "50.0 s, rate 1.0, age 0.0: 50.0 50.25 50.5 50.75 51.0 51.25",
                "50.4 s, rate 1.0, age 0.0: 50.0 50.35 50.7 51.05 51.4 51.65",
                "49.6 s, rate 1.0, age 0.0: 50.0 50.15 50.3 50.45 50.6 50.85",
                "50.0 s, rate 2.0, age 0.0: 50.0 50.5 51.0 51.5 52.0 52.5",
                "51.0 s, rate 1.5, age 0.0: 50.0 50.625 51.25 51.875 52.5 52.875",
                "60.0 s, rate 1.0, age 0.0: 60.0 60.25 60.5 60.75 61.0 61.25",
                "10.0 s, rate 0.5, age 0.0: 10.0 10.125 10.25 10.375 10.5 10.625",
                "50.0 s, rate 1.0, age 1.0: 50.0 50.5 51.0 51.5 52.0 52.25",
                "50.0 s, rate 1.0, age 3.0: 53.0 53.25 53.5 53.75 54.0 54.25",
                "50.0 s, rate 0.0, age 3.0: 50.0 50.0 50.0 50.0 50.0 50.0",
                "50.0 s, rate nan, age 0.0: 50.0 50.0 50.0 50.0 50.0 50.0",
                "50.0 s, rate -1.0, age 0.0: 50.0 50.0 50.0 50.0 50.0 50.0",
                "50.0 s, rate 1000.0, age 0.0: 50.0 50.0 50.0 50.0 50.0 50.0",
                "50.0 s, rate 1.0, age nan: 50.0 50.25 50.5 50.75 51.0 51.25",
                "50.0 s, rate 1.0, age -5.0: 50.0 50.25 50.5 50.75 51.0 51.25",
            ])
    }

    /// Reports of a position that is 1.8 s ahead, as often as the session sends them.
    @Test(arguments: [0.02, 0.1, 0.3, 0.9, 5.0], [1.0 / 144, 1.0 / 60, 0.25])
    func `is reached within 1 s however often it is reported`(_ interval: Double, _ frame: Double) {
        var state = strip(at: 50_000)
        var now = 0.0
        var next = 0.0
        while now < 1 + frame {
            if now >= next {
                state.take(.followed(position: Int64((51.8 + now) * 1000), rate: 1, age: 0))
                next += interval
            }
            state.take(.frame(seconds: frame))
            now += frame
        }
        #expect(abs(state.geometry.playhead - (51.8 + now) * 1000) < 2)
    }

    @Test(arguments: [1.0 / 240, 1.0 / 60, 0.1, 0.4]) func `does not depend on the frames a second`(_ frame: Double) {
        var state = strip(at: 50_000)
        state.take(.followed(position: 50_700, rate: 1.25, age: 0))
        for _ in 0..<Int((2 / frame).rounded()) { state.take(.frame(seconds: frame)) }
        #expect(abs(state.geometry.playhead - 53_200) < 1e-6)
    }

    @Test func `waits while a finger has the strip`() {
        var state = strip(at: 50_000)
        state.take([.panBegan(x: 20), .followed(position: 70_000, rate: 1, age: 0), .frame(seconds: 1)])
        #expect(state.geometry.position == 50_000)
        state.take(.panEnded(velocity: 0))
        #expect(state.geometry.position == 71_000)
    }

    @Test func `waits until the session has answered the seek`() {
        var state = strip(at: 50_000)
        state.take([.followed(position: 50_000, rate: 1, age: 0), .tapped(x: 30)])
        // Reports that are older than the seek.
        for report in 0..<4 {
            state.take([.followed(position: 50_000 + Int64(report) * 250, rate: 1, age: 0), .frame(seconds: 0.25)])
        }
        // 0.2 s on the way, then playing on from there.
        #expect(abs(state.geometry.playhead - 60_800) < 1e-6)
        state.take([.tapped(x: 10), .frame(seconds: 0.2)])
        #expect(abs(state.geometry.playhead - 50_800) < 1)
        state.take([.answered, .followed(position: 60_100, rate: 1, age: 0)])
        #expect(abs(state.geometry.playhead - 50_800) < 1)
        state.take([.followed(position: 50_900, rate: 1, age: 0), .answered, .answered, .frame(seconds: 1)])
        #expect(abs(state.geometry.playhead - 51_900) < 1)
        state.take([.followed(position: 90_000, rate: 0, age: 0)])
        #expect(state.geometry.position == 90_000)
    }

    @Test func `stops with the session, and is followed again later`() {
        var state = strip(at: 50_000)
        state.take([.followed(position: 50_000, rate: 1, age: 0), .tapped(x: 30), .frame(seconds: 0.2), .stopped])
        #expect(!state.needsFrames)
        state.take([.frame(seconds: 5)])
        #expect(state.geometry.position == 60_000)
        state.take(.followed(position: 7_000, rate: 0, age: 0))
        #expect(state.geometry.position == 7_000)
    }

    @Test func `stays within the content`() {
        var state = strip(at: 99_000)
        state.take([.followed(position: 99_500, rate: 2, age: 0), .frame(seconds: 30)])
        #expect(state.geometry.position == 100_000)
        state.take(.followed(position: .min, rate: 1, age: 1e300))
        #expect(state.geometry.position == 100_000)
        state.take(.followed(position: .min, rate: 0, age: 0))
        #expect(state.geometry.position == 0)
        state.take(.followed(position: .max, rate: 1, age: 0))
        #expect(state.geometry.position == 100_000)
    }

    @Test func `needs frames only while something moves`() {
        var state = strip(at: 50_000)
        #expect(!state.needsFrames)
        state.take(.followed(position: 50_500, rate: 0, age: 0))
        #expect(state.needsFrames)
        #expect(abs(state.settle().seconds - 1) < 0.02)
        state.take(.followed(position: 50_500, rate: 1, age: 0))
        #expect(state.needsFrames)
        state.take(.followed(position: 50_500, rate: 0, age: 0))
        #expect(!state.needsFrames)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import Testing

/// Sound that carries its position and has gaps.
private func source(silentIn holes: [Range<Int64>], to end: Int64, blockFrames: Int = 1024) -> FakeSource {
    let source = FakeSource { position, channel in
        holes.contains { $0.contains(position) } ? 0 : PlaceCode.sample(position, channel)
    }
    source.supply(generation: 1, from: 0, to: end, blockFrames: blockFrames)
    return source
}

private let halfASecond = SoundOptions(silence: 0.5)

@Suite struct SilenceTests {
    /// A shortened silence keeps 120 ms at each end, and what does not fill 10 ms.
    @Test(
        arguments: [
            // These lie on the grid of 10 ms and off it.
            (48_000..<144_000, 11_520), (48_100..<144_300, 380 + 11_520 + 300),
            // These are exactly at the limit, and 10 ms longer.
            (48_000..<72_000, 24_000), (48_000..<72_480, 11_520),
            // This is longer than an engine's ring.
            (48_000..<960_000, 11_520),
        ] as [(Range<Int64>, Int)])
    func `a silence that is longer than the setting is shortened`(_ hole: Range<Int64>, _ left: Int) {
        let source = source(silentIn: [hole], to: hole.upperBound + 48_000)
        let listener = Listener(source, sound: halfASecond)
        #expect(listener.render(1_100_000) == .held)
        listener.renderer.heard(upTo: listener.renderer.written)
        while listener.render(48_000) != .ended { listener.renderer.heard(upTo: listener.renderer.written) }
        #expect(
            listener.runs == [
                .places(0..<hole.lowerBound), .silence(left), .places(hole.upperBound..<hole.upperBound + 48_000),
            ])
    }

    @Test func `without a long silence samples pass bit for bit`() {
        let source = source(silentIn: [10_000..<30_000], to: 60_000, blockFrames: 777)
        let listener = Listener(source, sound: halfASecond)
        #expect(listener.render(70_000) == .ended)
        #expect(listener.runs == [.places(0..<10_000), .silence(20_000), .places(30_000..<60_000)])
    }

    /// Every frame that carries its position agrees with the map, whatever the gaps and blocks.
    @Test(arguments: 0..<24)
    func `the reported position is the audible position`(_ seed: Int) {
        var random = SmallRandom(seed: UInt64(seed) &+ 1)
        var holes: [Range<Int64>] = []
        var at: Int64 = 0
        for _ in 0..<6 {
            at += Int64(random.next(in: 2_000...40_000))
            let end = at + Int64(random.next(in: 100...90_000))
            holes.append(at..<end)
            at = end
        }
        let end = at + 20_000
        let source = source(silentIn: holes, to: end, blockFrames: random.next(in: 100...5_000))
        let listener = Listener(source, sound: halfASecond)
        var condition = listener.render(random.next(in: 10...9_000))
        while condition != .ended {
            if random.next(in: 0...4) == 0, listener.renderer.written > 4_000 {
                // This change is inaudible, and everything from there on is rendered again.
                let from = listener.renderer.written - Int64(random.next(in: 1...3_000))
                let limit = HeardPosition(generation: 1, track: 1, units: Int64(random.next(in: 0...1_000)))
                _ = listener.renderer.set(.limit(limit), from: from)
            }
            condition = listener.render(random.next(in: 10...9_000))
            listener.renderer.heard(upTo: listener.renderer.written - 5_000)
            check(listener, from: max(0, Int(listener.renderer.written) - 4_500))
        }
        #expect(listener.renderer.place(at: listener.renderer.written)?.units == end)
    }

    private func check(_ listener: Listener, from first: Int) {
        var wrong = 0
        for frame in first..<Int(listener.renderer.written) {
            let (left, right) = (listener.samples[frame * 2], listener.samples[frame * 2 + 1])
            guard left != 0, let place = PlaceCode.position(left: left, right: right) else { continue }
            // A mixture of two positions may look like a third.
            if listener.renderer.place(at: Int64(frame))?.units != place { wrong += 1 }
        }
        #expect(wrong < 400, "two fades of 4 ms at most")
    }

    @Test func `a pause in a shortened silence loses nothing after it`() {
        let source = source(silentIn: [48_000..<144_000], to: 200_000)
        let listener = Listener(source, sound: halfASecond)
        listener.render(96_000)
        let start = listener.renderer.pause(from: 50_000)
        listener.render(4_800)
        let silent = listener.renderer.silentFrom
        let place = listener.renderer.place(at: silent)?.units ?? -1
        #expect((48_000..<54_000).contains(place))
        _ = listener.renderer.resume(from: silent + 480)
        #expect(start == 50_000)
        #expect(listener.renderer.place(at: silent + 480)?.units == place)
        listener.finish()
        #expect(listener.runs.last == .places(144_000..<200_000))
    }

    @Test(arguments: [0.5, 1.5, 2.0, 3.0])
    func `at another speed the same is left out`(_ rate: Double) {
        let source = source(silentIn: [48_000..<144_000], to: 192_000)
        let listener = Listener(source, rate: rate, sound: halfASecond)
        var condition = StreamRenderer.Condition.complete
        while condition != .ended {
            condition = listener.render(24_000)
            listener.renderer.heard(upTo: listener.renderer.written)
        }
        let kept = 192_000.0 - 96_000 + 11_520
        #expect(abs(Double(listener.renderer.written) - kept / rate) <= 2)
        #expect(listener.renderer.place(at: listener.renderer.written)?.units == 192_000)
        // Well behind the silence the map is the same as without one.
        let late = listener.renderer.written - Int64(24_000 / rate)
        #expect(abs((listener.renderer.place(at: late)?.units ?? 0) - 168_000) < 3_000)
    }

    @Test func `a change of speed continues at the audible position`() {
        let source = source(silentIn: [48_000..<144_000], to: 400_000)
        let listener = Listener(source, sound: halfASecond)
        listener.render(90_000)
        // This frame lies behind the silence.
        let before = listener.renderer.place(at: 70_000)?.units
        let expected: Int64 = 144_000 + 70_000 - 48_000 - 11_520
        #expect(before == expected)
        #expect(listener.renderer.set(.rate(2), from: 70_000) == 70_000)
        listener.render(20_000)
        #expect(listener.renderer.place(at: 70_000)?.units == before)
        let back = listener.renderer.set(.rate(1), from: 80_000)
        let place = listener.renderer.place(at: back)?.units ?? -1
        listener.render(10_000)
        guard case .places(let range)? = listener.runs.last else {
            Issue.record("no sound after \(listener.runs)")
            return
        }
        #expect(range.upperBound == place + 10_000)
    }

    @Test func `a limit within a silence is kept`() {
        for units in [60_000, 100_000, 143_990] as [Int64] {
            let source = source(silentIn: [48_000..<144_000], to: 200_000)
            let listener = Listener(
                source, until: HeardPosition(generation: 1, track: 0, units: units), sound: halfASecond)
            #expect(listener.finish() == .ended)
            #expect(listener.renderer.isAtLimit)
            #expect(listener.renderer.place(at: listener.renderer.written)?.units == units)
            // The limit is removed, and the sound that would have followed continues.
            _ = listener.renderer.set(.limit(nil), from: listener.renderer.written - 100)
            #expect(listener.finish() == .ended)
            #expect(!listener.renderer.isAtLimit)
            guard case .places(let range)? = listener.runs.last else {
                Issue.record("no sound after \(listener.runs)")
                return
            }
            // If the sound begins within 4 ms, its first frames are faded.
            #expect((144_000...144_192).contains(range.lowerBound))
            #expect(range.upperBound == 200_000)
        }
    }

    @Test(arguments: [1.0, 2.0])
    func `the beginning of a chapter is heard, even within a silence`(_ rate: Double) {
        let boundary: Int64 = 96_123
        let source = source(silentIn: [48_000..<144_000], to: 192_000)
        let listener = Listener(
            source, rate: rate, sound: halfASecond,
            boundaries: [HeardPosition(generation: 0, track: 0, units: 0)]
                + [HeardPosition(generation: 0, track: 0, units: boundary)])
        var heard: [Int64] = []
        listener.finish { frames in
            for frame in frames {
                if let units = listener.renderer.place(at: frame)?.units { heard.append(units) }
            }
        }
        #expect(heard == heard.sorted())
        // 120 ms are kept on both sides of it, the last of them right in front of it.
        #expect(heard.contains { (boundary - 3...boundary).contains($0) })
        #expect(heard.count { (boundary - 5_760..<boundary + 5_760).contains($0) } >= Int(11_000 / rate))
        #expect(!heard.contains { (60_000..<80_000).contains($0) })
    }

    @Test func `a silence is not left out across two files`() {
        let source = FakeSource { _, _ in 0 }
        source.put(48_000, track: 0, at: 0, isTrackEnd: true)
        source.put(48_000, track: 1, at: 0, isEnd: true, isTrackEnd: true)
        let listener = Listener(source, sound: halfASecond)
        #expect(listener.render(100_000) == .ended)
        #expect(listener.renderer.written == 2 * 11_520)
        #expect(listener.renderer.place(at: 11_519) == HeardPosition(generation: 1, track: 0, units: 47_999))
        #expect(listener.renderer.place(at: 11_520) == HeardPosition(generation: 1, track: 1, units: 0))
    }

    /// Otherwise an engine would wait for space, and the session for the end of the silence.
    @Test func `sound that is left out is released once everything before it was heard`() {
        let source = FakeSource { position, channel in position < 48_000 ? PlaceCode.sample(position, channel) : 0 }
        source.put(48_000, at: 0)
        source.put(240_000, at: 48_000)
        let listener = Listener(source, sound: halfASecond)
        #expect(listener.render(200_000) == .starved)
        #expect(source.released == 0)
        listener.renderer.heard(upTo: listener.renderer.written)
        #expect(listener.render(1_000) == .starved)
        #expect(source.released == 288_000 - 5_760)
    }

    @Test func `it is switched on and off during playback, and nothing else is lost`() {
        let source = source(silentIn: [48_000..<96_000, 144_000..<192_000], to: 240_000)
        let listener = Listener(source)
        listener.render(90_000)
        #expect(listener.renderer.set(.sound(halfASecond), from: 60_000) == 60_000)
        #expect(listener.renderer.place(at: 60_000)?.units == 60_000)
        listener.render(60_000)
        #expect(listener.renderer.set(.sound(SoundOptions()), from: 90_000) == 90_000)
        #expect(listener.finish() == .ended)
        #expect(listener.runs.contains(.silence(48_000)), "the second one is whole")
        #expect(listener.renderer.place(at: listener.renderer.written)?.units == 240_000)
    }

    @Test func `a seek into a silence begins at its target`() {
        let source = source(silentIn: [48_000..<144_000], to: 200_000)
        let listener = Listener(source, sound: halfASecond)
        listener.render(30_000)
        listener.renderer.reposition(to: 2)
        source.supply(generation: 2, from: 50_000, to: 200_000)
        #expect(listener.renderer.crossOver(from: 12_000) == .from(12_000))
        listener.render(3_000)
        #expect(listener.renderer.place(at: 12_000)?.units == 50_000)
        #expect(listener.renderer.generationStart == 12_000)
    }
}

/// A generator of the same numbers in each run.
struct SmallRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func next(in range: ClosedRange<Int>) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + Int((state >> 33) % UInt64(range.count))
    }
}

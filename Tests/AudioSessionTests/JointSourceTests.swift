// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import CAllocationCount
import RandomTestSupport
import Testing

/// One engine's sound follows another's, at a frame that both have.
@Suite struct JointSourceTests {
    private let old = FakeSource()
    private let new = FakeSource()
    private let joint: JointSource

    init() {
        old.supply(generation: 1, from: 0)
        joint = JointSource(old)
    }

    /// Reads frames, and returns their places; the number of a frame is its place in these tests.
    private func read(_ frames: Int) -> [PlaceCode.Run] {
        var samples: [Float] = []
        var left = frames
        while left > 0, let block = joint.next(), block.frames > 0 {
            let taken = min(left, block.frames)
            samples += UnsafeBufferPointer(start: block.samples, count: taken * 2)
            #expect(block.index == block.position && block.generation == 1)
            joint.advance(by: taken)
            left -= taken
        }
        return PlaceCode.runs(samples)
    }

    @Test(arguments: [0, 1, 999, 1_000, 1_024, 5_000], [64, 1_024])
    func `the other engine follows at the frame that is read next, wherever it began`(
        _ start: Int64, _ blockFrames: Int
    ) {
        #expect(read(1_000) == [.places(0..<1_000)])
        #expect(joint.nextPlace?.track == 0 && joint.nextPlace?.units == 1_000)
        new.supply(generation: 1, from: start, blockFrames: blockFrames)
        #expect(joint.offer(new))
        #expect(read(9_000) == [.places(1_000..<10_000)])
        #expect(joint.joints == 1 && !joint.takeBack())
    }

    @Test func `an engine that has nothing, something else or the end before that place is not heard`() {
        _ = read(1_000)
        #expect(joint.offer(new) && !joint.offer(old))
        #expect(read(500) == [.places(1_000..<1_500)])
        new.put(100, generation: 1, at: 0, isEnd: true)
        #expect(read(500) == [.places(1_500..<2_000)])
        new.put(100, generation: 2, at: 2_000)
        #expect(read(500) == [.places(2_000..<2_500)] && joint.joints == 0)
        #expect(joint.takeBack())
        #expect(read(500) == [.places(2_500..<3_000)])
    }

    @Test func `an engine that has run dry is followed where its sound ended`() {
        _ = read(1_000)
        old.stopSupply()
        let rest = read(10_000)
        new.supply(generation: 1, from: 0)
        #expect(joint.offer(new))
        #expect(joint.next() != nil && joint.joints == 1)
        guard case .places(let places)? = rest.last else { return }
        #expect(read(100) == [.places(places.upperBound..<places.upperBound + 100)])
    }

    @Test func `a dry engine does not keep the other one from waking the output`() {
        let joint = JointSource(FakeSource())
        #expect(joint.offer(new) && !joint.arm() && joint.readiness == new.readiness)
        joint.acknowledge()
        #expect(joint.takeBack() && !joint.arm() && joint.readiness != new.readiness)
    }

    @Test func `the next track follows where the one before was read to its end`() {
        let old = FakeSource()
        old.put(100, generation: 1, at: 0, isTrackEnd: true)
        let joint = JointSource(old)
        _ = joint.next()
        joint.advance(by: 100)
        new.put(50, generation: 1, at: 50, isTrackEnd: true)
        new.put(70, generation: 1, track: 1, at: 0)
        #expect(joint.offer(new))
        let block = joint.next()
        #expect(block?.track == 1 && block?.position == 0 && block?.index == 100)
    }

    @Test func `sound from before the joint can be read again, until it is released`() {
        _ = read(1_000)
        new.supply(generation: 1, from: 0)
        _ = joint.offer(new)
        _ = read(1_000)
        #expect(joint.rewind(to: 400))
        #expect(read(1_600) == [.places(400..<2_000)])
        joint.release(before: 900)
        #expect(!joint.rewind(to: 899) && joint.rewind(to: 900))
        #expect(read(300) == [.places(900..<1_200)])
        joint.release(before: 1_100)
        #expect(!joint.rewind(to: 999) && joint.rewind(to: 1_150))
        #expect(read(100) == [.places(1_150..<1_250)])
        #expect(new.released == 1_100)
    }

    @Test func `after a seek the other engine is heard alone, under numbers that go on`() {
        _ = read(1_000)
        _ = joint.offer(new)
        new.put(10, generation: 1, at: 0)
        joint.discard(before: 2)
        #expect(joint.next() == nil)
        new.put(100, generation: 2, at: 70_000)
        let block = joint.next()
        #expect(block?.position == 70_000 && block?.generation == 2 && block?.index == 1_000)
        #expect(joint.joints == 1)
    }

    @Test func `a seek behind the joint leaves nothing of the sound before it`() {
        _ = read(1_000)
        new.supply(generation: 1, from: 0)
        _ = joint.offer(new)
        _ = read(1_000)
        _ = joint.rewind(to: 10)
        joint.discard(before: 2)
        #expect(joint.next() == nil)
        new.put(100, generation: 2, at: 70_000)
        #expect((joint.next()?.index ?? 0) >= 1_000)
    }

    @Test func `any number of engines may follow, whatever is read again in between`() {
        for seed in 0..<300 {
            var random = SplitMix(state: UInt64(seed) &* 0x9E37_79B9)
            let first = FakeSource()
            first.supply(generation: 1, from: 0, blockFrames: 1 + random.next(below: 300))
            let joint = JointSource(first)
            var (read, released, offers) = (Int64(0), Int64(0), 0)
            for _ in 0..<200 {
                switch random.next(below: 8) {
                case 0:
                    let other = FakeSource()
                    let start = max(0, read + Int64(random.next(below: 900)) - 700)
                    other.supply(generation: 1, from: start, blockFrames: 1 + random.next(below: 300))
                    if joint.offer(other) { offers += 1 }
                case 1: if joint.takeBack() { offers -= 1 }
                case 2:
                    let back = released + Int64(random.next(below: Int(read - released) + 1))
                    #expect(joint.rewind(to: back), "seed \(seed)")
                    read = back
                case 3:
                    released += Int64(random.next(below: Int(read - released) + 1))
                    joint.release(before: released)
                default:
                    guard let block = joint.next() else { break }
                    let frames = 1 + random.next(below: block.frames)
                    let place = PlaceCode.position(left: block.samples[0], right: block.samples[1])
                    guard block.index == read, block.position == read, place == read else {
                        Issue.record("seed \(seed): frame \(block.index) at \(block.position), expected \(read)")
                        return
                    }
                    joint.advance(by: frames)
                    read += Int64(frames)
                }
            }
            #expect(joint.joints <= offers && offers <= joint.joints + 1, "seed \(seed)")
        }
    }

    @Test func `the reader goes over without allocating or freeing memory`() {
        let (first, second) = (FixedSource(old, frames: 60_000), FixedSource(new, frames: 60_000))
        let joint = JointSource(first)
        let renderer = StreamRenderer(source: joint, format: old.format, generation: 1, aheadFrames: 96_000)
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 4_800 * 2)
        defer { buffer.deallocate() }
        allocation_count_begin()
        for round in 0..<10 {
            if round == 3 { _ = joint.offer(second) }
            _ = renderer.render(into: buffer, frames: 4_800)
            renderer.heard(upTo: renderer.written - 2_400)
        }
        #expect(allocation_count_end() == 0)
        #expect(joint.joints == 1)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a stream sounds the same over the joint, at any rate`() {
        for rate in [1.0, 2.0] {
            let streams = [false, true].map { joins in
                let (old, new) = (FakeSource(), FakeSource())
                old.supply(generation: 1, from: 0, to: 200_000)
                new.supply(generation: 1, from: 30_000, to: 200_000)
                let joint = JointSource(old)
                let renderer = StreamRenderer(
                    source: joint, format: old.format, generation: 1, settings: StreamSettings(rate: rate),
                    aheadFrames: 96_000, softens: false)
                var samples: [Float] = []
                var buffer = [Float](repeating: .nan, count: 2 * 4_800)
                while samples.count < 2 * Int(190_000 / rate) {
                    if joins, samples.count > 80_000 / Int(rate), joint.joints == 0 { _ = joint.offer(new) }
                    let rendered = renderer.render(into: &buffer, frames: 4_800)
                    samples += buffer.prefix(rendered.frames * 2)
                    renderer.heard(upTo: renderer.written - 9_600)
                }
                #expect(joint.joints == (joins ? 1 : 0))
                return samples
            }
            #expect(streams[0] == streams[1])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import CAllocationCount
import Testing

/// A listener that renders like a device that never runs ahead: what it has taken is heard.
final class Listener {
    let source: FakeSource
    let renderer: StreamRenderer
    private(set) var samples: [Float] = []

    init(
        _ source: FakeSource, rate: Double = 1, volume: Double = 1, softens: Bool = false, isPaused: Bool = false,
        until: HeardPosition? = nil, sound: SoundOptions = SoundOptions(), boundaries: [HeardPosition] = []
    ) {
        self.source = source
        renderer = StreamRenderer(
            source: source, format: source.format, generation: 1,
            settings: StreamSettings(rate: rate, volume: volume, sound: sound, limit: until), aheadFrames: 96_000,
            softens: softens, isPaused: isPaused, boundaries: boundaries)
    }

    /// Renders up to this many frames, which replace the stream from `frame` on.
    @discardableResult
    func render(_ frames: Int) -> StreamRenderer.Condition {
        samples.removeLast(samples.count - Int(renderer.written) * 2)
        var buffer = [Float](repeating: .nan, count: frames * 2)
        let rendered = renderer.render(into: &buffer, frames: frames)
        samples += buffer.prefix(rendered.frames * 2)
        return rendered.condition
    }

    /// Renders to the end; all but the last `kept` frames are heard.
    @discardableResult
    func finish(keeping kept: Int64 = 9_600, _ rendered: (Range<Int64>) -> Void = { _ in }) -> StreamRenderer.Condition
    {
        while true {
            let first = renderer.written
            let condition = render(12_000)
            rendered(first..<renderer.written)
            guard condition == .complete || condition == .held else { return condition }
            renderer.heard(upTo: renderer.written - kept)
        }
    }

    var runs: [PlaceCode.Run] { PlaceCode.runs(samples) }
}

/// A source of one block of silence with the largest possible number of units.
private final class VastSource: PCMSource {
    static let frames = 30_000
    let format = AudioFormat(sampleRate: 48_000, channels: 2)
    private let samples: [Float] = Array(repeating: 0, count: frames * 2)

    func next() -> PCMBlock? {
        // The pointer is that of an array that never changes and lives as long as the source.
        samples.withUnsafeBufferPointer { samples in
            samples.baseAddress.map {
                PCMBlock(
                    samples: $0, frames: Self.frames, format: format, generation: 1, track: 0, position: 0,
                    positionEnd: .max, index: 0, isEnd: false, isTrackEnd: false)
            }
        }
    }

    func advance(by frames: Int) {}
    func rewind(to index: Int64) -> Bool { false }
    func release(before index: Int64) {}
    func discard(before generation: UInt32) {}
    var readiness: Int32 { -1 }
    func arm() -> Bool { false }
    func acknowledge() {}
}

@Suite struct StreamRendererTests {
    @Test func `at rate 1 and full volume samples pass bit for bit`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 1000, to: 30_000, blockFrames: 777)
        let listener = Listener(source)
        #expect(listener.render(40_000) == .ended)
        #expect(listener.runs == [.places(1000..<30_000)])
    }

    @Test func `a limit ends the sound at exactly its frame`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 1000, to: 30_000, blockFrames: 777)
        let listener = Listener(source, until: HeardPosition(generation: 1, track: 0, units: 12_345))
        #expect(listener.render(40_000) == .ended)
        #expect(listener.runs == [.places(1000..<12_345)])
        #expect(listener.renderer.isAtLimit)
    }

    @Test func `a limit in units that are not frames ends the sound in proportion`() {
        let source = VastSource()
        let renderer = StreamRenderer(
            source: source, format: source.format, generation: 1,
            settings: StreamSettings(limit: HeardPosition(generation: 1, track: 0, units: .max / 4 + 1)),
            aheadFrames: 48_000)
        var buffer = [Float](repeating: .nan, count: VastSource.frames * 2)
        let rendered = renderer.render(into: &buffer, frames: VastSource.frames)
        #expect(rendered.frames == VastSource.frames / 4)
        #expect(renderer.isAtLimit)
    }

    @Test(arguments: [1, 1.5]) func `a seek back after everything was rendered is heard, at any rate`(_ rate: Double) {
        let source = FakeSource()
        source.supply(generation: 1, from: 0, to: 30_000)
        let listener = Listener(source, rate: rate)
        #expect(listener.render(60_000) == .ended)
        listener.renderer.reposition(to: 2)
        source.supply(generation: 2, from: 0, to: 30_000)
        guard case .from(let start) = listener.renderer.crossOver(from: 5_000) else {
            Issue.record("the sound of the seek is there")
            return
        }
        #expect(listener.render(60_000) == .ended)
        #expect(abs(Double(listener.renderer.written - start) - 30_000 / rate) < 2_000)
    }

    /// The blocks begin at multiples of 777.
    @Test(arguments: [7_770, 8_000, 8_547] as [Int64], [1, 1.5])
    func `the last place is the limit, wherever that lies in a block`(at units: Int64, rate: Double) {
        let source = FakeSource()
        source.supply(generation: 1, from: 0, to: 30_000, blockFrames: 777)
        let listener = Listener(source, rate: rate, until: HeardPosition(generation: 1, track: 0, units: units))
        #expect(listener.render(60_000) == .ended)
        #expect(listener.renderer.isAtLimit)
        let end = listener.renderer.place(at: listener.renderer.written)
        #expect(end == HeardPosition(generation: 1, track: 0, units: units))
    }

    @Test func `a limit before the start is dropped`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 20_000, to: 30_000, blockFrames: 777)
        let listener = Listener(source, until: HeardPosition(generation: 1, track: 0, units: 12_345))
        #expect(listener.render(40_000) == .ended)
        #expect(listener.runs == [.places(20_000..<30_000)])
        #expect(!listener.renderer.isAtLimit, "it is the end of the content")
    }

    @Test func `repeated pauses lose and repeat nothing`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(48_000)
        var frame: Int64 = 10_000
        for _ in 0..<3 {
            let start = listener.renderer.pause(from: frame)
            #expect(start == frame)
            #expect(listener.render(9_600) == .silent)
            let silent = listener.renderer.silentFrom
            let place = listener.renderer.place(at: silent)
            let again = listener.renderer.resume(from: silent + 500)
            #expect(again == silent + 500)
            listener.render(20_000)
            #expect(listener.renderer.place(at: again) == place)
            frame = again + 5_000
        }
        // The fades take 4 ms down and 2 ms up, and nothing between them is missing.
        let faded = 192 + 96
        #expect(listener.runs.count { if case .places = $0 { true } else { false } } == 4)
        var expected: Int64 = 0
        for run in listener.runs {
            switch run {
            case .places(let range):
                #expect(range.lowerBound == expected)
                expected = range.upperBound
            case .mixed(let count): expected += Int64(count)
            case .silence(let count): #expect((490...510).contains(count))
            }
        }
        #expect(faded == 288)
    }

    @Test func `a seek crosses over to the exact new position`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(48_000)
        listener.renderer.reposition(to: 2)
        #expect(listener.renderer.crossOver(from: 12_000) == .waiting)
        #expect(listener.renderer.place(at: 12_000)?.units == 12_000)
        source.supply(generation: 2, from: 5_000_000)
        #expect(listener.renderer.crossOver(from: 12_000) == .from(12_000))
        listener.render(10_000)
        #expect(listener.renderer.generationStart == 12_000)
        #expect(listener.runs.first == .places(0..<12_000))
        #expect(listener.runs.last == .places(5_000_000 + 192..<5_010_000))
        #expect(listener.renderer.place(at: 12_000) == HeardPosition(generation: 2, track: 0, units: 5_000_000))
        #expect(listener.renderer.place(at: 11_999) == HeardPosition(generation: 1, track: 0, units: 11_999))
    }

    @Test func `a seek while paused is heard from its first frame`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(48_000)
        _ = listener.renderer.pause(from: 4_800)
        listener.render(960)
        listener.renderer.reposition(to: 2)
        source.supply(generation: 2, from: 90_000)
        #expect(listener.renderer.crossOver(from: 5_200) == .from(5_200))
        _ = listener.renderer.resume(from: 5_200)
        listener.render(4_800)
        #expect(listener.runs.last == .places(90_096..<94_800))
        #expect(listener.renderer.place(at: 5_200)?.units == 90_000)
    }

    @Test func `old sound does not return at resume if the sound of a seek is late`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(48_000)
        _ = listener.renderer.pause(from: 4_800)
        listener.render(960)
        listener.renderer.reposition(to: 2)
        _ = listener.renderer.resume(from: 5_200)
        #expect(listener.render(4_800) == .starved)
        #expect(listener.renderer.written == 5_200)
        source.supply(generation: 2, from: 90_000)
        #expect(listener.renderer.crossOver(from: 5_200) == .from(5_200))
        listener.render(4_800)
        #expect(listener.renderer.place(at: 5_200)?.units == 90_000)
    }

    @Test(arguments: [0.5, 1.5, 2.0, 3.0]) func `a new rate continues at the position of the old one`(_ rate: Double) {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(48_000)
        let start = listener.renderer.set(.rate(rate), from: 20_000)
        #expect(start == 20_000)
        #expect(listener.render(24_000) == .complete)
        #expect(listener.renderer.place(at: 20_000)?.units == 20_000)
        let far = listener.renderer.place(at: 44_000)?.units ?? 0
        #expect(abs(Double(far - 20_000) - 24_000 * rate) < 2_000 * rate)
        // After the change back, the map agrees with what is heard next.
        let back = listener.renderer.set(.rate(1), from: 30_000)
        let place = listener.renderer.place(at: back)?.units ?? -1
        listener.render(10_000)
        guard case .places(let range)? = listener.runs.last else {
            Issue.record("no sound after \(listener.runs)")
            return
        }
        // The last faded frames may happen to look whole, or the first whole one faded.
        #expect((190...194).contains(range.lowerBound - place))
        #expect(range.upperBound == place + 10_000)
    }

    @Test func `stretched content has the right total length`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 0, to: 96_000)
        let listener = Listener(source, rate: 2)
        #expect(listener.render(90_000) == .ended)
        #expect(listener.renderer.written == 48_000)
        #expect(listener.renderer.place(at: 48_000)?.units == 96_000)
    }

    @Test func `frames are released when they have been heard, not before`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(48_000)
        #expect(source.released == 0)
        listener.renderer.heard(upTo: 20_000)
        #expect(source.released == 20_000 - 960)
        #expect(listener.renderer.set(.rate(2), from: 20_000) == 20_000)
        #expect(listener.renderer.place(at: 20_000)?.units == 20_000)
    }

    @Test func `no more is rendered ahead than the limit`() {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        #expect(listener.render(200_000) == .held)
        #expect(listener.renderer.written == 96_000)
        listener.renderer.heard(upTo: 1_000)
        #expect(listener.render(200_000) == .held)
        #expect(listener.renderer.written == 97_000)
    }

    @Test func `samples that are not numbers become silence`() {
        let bad: [Float] = [.nan, .infinity, -.infinity, .signalingNaN]
        let source = FakeSource { position, _ in position < 4 ? bad[Int(position)] : 0.5 }
        source.put(8, at: 0, isEnd: true)
        let listener = Listener(source)
        listener.render(8)
        #expect(listener.samples == [Float](repeating: 0, count: 8) + [Float](repeating: 0.5, count: 8))
    }

    @Test func `another format ahead stops the stream behind the last frame`() {
        let source = FakeSource()
        let other = AudioFormat(sampleRate: 44_100, channels: 1)
        source.put(1_000, at: 0, isTrackEnd: true)
        source.put(500, track: 1, at: 0, isEnd: true, format: other)
        let listener = Listener(source)
        #expect(listener.render(4_000) == .formatChange(other))
        #expect(listener.runs == [.places(0..<1_000)])
        let rest = StreamRenderer(source: source, format: other, generation: 1, aheadFrames: 4_000)
        var buffer = [Float](repeating: 0, count: 1_000)
        #expect(rest.render(into: &buffer, frames: 1_000).frames == 500)
        #expect(rest.place(at: 100) == HeardPosition(generation: 1, track: 1, units: 100))
    }

    @Test func `volume is even in loudness and changes without a step`() {
        let source = FakeSource { _, _ in 1 }
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(4_800)
        _ = listener.renderer.set(.volume(0.5), from: 2_400)
        listener.render(4_800)
        #expect(listener.samples[4_798] == 1)
        #expect(listener.samples.last == 0.125)
        for index in 1..<listener.samples.count / 2 {
            #expect(abs(listener.samples[index * 2] - listener.samples[index * 2 - 2]) < 0.01)
        }
    }

    @Test func `units follow the blocks, even if their pace changes`() {
        let source = FakeSource()
        source.put(100, at: 0)
        source.put(100, track: 1, at: 7_000)
        source.put(0, track: 1, at: 7_100, isEnd: true)
        let listener = Listener(source)
        #expect(listener.render(1_000) == .ended)
        let places = [0, 50, 99, 100, 150, 200].map { listener.renderer.place(at: $0) }
        #expect(places.map { $0?.track } == [0, 0, 0, 1, 1, 1])
        #expect(places.map { $0?.units } == [0, 50, 99, 7_000, 7_050, 7_100])
    }

    @Test func `rendering allocates nothing`() {
        let all = SoundOptions(isMono: true, balance: 0.5, loudness: -18, silence: 0.3)
        for (rate, sound) in [(1.0, SoundOptions()), (2.0, SoundOptions()), (1.0, all), (2.0, all)] {
            let source = FakeSource()
            let renderer = StreamRenderer(
                source: FixedSource(source, frames: 96_000), format: source.format, generation: 1,
                settings: StreamSettings(rate: rate, volume: 0.7, sound: sound), aheadFrames: 96_000)
            let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 4_800 * 2)
            defer { buffer.deallocate() }
            allocation_count_begin()
            var total: Int64 = 0
            for round in 0..<8 {
                _ = renderer.render(into: buffer, frames: 4_800)
                renderer.heard(upTo: renderer.written - 2_400)
                _ = renderer.place(at: renderer.written)
                if round == 3 { _ = renderer.pause(from: renderer.written - 1_000) }
                if round == 5 { _ = renderer.resume(from: renderer.written - 1_000) }
                if round == 6 { _ = renderer.set(.volume(1), from: renderer.written - 1_000) }
                total = renderer.written
            }
            #expect(allocation_count_end() == 0)
            #expect(total > 14_000)
        }
    }

    @Test func `the allocation counter works`() {
        allocation_count_begin()
        let array = [Int](repeating: 1, count: 10_000)
        #expect(array.count == 10_000)
        #expect(allocation_count_end() > 0)
    }
}

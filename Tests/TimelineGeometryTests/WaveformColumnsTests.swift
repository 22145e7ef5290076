// SPDX-License-Identifier: Apache-2.0

import RandomTestSupport
import Testing
import TimelineGeometry

/// A recording of random samples, whose loudness changes every 100 frames, and its peaks.
struct NoiseRecording {
    let samples: [Int16]

    init(frames: Int, seed: UInt64) {
        var random = SplitMix(state: seed)
        var loudness = 1
        samples = (0..<frames).map { frame in
            if frame.isMultiple(of: 100) { loudness = 1 + random.next(below: 32_767) }
            return Int16(random.next(below: 2 * loudness) - loudness)
        }
    }

    /// The peak over some frames, from the samples themselves.
    func peak(_ frames: Range<Int>) -> WaveformPeak {
        let part = samples[frames]
        let squares = part.reduce(0.0) { $0 + Double($1) * Double($1) }
        return WaveformPeak(
            min: part.min() ?? 0, max: part.max() ?? 0,
            rms: UInt16((squares / Double(max(1, part.count))).squareRoot().rounded()))
    }

    func peaks(every frames: Int) -> [WaveformPeak] {
        stride(from: 0, to: samples.count, by: frames).map { peak($0..<min($0 + frames, samples.count)) }
    }
}

@Suite struct `The columns of a waveform` {
    private static let recording = NoiseRecording(frames: 20_000, seed: 7)

    private static let waveform: Waveform = {
        var waveform = Waveform(framesPerSecond: 1000)
        for resolution in [8, 64, 512] {
            waveform.add(recording.peaks(every: resolution), from: 0, framesPerPeak: resolution)
        }
        return waveform
    }()

    /// Ranges that begin and end with a peak of the resolution that is taken for them.
    @Test(arguments: [8, 16, 56, 64, 128, 448, 512, 1024, 4096])
    func `are what the samples say, whatever they are made of`(_ length: Int) {
        for first in stride(from: 0, to: 20_000 - length, by: length) {
            let exact = Self.recording.peak(first..<(first + length))
            let peak = Self.waveform.peak(over: Double(first)..<Double(first + length))
            #expect(peak?.min == exact.min && peak?.max == exact.max)
            #expect(abs(Int(peak?.rms ?? 0) - Int(exact.rms)) <= 1)
        }
    }

    /// Ranges anywhere: no sample is left out, and none is added from farther away than a peak is long.
    @Test func `leave out no sample`() {
        var random = SplitMix(state: 3)
        for _ in 0..<500 {
            let first = random.next(below: 18_000)
            let length = 8 + random.next(below: 1_500)
            let resolution = length >= 512 ? 512 : length >= 64 ? 64 : 8
            let exact = Self.recording.peak(first..<(first + length))
            let wide = Self.recording.peak(max(0, first - resolution)..<(first + length + resolution))
            let peak = Self.waveform.peak(over: Double(first)..<Double(first + length))
            #expect((wide.min...exact.min).contains(peak?.min ?? .max))
            #expect((exact.max...wide.max).contains(peak?.max ?? .min))
        }
    }

    @Test func `weigh the squares by the frames`() {
        var waveform = Waveform(framesPerSecond: 1000)
        waveform.add(
            [WaveformPeak(min: -10, max: 20, rms: 100), WaveformPeak(min: -30, max: 5, rms: 300)], from: 0,
            framesPerPeak: 10)
        // A quarter of the frames have 300: the root of 0.75 × 100² + 0.25 × 300².
        #expect(waveform.peak(over: -5..<15) == WaveformPeak(min: -30, max: 20, rms: 191))
        #expect(waveform.peak(over: 2.5..<12.5) == WaveformPeak(min: -30, max: 20, rms: 173))
        #expect(waveform.peak(over: 3..<4) == WaveformPeak(min: -10, max: 20, rms: 100))
        #expect(waveform.peak(over: 0..<10) == WaveformPeak(min: -10, max: 20, rms: 100))
    }

    /// Resolutions that lie: each says by its peaks which one was taken.
    @Test(arguments: [(1.0, 8), (7.9, 8), (8, 8), (63, 8), (64, 64), (511, 64), (512, 512), (5_000, 512)])
    func `are made of the coarsest resolution that is finer`(_ length: Double, _ resolution: Int) {
        var waveform = Waveform(framesPerSecond: 1000)
        for level in [64, 8, 512] {
            let peak = WaveformPeak(min: 0, max: Int16(level), rms: 0)
            waveform.add(Array(repeating: peak, count: 8_192 / level), from: 0, framesPerPeak: level)
        }
        #expect(waveform.peak(over: 1000..<(1000 + length))?.max == Int16(resolution))
    }

    @Test func `are made of a finer resolution where the coarser one is missing`() {
        var waveform = Waveform(framesPerSecond: 1000)
        waveform.add(Self.recording.peaks(every: 8), from: 0, framesPerPeak: 8)
        waveform.add(Array(Self.recording.peaks(every: 512).prefix(3)), from: 0, framesPerPeak: 512)
        #expect(waveform.peak(over: 2_048..<3_072)?.max == Self.recording.peak(2_048..<3_072).max)
    }

    @Test func `are nil where not all of it is made`() {
        let peaks = Self.recording.peaks(every: 8)
        var waveform = Waveform(framesPerSecond: 1000)
        #expect(waveform.peak(over: 0..<8) == nil)
        var made = [Bool](repeating: false, count: 400)
        var random = SplitMix(state: 11)
        for _ in 0..<300 {
            let first = random.next(below: 380)
            let count = 1 + random.next(below: 20)
            // A piece that comes again replaces the one before.
            waveform.add(Array(peaks[first..<(first + count)]), from: first, framesPerPeak: 8)
            for index in first..<(first + count) { made[index] = true }
            let from = random.next(below: 390)
            let to = from + 1 + random.next(below: 10)
            let peak = waveform.peak(over: Double(from * 8)..<Double(to * 8))
            let exact = Self.recording.peak((from * 8)..<(to * 8))
            #expect((peak != nil) == made[from..<to].allSatisfy(\.self))
            #expect(peak == nil || (peak?.min == exact.min && peak?.max == exact.max))
        }
    }

    @Test func `are replaced by what is made later`() {
        func peak(_ number: Int16) -> WaveformPeak { WaveformPeak(min: -number, max: number, rms: 0) }
        var waveform = Waveform(framesPerSecond: 1000)
        waveform.add((0..<10).map { _ in peak(1) }, from: 0, framesPerPeak: 1)
        waveform.add([peak(2), peak(2)], from: 4, framesPerPeak: 1)
        waveform.add([peak(3), peak(3), peak(3), peak(3)], from: 8, framesPerPeak: 1)
        waveform.add([peak(4), peak(4)], from: 5, framesPerPeak: 1)
        let numbers = (0..<13).map { waveform.peak(over: Double($0)..<Double($0 + 1))?.max ?? 0 }
        #expect(numbers == [1, 1, 1, 1, 2, 4, 4, 1, 3, 3, 3, 3, 0])
    }

    /// While a strip moves by less than a pixel or by more, each stretch of content looks the same.
    @Test func `do not change while the strip moves`() {
        var geometry = TimelineGeometry(width: 61, duration: 20_000, secondsPerPixel: 0.11)
        var seen: [Double: WaveformPeak] = [:]
        for position in stride(from: 0.0, through: 20_000, by: 7.7) {
            geometry.movePlayhead(to: position)
            for (column, peak) in WaveformColumns(Self.waveform, geometry).peaks.enumerated() {
                let range = geometry.positions(ofColumn: column)
                #expect((peak != nil) == (range.upperBound > 0 && range.lowerBound < 20_000))
                guard let peak else { continue }
                #expect(seen[range.lowerBound.rounded()] ?? peak == peak)
                seen[range.lowerBound.rounded()] = peak
            }
        }
        #expect(seen.count == 182)
    }

    @Test(arguments: [44_100.0, 1000, 8_000])
    func `lie at their time at any sample rate`(_ rate: Double) {
        // A click in the third second.
        let peaks = (0..<Int(rate / 10) * 5).map { index in
            let second = Double(index * 10) / rate
            return WaveformPeak(min: 0, max: second >= 2 && second < 3 ? 9 : 0, rms: 0)
        }
        var waveform = Waveform(framesPerSecond: rate)
        waveform.add(peaks, from: 0, framesPerPeak: 10)
        let geometry = TimelineGeometry(width: 10, duration: 5_000, secondsPerPixel: 1)
        #expect(
            WaveformColumns(waveform, geometry).peaks.map { $0.map { Int($0.max) } }
                == [nil, nil, nil, nil, nil, 0, 0, 9, 0, 0])
    }

    @Test func `are nil for impossible peaks and ranges`() {
        var waveform = Waveform(framesPerSecond: .nan)
        let peak = WaveformPeak(min: .min, max: .min, rms: .max)
        for (first, resolution) in [(0, 0), (0, -1), (-1, 8), (.max, 8), (.min, 8), (0, .max), (0, .min)] {
            waveform.add([peak], from: first, framesPerPeak: resolution)
        }
        waveform.add([], from: 0, framesPerPeak: 8)
        for range in [0..<8.0, 0..<0.0, -8..<0.0, 0..<Double.infinity, -Double.infinity..<0, 1e300..<2e300] {
            #expect(waveform.peak(over: range) == nil)
        }
        waveform.add([peak], from: 0, framesPerPeak: 8)
        for range in [0..<0.0, -8..<0.0, 0..<Double.infinity, 1e300..<2e300, 1e18..<2e18] {
            #expect(waveform.peak(over: range) == nil)
        }
        #expect(waveform.peak(over: 0..<8) == peak)
        #expect(waveform.peak(over: -1e300..<8) == peak)
    }
}

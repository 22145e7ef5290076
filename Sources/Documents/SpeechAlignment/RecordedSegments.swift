// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import CSpeechWarp

/// Makes frames of a recorded track, minute by minute.
///
/// A minute is normalised with the one before and the one behind it, and its speaker's vocal tract is estimated from all
/// three. So what comes out depends on these alone, and not on where reading began.
struct RecordedSegments: Sendable {
    /// Steps of 10 ms in a segment.
    static let segmentSteps = AlignmentState.segmentSteps

    private struct Segment: Sendable {
        var index: Int
        var cepstra: [Float]
        var energies: [Float]
    }

    private let voice: VoiceCalibration
    private var samples: [Float] = []
    private var next: Int
    /// The segments that are known and whose neighbours may still be needed, at most three.
    private var segments: [Segment] = []
    /// The index of the first segment that is wanted.
    private let first: Int

    /// - Parameter first: The first segment that is wanted; the sound must begin with the one before it, if there is one.
    init(_ voice: VoiceCalibration, first: Int = 0) {
        self.voice = voice
        self.first = first
        next = max(0, first - 1)
    }

    /// Takes sound and returns the frames of the segments that are complete by it.
    mutating func append(_ sound: [Float]) -> SpeechFrames {
        samples += sound
        var frames = SpeechFrames()
        let needed = Self.segmentSteps * SpeechFrames.step
        while samples.count >= needed + SpeechFrames.window - SpeechFrames.step {
            frames.append(take(Self.segmentSteps))
            samples.removeFirst(needed)
        }
        return frames
    }

    /// Returns the frames of what is left at the end of the track.
    mutating func finish() -> SpeechFrames {
        var frames = SpeechFrames()
        let steps = samples.count / SpeechFrames.step
        if steps > 0 { frames.append(take(steps)) }
        samples = []
        if let last = segments.last { frames.append(emit(last.index)) }
        segments = []
        return frames
    }

    private mutating func take(_ steps: Int) -> SpeechFrames {
        let (cepstra, energies) = CepstralBank.recorded.cepstra(of: samples, steps: steps)
        segments.append(Segment(index: next, cepstra: cepstra, energies: energies))
        if segments.count > 3 { segments.removeFirst() }
        next += 1
        return next >= 2 ? emit(next - 2) : SpeechFrames()
    }

    /// Returns the frames of a segment, whose neighbours are there as far as the track has them.
    private func emit(_ index: Int) -> SpeechFrames {
        guard index >= first, let middle = segments.firstIndex(where: { $0.index == index }) else {
            return SpeechFrames()
        }
        let near = segments.filter { abs($0.index - index) <= 1 }
        let threshold = SpeechActivity.threshold(of: near.flatMap(\.energies))
        let runs = near.map { SpeechActivity.runs($0.energies, threshold: threshold) }
        let (warp, statistics) = speaker(near, runs)
        guard let place = near.firstIndex(where: { $0.index == index }) else { return SpeechFrames() }
        let segment = segments[middle]
        // Silence at the end of the segment before belongs to the first pause of this one.
        var silence = 0
        if place > 0 {
            silence = near[place - 1].energies.count - (runs[place - 1].last?.upperBound ?? 0)
        } else if index == 0 {
            silence = 100
        }
        let size = segment.energies.count * SpeechFrames.cepstra
        let pooled = SpeechActivity.pool(
            segment.cepstra[warp * size..<(warp + 1) * size], runs[place], silence: silence)
        let base = Int32(index * Self.segmentSteps)
        return SpeechFrames(
            values: statistics.frames(of: pooled.cepstra), steps: pooled.steps.map { $0 + base },
            pauses: pooled.pauses.map { Float($0) / 100 })
    }

    /// Finds the warp that makes the frames most like those of the voice, whatever is said.
    private func speaker(_ near: [Segment], _ runs: [[Range<Int>]]) -> (warp: Int, CepstralStatistics) {
        let points = voice.points
        let size = SpeechFrames.cepstra
        var best = (warp: 3, cost: Float.infinity, statistics: CepstralStatistics())
        for warp in CepstralBank.recorded.warps.indices {
            var cepstra: [Float] = []
            for (segment, runs) in zip(near, runs) {
                let length = segment.energies.count * size
                cepstra += SpeechActivity.pool(segment.cepstra[warp * length..<(warp + 1) * length], runs).cepstra
            }
            let statistics = CepstralStatistics(cepstra)
            let (means, deviations) = (statistics.means, statistics.deviations)
            let count = cepstra.count / size
            let stride = max(1, count / Self.sampledFrames)
            var sample: [Float] = []
            for frame in Swift.stride(from: 0, to: count, by: stride) {
                for index in 0..<size {
                    sample.append((cepstra[frame * size + index] - means[index]) / deviations[index])
                }
            }
            let cost = cspeech_nearest(sample, sample.count / size, points, points.count / size, size)
            if cost < best.cost { best = (warp, cost, statistics) }
        }
        return (best.warp, best.statistics)
    }

    private static let sampledFrames = 500
}

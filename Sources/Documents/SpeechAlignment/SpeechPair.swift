// SPDX-License-Identifier: Apache-2.0

import CSpeechWarp

/// A window of the recording against a window of the text.
struct SpeechPair {
    var recorded: ArraySlice<Float>
    var pauses: ArraySlice<Float>
    /// The values of the text, transposed: a row for each dimension.
    var spoken: [Float]
    var places: [UInt8]

    var recordedCount: Int { pauses.count }
    var spokenCount: Int { places.count }

    /// - Parameter passages: The passages of the text, in order.
    init(_ recorded: SpeechFrames, _ range: Range<Int>, _ passages: some Sequence<SpeechFrames>, reversed: Bool = false)
    {
        let size = SpeechFrames.dimensions
        self.recorded = recorded.values[range.lowerBound * size..<range.upperBound * size]
        pauses = recorded.pauses[range]
        var values: [Float] = []
        places = []
        for passage in passages where passage.count > 0 {
            values += passage.values
            places.append(UInt8(CSPEECH_PASSAGE))
            for pause in passage.pauses.dropFirst() { places.append(UInt8(pause > 0 ? CSPEECH_PAUSE : CSPEECH_WITHIN)) }
        }
        let count = places.count
        spoken = [Float](repeating: 0, count: values.count)
        for frame in 0..<count {
            let from = reversed ? count - 1 - frame : frame
            for dimension in 0..<size {
                // What changes, changes the other way round.
                let sign: Float = reversed && dimension >= SpeechFrames.cepstra ? -1 : 1
                spoken[dimension * count + frame] = sign * values[from * size + dimension]
            }
        }
        if reversed { places.reverse() }
    }

    /// A part of both.
    func part(_ frames: Range<Int>, _ spokenFrames: Range<Int>) -> SpeechPair {
        var part = self
        let size = SpeechFrames.dimensions
        let base = recorded.startIndex
        part.recorded = recorded[base + frames.lowerBound * size..<base + frames.upperBound * size]
        part.pauses = pauses[pauses.startIndex + frames.lowerBound..<pauses.startIndex + frames.upperBound]
        part.places = Array(places[spokenFrames])
        part.spoken = []
        part.spoken.reserveCapacity(size * spokenFrames.count)
        for dimension in 0..<size {
            let row = dimension * spokenCount
            part.spoken += spoken[row + spokenFrames.lowerBound..<row + spokenFrames.upperBound]
        }
        return part
    }

    private func withPair<Value>(_ baseline: [Float], _ body: (UnsafePointer<cspeech_pair>) -> Value) -> Value {
        recorded.withUnsafeBufferPointer { recorded in
            pauses.withUnsafeBufferPointer { pauses in
                spoken.withUnsafeBufferPointer { spoken in
                    places.withUnsafeBufferPointer { places in
                        baseline.withUnsafeBufferPointer { baseline in
                            var pair = cspeech_pair(
                                recorded: recorded.baseAddress, spoken: spoken.baseAddress,
                                baseline: baseline.baseAddress, pauses: pauses.baseAddress,
                                places: places.baseAddress, recorded_count: pauses.count, spoken_count: places.count,
                                dims: SpeechFrames.dimensions)
                            return body(&pair)
                        }
                    }
                }
            }
        }
    }

    /// An alignment: for each recorded frame a spoken one or -1, their distance, and the evidence of all.
    struct Path {
        var spoken: [Int32]
        var distances: [Float]
        var evidence: Float = 0
    }

    /// The path with the most evidence.
    func align(_ baseline: [Float], _ costs: cspeech_costs) -> Path {
        var path = Path(
            spoken: [Int32](repeating: -1, count: recordedCount), distances: [Float](repeating: 0, count: recordedCount)
        )
        var costs = costs
        var evidence: Float = 0
        _ = withPair(baseline) { cspeech_align($0, &costs, &path.spoken, &path.distances, &evidence) }
        path.evidence = evidence
        return path
    }

    /// The distance of each recorded frame from a text that it certainly does not say, warped as well as it goes.
    ///
    /// The text must be reversed. It is averaged over some seconds, since some stretches are more like anything than others.
    func unrelated() -> [Float] {
        let distances = align([Float](repeating: 0, count: recordedCount), AlignmentCosts.gapless).distances
        let reach = 2 * SpeechFrames.perSecond
        var sums: [Double] = [0]
        for distance in distances { sums.append((sums.last ?? 0) + Double(distance)) }
        return distances.indices.map { index in
            let first = max(0, index - reach)
            let end = min(distances.count, index + reach + 1)
            return Float((sums[end] - sums[first]) / Double(end - first))
        }
    }

    /// The best place of the whole recorded stretch in the text, and its evidence.
    func scan(_ baseline: Float) -> (evidence: Float, spoken: Range<Int>) {
        var first = 0
        var last = 0
        var costs = AlignmentCosts.searching
        let evidence = withPair([Float](repeating: baseline, count: recordedCount)) {
            cspeech_scan($0, &costs, &first, &last)
        }
        return (evidence, first..<last + 1)
    }

    /// The evidence of each beginning of each passage, passage by passage, and of leaving the passage out.
    func marginals(_ baseline: [Float], _ costs: cspeech_costs, turns: [UInt32]) -> (met: [Float], passed: [Float]) {
        var met = [Float](repeating: -1e30, count: turns.count * recordedCount)
        var passed = [Float](repeating: -1e30, count: turns.count)
        var costs = costs
        _ = withPair(baseline) { cspeech_marginals($0, &costs, turns, turns.count, &met, &passed) }
        return (met, passed)
    }
}

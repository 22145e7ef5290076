// SPDX-License-Identifier: Apache-2.0

import CSpeechWarp

/// The costs of an alignment, in squared distances of frames; two frames that have nothing in common are 1 apart.
enum AlignmentCosts {
    /// The part of the distance of unrelated speech, warped as well as it goes, below which a frame speaks for a match.
    static let share: Float = 0.96

    static let matching = cspeech_costs(
        stay: 0.02, skip: 0.04, open: 8, open_within: 12, recorded_gap: 0.004, spoken_gap: 0.002,
        pause_between: 0.8, pause_within: 0.8)

    /// Costs that leave no gaps, for judging how well unrelated speech can be warped.
    static let gapless = cspeech_costs(
        stay: 0.02, skip: 0.04, open: 1e6, open_within: 1e6, recorded_gap: 1e4, spoken_gap: 0.0001,
        pause_between: 0.8, pause_within: 0.8)
}

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

    /// The path with the most evidence: for each recorded frame a spoken one or -1, and their distance.
    func align(_ baseline: [Float], _ costs: cspeech_costs) -> (path: [Int32], distances: [Float]) {
        var path = [Int32](repeating: -1, count: recordedCount)
        var distances = [Float](repeating: 0, count: recordedCount)
        var costs = costs
        _ = withPair(baseline) { cspeech_align($0, &costs, &path, &distances) }
        return (path, distances)
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
        var costs = AlignmentCosts.gapless
        let evidence = withPair([Float](repeating: baseline, count: recordedCount)) {
            cspeech_scan($0, &costs, &first, &last)
        }
        return (evidence, first..<last + 1)
    }

    /// The evidence for each recorded frame at which the spoken frame `turn` may be met first.
    func profile(_ baseline: [Float], turn: Int) -> [Float] {
        var evidence = [Float](repeating: -1e30, count: recordedCount)
        var costs = AlignmentCosts.matching
        _ = withPair(baseline) { cspeech_profile($0, &costs, turn, &evidence) }
        return evidence
    }
}

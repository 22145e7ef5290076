// SPDX-License-Identifier: Apache-2.0

/// A passage with its sound, cut into the words that are heard in it, and the silence behind it.
struct SpokenPassage {
    /// One word, and the sound from its start to the start of the next; or the silence, which has no word.
    struct Segment: Equatable {
        var frames: Range<Int>
        /// The units from the start of the word to the start of the next.
        var units: Range<Int64>
        var word: Range<Int64>?
        /// The index of the word in the passage.
        var index: Int
    }

    let passage: Passage
    let samples: [Int16]
    /// The segments in order of time and place, which are all of the frames.
    let segments: [Segment]

    /// - Parameters:
    ///   - silence: The frames of silence behind the sound.
    init(_ passage: Passage, _ sound: Sound, silence: Int) {
        self.passage = passage
        samples = sound.samples
        let count = samples.count
        var segments: [Segment] = []
        for (index, word) in passage.words.enumerated() {
            let next = passage.words.dropFirst(index + 1).first
            let start = segments.last?.frames.upperBound ?? 0
            let end = next.map { Int(Double(count) * $0.start) } ?? count
            segments.append(
                Segment(
                    frames: start..<max(start, end),
                    units: word.units
                        .lowerBound..<max(
                            word.units.lowerBound, next?.units.lowerBound ?? word.units.upperBound),
                    word: word.units, index: index))
        }
        let place = segments.last?.units.upperBound ?? passage.units.lowerBound
        if segments.isEmpty, count > 0 {
            segments.append(Segment(frames: 0..<count, units: place..<place, word: nil, index: 0))
        }
        if silence > 0 {
            segments.append(
                Segment(
                    frames: count..<count + silence, units: place..<max(place, passage.units.upperBound), word: nil,
                    index: passage.words.count))
        }
        self.segments = segments
    }

    /// Returns the sample at a frame; behind the sound is silence.
    func sample(_ frame: Int) -> Float {
        frame < samples.count ? Float(samples[frame]) / 32768 : 0
    }
}

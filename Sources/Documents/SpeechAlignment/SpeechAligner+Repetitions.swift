// SPDX-License-Identifier: Apache-2.0

import AlignmentFile

extension SpeechAligner {
    /// Returns what the free frames of a window say again of the text around them.
    func repeated(_ free: [Bool], _ match: WindowMatch, _ cut: WindowMatch.Cut) -> [RepeatedSound] {
        guard !match.baseline.isEmpty else { return [] }
        let window = match.places.indices.map { read($0, match, cut) }
        var repeated: [RepeatedSound] = []
        for stretch in stretches(free) where stretch.count >= RepeatedSearch.least {
            let near = (stretch.lowerBound < RepeatedSearch.reach ? recent : []) + window[around(stretch, match)]
            let search = RepeatedSearch(recorded, match.baseline, near, pace: match.pace)
            for find in search.finds(in: stretch) {
                let place = place(of: find.frames)
                let first = near[find.passages.lowerBound].range.lowerBound
                let end = near[find.passages.upperBound].range.upperBound
                repeated.append(RepeatedSound(track: place.track, range: place.range, text: first..<end))
            }
        }
        return repeated
    }

    /// Returns the passages of the window whose places are near a stretch, with those between them that have none.
    private func around(_ stretch: Range<Int>, _ match: WindowMatch) -> Range<Int> {
        let near = match.places.indices.filter { index in
            guard let frames = match.places[index]?.frames else { return false }
            return frames.upperBound + RepeatedSearch.reach > stretch.lowerBound
                && frames.lowerBound - RepeatedSearch.reach < stretch.upperBound
        }
        guard let first = near.first, let last = near.last else { return 0..<0 }
        return first..<last + 1
    }

    private func read(_ index: Int, _ match: WindowMatch, _ cut: WindowMatch.Cut) -> RepeatedSearch.Passage {
        let passage = passages[index]
        var heard = 0..<0
        // A place in sound that is decided without its passage is none: it would repeat itself.
        if let place = match.places[index],
            index < cut.passages
                ? place.frames.upperBound <= cut.recorded : place.frames.lowerBound >= cut.recorded
        {
            let count = passage.frames.stretched(by: match.pace).count
            heard =
                place.heard.lowerBound * ReadSentence.whole
                / count..<min(ReadSentence.whole, (place.heard.upperBound * ReadSentence.whole + count - 1) / count)
        }
        return RepeatedSearch.Passage(range: passage.range, frames: passage.frames, heard: heard)
    }

    /// Keeps the passages that are decided and near, since what comes may say them again.
    mutating func keep(_ match: WindowMatch, _ cut: WindowMatch.Cut, _ next: inout AlignmentState) {
        recent += (0..<cut.passages).map { read($0, match, cut) }
        var frames = 0
        let near = recent.reversed().prefix { passage in
            frames += passage.frames.count
            return frames <= RepeatedSearch.reach
        }.count
        recent = Array(recent.suffix(near).drop { $0.heard.isEmpty })
        next.recent = recent.map { ReadSentence(range: $0.range, heard: $0.heard) }
    }
}

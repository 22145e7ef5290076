// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

extension BookTimeline {
    /// Returns the position that a target names.
    ///
    /// - Parameter now: the audible position, or else the position where playback will begin.
    public func position(of target: SeekTarget, from now: MediaPosition) -> MediaPosition? {
        switch target {
        case .seconds(let seconds):
            return position(atSeconds: seconds)
        case .relative(let seconds):
            return move(now, bySeconds: seconds)
        case .fraction(let fraction):
            return duration.map { position(atSeconds: $0 * fraction) }
        case .chapter(let index):
            return start(ofChapter: index)
        case .track(let index, let seconds):
            return seconds.map { position(inTrack: index, seconds: $0) } ?? start(ofTrack: index)
        case .page, .spoken:
            // Only the document knows its pages and sentences.
            return nil
        case .nextChapter:
            return start(ofChapter: (lastChapter(begunAt: now) ?? -1) + 1)
        case .previousChapter:
            return previousChapter(from: now)
        case .position(let position):
            return position
        case .rewound(let position, let seconds):
            return rewound(position, bySeconds: seconds)
        }
    }

    private func previousChapter(from now: MediaPosition) -> MediaPosition? {
        guard let index = lastChapter(begunAt: now), let start = start(ofChapter: index) else { return .start }
        let into = (seconds(of: now) ?? 0) - (seconds(of: start) ?? 0)
        return into > 3 || index == 0 ? start : self.start(ofChapter: index - 1)
    }
}

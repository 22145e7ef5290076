// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// Places of an item whose files have changed.
extension Content {
    /// Returns a place of the item as it was, in the files that it has now: a place stays in its file.
    ///
    /// `nil` if its file is gone, or has another name.
    func place(_ place: MediaPosition, from old: Content) -> MediaPosition? {
        guard old.tracks != tracks, let source = old.tracks[safe: place.track], case .file = source else {
            return place
        }
        // A list may name a file more than once.
        if tracks[safe: place.track] == source { return place }
        let before = old.tracks[..<place.track].count { $0 == source }
        let same = tracks.indices.filter { tracks[$0] == source }
        return same[safe: before].map { MediaPosition(track: $0, units: place.units) }
    }

    /// Returns the start of the first file behind a place that is still there.
    ///
    /// If there is none, the place is behind the last file, so that the item is refused and starts nowhere else.
    func start(behind place: MediaPosition, of old: Content) -> MediaPosition {
        for next in old.tracks.indices.dropFirst(place.track + 1) {
            if let start = self.place(MediaPosition(track: next, units: 0), from: old) { return start }
        }
        return MediaPosition(track: max(place.track, tracks.count), units: place.units)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// Places of an item whose files have changed.
extension Content {
    /// Returns a place of the item as it was, in the files that it has now: a place stays in its file.
    ///
    /// `nil` if its file is gone, or has another name.
    func place(_ place: MediaPosition, from old: Content) -> MediaPosition? {
        guard old.tracks != tracks, let source = old.tracks[safe: place.track], case .file = source else { return place }
        return tracks.firstIndex(of: source).map { MediaPosition(track: $0, units: place.units) }
    }

    /// Returns the start of the first file behind a place that is still there, or else of the item.
    func start(behind place: MediaPosition, of old: Content) -> MediaPosition {
        let next = old.tracks.dropFirst(place.track + 1).lazy.compactMap(tracks.firstIndex).first
        return MediaPosition(track: next ?? 0, units: 0)
    }
}

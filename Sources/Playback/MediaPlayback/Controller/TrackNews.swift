// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// What engines have found out about tracks since it was last taken up.
///
/// An engine may tell of hundreds in a second, and each one taken up means a new timeline of the whole book.
struct TrackNews {
    /// What is found out within it is taken up, and told, at once.
    static let interval = Duration.milliseconds(100)

    private struct Found {
        /// Of which item; that an engine has another one open by then is no rarity.
        var uri: String
        var tracks: [Int: TrackDescription] = [:]
    }

    private var found: [EngineID: Found] = [:]
    /// The end of the interval that runs.
    var pause: Task<Void, Never>?
    /// Tracks that were taken up, and may have turned out to be shorter than the place that was kept in them.
    var unchecked: [(engine: EngineID, track: Int)] = []
    /// Of what is on the stage, taken up or not.
    var isUntold = false

    var engines: [EngineID] { Array(found.keys) }

    mutating func takeUnchecked() -> [(engine: EngineID, track: Int)] {
        defer { unchecked = [] }
        return unchecked
    }

    mutating func add(_ track: TrackDescription, at index: Int, in uri: String, by engine: EngineID) {
        if found[engine]?.uri != uri { found[engine] = Found(uri: uri) }
        found[engine]?.tracks[index] = track
    }

    /// Takes out what an engine said of an item; what it said of another one is dropped.
    mutating func take(of uri: String?, by engine: EngineID) -> [Int: TrackDescription] {
        guard let news = found.removeValue(forKey: engine), news.uri == uri else { return [:] }
        return news.tracks
    }
}

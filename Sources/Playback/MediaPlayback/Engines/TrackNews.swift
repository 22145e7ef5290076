// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The facts that engines have found out about tracks since they were last taken up.
///
/// An engine may report hundreds in a second, and each one taken up means a new timeline of the whole book.
struct TrackNews {
    /// The interval in which reports are collected, to be taken up and published at once.
    static let interval = Duration.milliseconds(100)

    private struct Found {
        /// The item that the facts are about; an engine often has another one open by then.
        var uri: String
        var tracks: [Int: TrackDescription] = [:]
    }

    private var found: [EngineID: Found] = [:]
    /// The end of the running interval.
    var pause: Task<Void, Never>?
    /// The tracks that were taken up and may have turned out to be shorter than a place that was kept in them.
    var unchecked: [(engine: EngineID, track: Int)] = []
    /// `true` if there is unpublished news about the item that has audio focus, taken up or not.
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

    /// Takes out what an engine reported about an item; what it reported about another one is dropped.
    mutating func take(of uri: String?, by engine: EngineID) -> [Int: TrackDescription] {
        guard let news = found.removeValue(forKey: engine), news.uri == uri else { return [:] }
        return news.tracks
    }
}

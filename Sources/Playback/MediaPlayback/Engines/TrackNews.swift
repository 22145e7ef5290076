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
    private var pause: Task<Void, Never>?
    private var unchecked: [(engine: EngineID, track: Int)] = []
    private var isUntold = false

    /// The engines whose reports are not taken up yet.
    var engines: [EngineID] { Array(found.keys) }

    /// `true` during an interval; what is reported in it is taken up at its end.
    var isPaused: Bool { pause != nil }

    /// Adds a report.
    ///
    /// - Parameter isFollowed: `true` if the item has audio focus, so that observers are to be told.
    mutating func add(_ track: TrackDescription, at index: Int, in uri: String, by engine: EngineID, isFollowed: Bool) {
        if found[engine]?.uri != uri { found[engine] = Found(uri: uri) }
        found[engine]?.tracks[index] = track
        if isFollowed { isUntold = true }
    }

    /// Takes out what an engine reported about an item; what it reported about another one is dropped.
    mutating func take(of uri: String?, by engine: EngineID) -> [Int: TrackDescription] {
        guard let news = found.removeValue(forKey: engine), news.uri == uri else { return [:] }
        unchecked += news.tracks.keys.sorted().map { (engine, $0) }
        return news.tracks
    }

    /// Takes out the tracks that may have turned out to be shorter than a place that was kept in them.
    mutating func takeUnchecked() -> [(engine: EngineID, track: Int)] {
        defer { unchecked = [] }
        return unchecked
    }

    /// Returns, once, whether there is unpublished news about the item that has audio focus.
    mutating func takeUntold() -> Bool {
        defer { isUntold = false }
        return isUntold
    }

    /// Begins an interval; the task ends it.
    mutating func pause(by task: Task<Void, Never>) { pause = task }

    /// Ends the interval, and returns whether there is anything to take up.
    mutating func endPause() -> Bool {
        pause = nil
        return isUntold || !found.isEmpty || !unchecked.isEmpty
    }
}

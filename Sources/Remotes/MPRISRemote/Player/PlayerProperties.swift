// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The state of the session in the terms of MPRIS: the value of each property, and which of them a change concerns.
///
/// Times are in microseconds. The *current track* is the item, or the chapter where the settings say so.
struct PlayerProperties: Equatable {
    enum PlaybackStatus: String {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    let playbackStatus: PlaybackStatus
    let rate: Double
    let volume: Double
    let canPlay: Bool
    let canPause: Bool
    let canSeek: Bool
    /// `true` if the keys for the next and the previous track have an effect.
    let canMove: Bool
    let uri: String?
    let tracks: [String]
    let current: String
    /// The beginning of the current track in the item, and its length if that is known.
    let start: Int64
    let length: Int64?
    let buttons: RemotePreferences.Buttons
    /// The index of the current track among the chapters; `nil` if the current track is the whole item.
    let chapter: Int?
    private let described: TrackDescription?

    /// The number of chapters of the item; 0 unless there is more than one.
    var chapterCount: Int { described?.chapters.count ?? 0 }

    /// - Parameters:
    ///   - now: The state; `nil` before the session has told one.
    ///   - isMoving: `true` while what plays goes on from another position, a moment before it is audible there.
    init(_ now: NowPlaying?, _ preferences: RemotePreferences, isMoving: Bool = false) {
        let status = now?.status
        let item = status?.item
        let chapters = now.map { $0.chapters.count > 1 ? $0.chapters : [] } ?? []
        let chapter = preferences.timeline == .chapter ? Self.chapter(at: status?.position.ms, in: chapters) : nil
        self.chapter = chapter
        buttons = preferences.buttons
        rate = status?.rate ?? 1
        volume = status?.volume ?? 1
        uri = item?.uri
        playbackStatus =
            switch status?.status {
            case "playing": .playing
            case "loading" where isMoving && item != nil: .playing
            case "loading", "ready", "paused": item == nil ? .stopped : .paused
            default: .stopped
            }
        let ids = item.map { TrackIDs(uri: $0.uri) }
        let described = item.flatMap { item in
            ids.map {
                TrackDescription(
                    ids: $0, item: item, length: status?.duration.ms, cover: now?.cover, chapters: chapters)
            }
        }
        self.described = described
        tracks =
            ids.map { ids in
                let chapters = chapters.indices.map(ids.chapter)
                // The list holds the current track, so the whole item is in it where that is what plays.
                return preferences.timeline == .chapter && !chapters.isEmpty ? chapters : [ids.item] + chapters
            } ?? []
        current = ids.map { ids in chapter.map(ids.chapter) ?? ids.item } ?? TrackIDs.none
        start = chapter.map { chapters[$0].startMs * 1000 } ?? 0
        length =
            chapter.map { (chapters[$0].endMs - chapters[$0].startMs) * 1000 } ?? status?.duration.ms.map { $0 * 1000 }
        canPlay = item != nil || now?.canResume == true
        canPause = item != nil || now?.isComing == true
        canSeek = item != nil && status?.duration.ms != nil
        canMove = preferences.buttons == .skip ? item != nil : !chapters.isEmpty
    }

    /// Returns the last chapter that begins at or before a position; before the first one, the first.
    private static func chapter(at position: Int64?, in chapters: [NowPlaying.Chapter]) -> Int? {
        chapters.isEmpty ? nil : chapters.lastIndex { $0.startMs <= position ?? 0 } ?? 0
    }

    /// The metadata of the current track; without one, only the id that says so.
    var metadata: BusValue {
        described.map { $0.metadata(ofChapter: chapter) }
            ?? .dictionary([BusValue.Member(name: "mpris:trackid", value: .path(TrackIDs.none))])
    }

    /// Returns the metadata of a track in the list, or `nil` if it is not there.
    func metadata(of id: String) -> BusValue? {
        guard let described else { return nil }
        if id == described.ids.item { return tracks.contains(id) ? described.metadata(ofChapter: nil) : nil }
        return described.ids.chapter(id, count: chapterCount).map { described.metadata(ofChapter: $0) }
    }

    /// Returns the index of the chapter with this id, or `nil` if it is not in the list.
    func chapter(withID id: String) -> Int? { described?.ids.chapter(id, count: chapterCount) }

    /// `true` if the id is that of the whole item.
    func isItem(_ id: String) -> Bool { described?.ids.item == id && tracks.contains(id) }

    /// Returns a position in the item, in milliseconds, as one in the current track.
    func position(_ milliseconds: Double?) -> Int64 {
        guard let milliseconds, milliseconds.isFinite else { return 0 }
        let position = Int64(min(max(milliseconds, 0), 9e12) * 1000) - start
        return max(0, min(position, length ?? .max))
    }

    // MARK: Properties

    /// The values of `org.mpris.MediaPlayer2.Player` that tell their changes, by name.
    private var player: [(name: String, value: BusValue)] {
        [
            ("PlaybackStatus", .string(playbackStatus.rawValue)), ("Rate", .double(rate)), ("Metadata", metadata),
            ("Volume", .double(volume)), ("CanGoNext", .bool(canMove)), ("CanGoPrevious", .bool(canMove)),
            ("CanPlay", .bool(canPlay)), ("CanPause", .bool(canPause)), ("CanSeek", .bool(canSeek)),
        ]
    }

    /// Returns the value of a property of the player or the track list; `nil` for one that does not exist.
    ///
    /// - Parameter position: The audible position in the item, in milliseconds.
    func value(of property: String, position: () -> Double?) -> BusValue? {
        switch property {
        case "Position": .int64(self.position(position()))
        case "MinimumRate": .double(Limits.rate.lowerBound)
        case "MaximumRate": .double(Limits.rate.upperBound)
        case "CanControl": .bool(true)
        case "Tracks": .paths(tracks)
        case "CanEditTracks": .bool(false)
        default: player.first { $0.name == property }?.value
        }
    }

    /// Returns the names of the player's properties whose values differ from those of an older view.
    func changes(since old: PlayerProperties) -> [String] {
        if self == old { return [] }
        return zip(player, old.player).filter { $0.value != $1.value }.map(\.0.name)
    }
}

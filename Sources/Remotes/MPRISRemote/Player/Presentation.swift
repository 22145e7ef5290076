// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The view of a remote, and which part of it the bus has been told.
struct Presentation {
    /// The news for the bus since it was told the last time.
    struct News: Equatable {
        /// The names of the properties that have other values.
        var changes: [String] = []
        /// The ids of the tracks, if they are others.
        var tracks: [String]?
        /// The position in the current track in microseconds, if it is not where those who extrapolate expect it.
        var seeked: Int64?
    }

    /// The time that a seek has to become audible again before it is shown as a pause, in milliseconds.
    static let moving: Int64 = 500
    /// The position in microseconds up to which a track is taken to begin at its beginning.
    ///
    /// A chapter that playback has reached is told some 30 ms later.
    static let beginning: Int64 = 1_000_000

    private(set) var view: PlayerProperties
    private var told: PlayerProperties
    private var hasJumped = false
    /// `true` if the position of a new track has not been known yet.
    private var isNew = false
    /// The monotonic time in ms at which a seek that is not audible yet is shown as a pause.
    private(set) var settlesAt: Int64?

    init(_ preferences: RemotePreferences) {
        view = PlayerProperties(nil, preferences)
        told = view
    }

    /// Begins with a bus that nothing was told; who wants to know asks.
    mutating func begin() {
        told = view
        hasJumped = false
        isNew = false
    }

    /// Takes a state, as of a monotonic time in milliseconds.
    mutating func take(
        _ state: NowPlaying?, _ preferences: RemotePreferences, hasJumped: Bool = false, at now: Int64
    ) {
        if let settlesAt, now >= settlesAt { self.settlesAt = nil }
        // What plays is playing on, a moment later.
        let isLoading = state?.status.status == "loading" && state?.status.intent == "play"
        let goesOn = isLoading && view.playbackStatus == .playing && state?.status.item?.uri == view.uri
        if !goesOn {
            settlesAt = nil
        } else if hasJumped {
            settlesAt = now + Self.moving
        }
        let before = view
        view = PlayerProperties(state, preferences, isMoving: settlesAt != nil)
        if view.current != before.current {
            isNew = view.uri != nil
            self.hasJumped = false
        } else if hasJumped {
            self.hasJumped = true
        }
    }

    /// Returns what there is to tell, and takes it as told.
    ///
    /// - Parameter position: The audible position in the item, in milliseconds; `nil` if it is not known.
    mutating func tell(position: Double?) -> News {
        var news = News(changes: view.changes(since: told))
        if view.tracks != told.tracks { news.tracks = view.tracks }
        told = view
        if hasJumped {
            news.seeked = view.position(position)
        } else if isNew, position != nil, view.position(position) > Self.beginning {
            news.seeked = view.position(position)
        }
        if position != nil { isNew = false }
        hasJumped = false
        return news
    }
}

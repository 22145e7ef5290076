// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The properties that remotes see, and the difference to those that the bus was told last.
struct Presentation {
    /// The changes since the bus was told last.
    struct News: Equatable {
        /// The names of the properties that have other values.
        var changes: [String] = []
        /// The ids of the tracks; `nil` if they have not changed.
        var tracks: [String]?
        /// The position in the current track in microseconds; `nil` if it is where a client that extrapolates expects it.
        var seeked: Int64?
    }

    /// The time in milliseconds after which a seek that is not audible yet is shown as a pause.
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

    /// Begins with a new bus, whose clients ask for the current values.
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

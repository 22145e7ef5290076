// SPDX-License-Identifier: Apache-2.0

/// What the listener did to the book, and so what it is to be when nobody else has audio focus.
struct Listener: Sendable {
    /// The path of the book that is loaded.
    var book: String?
    /// The book that was loaded last.
    var last: String?
    /// `true` if it is to play.
    var isPlaying = false
    var rate = 1.0
    var rates: [String: Double] = [:]
    /// The last place of each book that was heard or chosen.
    var places: [String: Int64] = [:]
    /// `true` if a call began while others had audio focus, and its end was not reported.
    var isHeld = false

    /// The place in the book that is loaded, or was last.
    var place: Int64 { (book ?? last).flatMap { places[$0] } ?? 0 }

    mutating func play(_ path: String, at place: Int64?) {
        (book, last, isPlaying) = (path, path, true)
        if let place { places[path] = place }
        rate = rates[path] ?? rate
        rates[path] = rate
    }

    mutating func resume() {
        guard let path = book ?? last else { return }
        play(path, at: nil)
    }

    mutating func stop() { (book, isPlaying) = (nil, false) }

    mutating func move(to place: Int64) {
        guard let path = book ?? last else { return }
        places[path] = place
    }

    mutating func setRate(_ rate: Double) {
        self.rate = rate
        if let book { rates[book] = rate }
    }

    /// Begins another session, which knows only what was saved.
    mutating func restart() {
        stop()
        (rate, isHeld) = (1, false)
    }
}

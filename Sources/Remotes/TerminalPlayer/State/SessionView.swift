// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The session as far as the player knows it.
struct SessionView: Sendable {
    enum Connection: Sendable, Hashable {
        case coming
        case present
        /// None answers; the text says why.
        case absent(String)
    }

    var connection = Connection.coming
    /// The state of the player's owner; that of before while there is no session.
    var status: Status?
    /// The monotonic time in ms at which it came.
    var since: Int64 = 0
    /// The last status with an item, and when it was replaced by one without.
    ///
    /// A session that leaves unloads what it has; the player keeps showing it.
    var unloaded: (status: Status, at: Int64)?
    /// The chapters and the cover of what is loaded.
    var contents: ItemContents?
    /// The owner with audio focus, if it is not the player's own.
    var holder: String?
    /// `true` if the status is of the session that is present, not of one before it.
    var isCurrent = false
    /// `true` if the book has ended while the player looked.
    var hasJustEnded = false
    /// Values that keys asked for and no status has confirmed yet, so that quick presses add up.
    var wantedRate: Double?
    var wantedVolume: Double?

    var isPresent: Bool { connection == .present }
    var isPlaying: Bool { isPresent && status?.status == "playing" }

    /// Returns the wall-clock ms until the sleep timer ends.
    func sleepRemaining(_ now: Int64) -> Int64? {
        guard let remaining = status?.sleep?.remainingMs else { return nil }
        return isPlaying ? max(0, remaining - max(0, now - since)) : remaining
    }

    /// Returns the ms until the sleep timer shows another minute, or another second in the last one.
    func sleepChange(_ now: Int64) -> Int64? {
        guard isPlaying, let remaining = sleepRemaining(now), remaining > 0 else { return nil }
        return max(100, remaining % (remaining > 60_000 ? 60_000 : 1000))
    }
}

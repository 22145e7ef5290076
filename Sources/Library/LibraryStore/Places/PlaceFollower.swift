// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import BookTimeline
import Clocks
import Glibc
public import MediaPlayback
import PlaybackCore

/// Writes the audible position to the journal during playback.
///
/// It runs on a thread of its own, which sleeps indefinitely while nothing plays. It reads the positions that the
/// output published ahead in a feed, and wakes no other thread.
public actor PlaceFollower: PlaceJournal {
    /// The time between two writes.
    ///
    /// A crash may cost a quarter of a second; the other half of it is left for the disk and a busy machine.
    static let interval = 125 * MonotonicTime.millisecond
    /// The time between two looks for the first position of a new item or generation.
    ///
    /// Until the output has published one, the feed is read this often, as it may take a while until the library has
    /// that place.
    static let searchInterval = 20 * MonotonicTime.millisecond
    /// The time after which the search slows down: an output that publishes nothing for longer may be stuck.
    static let searchLimit = HeardFeed.longestForetold

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread = OutputThread(name: "place-journal", wait: PollWait(), isUrgent: false)
    private let now: @Sendable () -> Int64
    private let wallClock: @Sendable () -> Int64
    private let complain: @Sendable (PlaceStoreError) -> Void
    private var file: PlaceJournalFile
    private var subject: JournalSubject?
    private var feed: HeardFeed?
    private var due: Int64 = 0
    /// The time until which the first position of a new subject is searched for.
    private var searchEnd: Int64 = 0
    private var last: MediaPosition?
    /// `true` if the last write failed, so that a disk that stays full is reported once.
    private var isFaulty = false
    private var hasTurn = false

    /// Creates a follower that follows nothing yet.
    ///
    /// - Parameters:
    ///   - path: The path of the journal, whose folder exists by the time that something plays.
    ///   - now: The clock, as `MonotonicTime`.
    ///   - wallClock: The wall clock, in milliseconds since 1970.
    ///   - complain: Called on the journal's thread when writing begins to fail.
    init(
        path: String, now: @escaping @Sendable () -> Int64 = { MonotonicTime.now() },
        wallClock: @escaping @Sendable () -> Int64, complain: @escaping @Sendable (PlaceStoreError) -> Void
    ) {
        file = PlaceJournalFile(path: path)
        self.now = now
        self.wallClock = wallClock
        self.complain = complain
    }

    deinit {
        thread.retire()
    }

    public func follow(_ subject: JournalSubject?, feed: HeardFeed) {
        if !hasTurn {
            hasTurn = true
            thread.setTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
        }
        // A floor that rises during playback does not bring the next write forward.
        if subject?.generation != self.subject?.generation || subject?.uri != self.subject?.uri || subject == nil {
            last = nil
            due = now()
            searchEnd = due + Self.searchLimit
        }
        self.subject = subject
        self.feed = feed
    }

    public func keep(_ place: SavedPlace, generation: UInt32) {
        if subject?.generation != generation { subject = nil }
        write(place)
    }

    /// Removes the places of an item from the journal, once the library has one made at `time` or later.
    func forget(owner: OwnerID, uri: String, upTo time: Int64) {
        try? file.forget(owner: owner, uri: uri, upTo: time)
    }

    /// Writes the audible position if a write is due.
    ///
    /// - Returns: The time of the next turn, or `nil` if nothing is followed.
    func turn() -> Int64? {
        guard let subject, let feed else { return nil }
        let now = now()
        guard now >= due else { return due }
        // Before the position is read: whatever is decided while this thread waits for its turn is newer than that.
        let time = wallClock()
        guard let heard = feed.place(at: now), heard.generation == subject.generation else {
            due = now + (now < searchEnd ? Self.searchInterval : Self.interval)
            return due
        }
        searchEnd = now
        due = now + Self.interval
        let position = subject.tracks.limited(MediaPosition(track: heard.track, units: heard.units))
        guard position != last, subject.floor.map({ position >= $0 }) ?? true else { return due }
        let isWritten = write(
            SavedPlace(
                owner: subject.owner, uri: subject.uri, kind: subject.kind, engine: subject.engine,
                position: position, provenance: .heard, updatedAt: time))
        if isWritten { last = position }
        return due
    }

    @discardableResult
    private func write(_ place: SavedPlace) -> Bool {
        do throws(PlaceStoreError) {
            if try file.settle() { isFaulty = false }
        } catch {
            tell(error)
        }
        do throws(PlaceStoreError) {
            try file.write(place)
            return true
        } catch {
            tell(error)
            return false
        }
    }

    private func tell(_ error: PlaceStoreError) {
        if !isFaulty { complain(error) }
        isFaulty = true
    }

    /// Waits until what was written can be read; for tests.
    func settle() throws(PlaceStoreError) { _ = try file.settle() }
}

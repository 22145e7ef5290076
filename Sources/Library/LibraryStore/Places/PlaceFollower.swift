// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import BookTimeline
import Glibc
public import MediaPlayback
import PlaybackCore

/// Writes the place that is audible to the journal while something sounds.
///
/// On a thread of its own, which sleeps for good while nothing does. It reads the place where the output foretold it,
/// and wakes nobody.
public actor PlaceFollower: PlaceJournal {
    /// What a crash may cost is a quarter of a second; the rest of it is for the disk, and for a busy machine.
    static let interval = 125 * MonotonicTime.millisecond
    /// The output may not have told yet where something new is: until it has, it is asked this often, as the library may
    /// not have that place for a while.
    static let searchInterval = 20 * MonotonicTime.millisecond
    /// An output that says nothing for longer may be stuck.
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
    /// Until then the place of something new is looked for.
    private var searchEnd: Int64 = 0
    private var last: MediaPosition?
    /// So that a disk that stays full is told of once.
    private var isFaulty = false
    private var hasTurn = false

    /// - Parameters:
    ///   - path: of the journal; its folder is there by the time that something plays.
    ///   - now: as `MonotonicTime`.
    ///   - wallClock: milliseconds since 1970.
    ///   - complain: told when writing begins to fail, on the journal's thread.
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
        // The floor rises while the same is listened to; that does not bring its next place forward.
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

    /// The library has a place of this item that was made at `time` or later.
    func forget(owner: OwnerID, uri: String, upTo time: Int64) {
        try? file.forget(owner: owner, uri: uri, upTo: time)
    }

    /// Writes if it is time to.
    ///
    /// - Returns: when to be called again; nil: when there is something to follow.
    func turn() -> Int64? {
        guard let subject, let feed else { return nil }
        let now = now()
        guard now >= due else { return due }
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
                position: position, provenance: .heard, updatedAt: wallClock()))
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

    /// For tests: waits until what was written can be read.
    func settle() throws(PlaceStoreError) { _ = try file.settle() }
}

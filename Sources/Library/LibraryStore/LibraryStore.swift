// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import GRDB
import Glibc
public import MediaPlayback
public import PlaybackCore
import Synchronization

/// Places, last items and settings in `library.sqlite`.
///
/// Opened by the first call, and again by each call after opening failed: a folder that comes back is used. All of
/// SQLite runs on one queue, which has a thread only while there is work.
public final class LibraryStore: PlaceStore {
    public let path: String
    /// Keeps the place of what sounds between two saves; what an earlier session left there is taken over when the
    /// library is opened.
    public let journal: PlaceFollower
    let covers: LibraryCovers

    private struct State {
        var opened: LibraryFile.Opened?
        var isDamaged = false
        var warnings: [String] = []
    }

    private let file: LibraryFile
    private let deadline: Duration
    private let queue = BlockingQueue(label: "rostrum.library")
    /// Locked on `queue` alone; it makes the compiler's check of that unnecessary.
    private let state = Mutex(State())
    /// What an earlier session left in the journal; nil: not looked at yet.
    ///
    /// Locked for one access, so that a look-up outside of the queue never waits for the disk.
    private let left = Mutex<[JournalRecord]?>(nil)
    /// What this session could not save.
    ///
    /// Locked for one access, inside of a transaction too.
    private let unsaved = Mutex(UnsavedPlaces())

    /// Touches no file yet.
    ///
    /// - Parameters:
    ///   - path: of the file; its folder is made if it is missing (0700).
    ///   - log: the transition log, which a damaged library is rebuilt from as far as it goes.
    ///   - deadline: of every call.
    ///   - complain: told when the place of what sounds can no longer be kept, on a thread of the journal's own.
    public convenience init(
        path: String, log: String? = nil, deadline: Duration = .seconds(3),
        complain: @escaping @Sendable (PlaceStoreError) -> Void = { _ in }
    ) {
        self.init(
            file: LibraryFile(
                path: path,
                now: {
                    var now = timespec()
                    clock_gettime(CLOCK_REALTIME, &now)
                    return Int64(now.tv_sec) &* 1000 &+ Int64(now.tv_nsec) / 1_000_000
                }, log: log), deadline: deadline, complain: complain)
    }

    init(
        file: LibraryFile, deadline: Duration, complain: @escaping @Sendable (PlaceStoreError) -> Void = { _ in }
    ) {
        path = file.path
        self.file = file
        self.deadline = deadline
        journal = PlaceFollower(path: Self.journalPath(beside: path), wallClock: file.now, complain: complain)
        covers = LibraryCovers(folder: CoverFolder(path: Self.folder(of: path) + "covers"))
    }

    /// `places.journal` in the same folder.
    static func journalPath(beside path: String) -> String { folder(of: path) + "places.journal" }

    /// With the slash at its end.
    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
    }

    public func prepare() async -> [String] {
        let outcome = await queue.run(within: deadline) { [self] in
            state.withLock { state in
                var warnings: [String] = []
                do throws(PlaceStoreError) {
                    _ = try open(&state)
                } catch {
                    warnings = [error.message]
                }
                warnings += state.warnings
                state.warnings = []
                return warnings
            }
        }
        return outcome ?? [timedOut.message]
    }

    public func place(of uri: String, owner: OwnerID) async -> PlaceLookup {
        do throws(PlaceStoreError) {
            let saved = try await read(absent: nil) {
                try SavedPlace.fetch($0, uri: FormerURI.now($0, uri), owner: owner)
            }
            var place = saved
            // Where nothing can be written, what a crash left could not be taken over.
            if let left = leftBehind(uri, owner), left.updatedAt > place?.updatedAt ?? .min { place = left }
            if let own = unsavedPlace(uri, owner), own.updatedAt >= place?.updatedAt ?? .min { place = own }
            return place.map { .progress($0.keepingHabit(of: saved)) } ?? .empty
        } catch {
            // Whatever the library has of it was there before.
            return unsavedPlace(uri, owner).map(PlaceLookup.progress) ?? .failed(error)
        }
    }

    public func save(_ place: SavedPlace, durably: Bool) async throws(PlaceStoreError) {
        guard place.provenance == .heard || place.provenance == .user else {
            throw PlaceStoreError(
                .refused,
                "a place that is only \(place.provenance.rawValue) does not replace the saved one of \(place.uri)")
        }
        guard place.position.track >= 0, place.position.units >= 0 else {
            throw PlaceStoreError(.refused, "a place before the beginning is not saved for \(place.uri)")
        }
        do throws(PlaceStoreError) {
            try await write(durably: durably) { [self] db in
                var row = place
                row.uri = try FormerURI.now(db, place.uri)
                try row.save(db)
                unsaved.withLock { $0.removePlace(of: place.uri, owner: place.owner) }
            }
        } catch {
            unsaved.withLock { $0.add(place) }
            throw error
        }
        // Nobody waits for it, as its disk may hang; what it holds is older than what is saved now, and known by that.
        if durably { Task { await journal.forget(owner: place.owner, uri: place.uri, upTo: place.updatedAt) } }
    }

    private func unsavedPlace(_ uri: String, _ owner: OwnerID) -> SavedPlace? {
        unsaved.withLock { $0.place(of: uri, owner: owner) }
    }

    private func leftBehind(_ uri: String, _ owner: OwnerID) -> SavedPlace? {
        left.withLock { $0?.last { WebIdentity.uri(of: $0.place.uri) == uri && $0.place.owner == owner }?.place }
    }

    public func remember(
        _ habit: ListeningHabit, of uri: String, owner: OwnerID
    ) async throws(PlaceStoreError) {
        try await write(durably: true) { db in
            let uri = try FormerURI.now(db, uri)
            try db.execute(
                sql: """
                    UPDATE place SET rate = coalesce(?, rate), volume = coalesce(?, volume),
                    engine = coalesce(?, engine), voice = coalesce(?, voice) WHERE owner = ? AND uri = ?
                    """,
                arguments: [
                    habit.rate, habit.volume, habit.engine?.rawValue, habit.voice, owner.rawValue, uri,
                ])
        }
    }

    public func lastItem(of kind: ContentKind, owner: OwnerID) async throws(PlaceStoreError) -> LastItem? {
        let unsaved = unsaved.withLock { $0.lastItem(of: kind, owner: owner) }
        do throws(PlaceStoreError) {
            let saved = try await read(absent: nil) { try LastItem.fetch($0, kind: kind, owner: owner) }
            var item = saved
            // Where nothing can be written, what a crash left could not be taken over.
            if let left = lastLeftBehind(kind, owner), left.uri != item?.uri,
                left.updatedAt > item?.updatedAt ?? .min
            {
                item = left
            }
            if let unsaved, unsaved.updatedAt >= item?.updatedAt ?? .min { item = unsaved }
            return item
        } catch {
            if let unsaved { return unsaved }
            throw error
        }
    }

    public func setLastItem(_ item: LastItem) async throws(PlaceStoreError) {
        do throws(PlaceStoreError) {
            try await write(durably: true) { [self] db in
                try item.saveWhereItIs(db)
                unsaved.withLock { $0.removeLastItem(of: item.kind, owner: item.owner) }
            }
        } catch {
            unsaved.withLock { $0.add(item) }
            throw error
        }
    }

    private func lastLeftBehind(_ kind: ContentKind, _ owner: OwnerID) -> LastItem? {
        left.withLock { $0?.last { $0.place.kind == kind && $0.place.owner == owner }?.place }.flatMap(
            LastItem.init(of:))
    }

    public func setting(_ key: SettingKey) async throws(PlaceStoreError) -> String? {
        try await read(absent: nil) {
            try String.fetchOne($0, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key.rawValue])
        }
    }

    public func set(_ key: SettingKey, to value: String?) async throws(PlaceStoreError) {
        try await write(durably: true) { db in
            if let value {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", arguments: [key.rawValue, value])
            } else {
                try db.execute(sql: "DELETE FROM setting WHERE key = ?", arguments: [key.rawValue])
            }
        }
    }

    /// Finishes what was asked before and closes the file; a later call opens it again.
    public func close() async {
        _ = await queue.run(within: deadline) { [self] in
            state.withLock {
                try? $0.opened?.database.close()
                $0.opened = nil
            }
        }
    }

    private var timedOut: PlaceStoreError {
        PlaceStoreError(.timedOut, "\(path) did not answer in time; check its disk")
    }

    /// A file that is not there holds nothing; to make it takes a disk that is busy seconds, and the first play waits for this.
    func read<Value: Sendable>(
        absent: Value, _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(PlaceStoreError) -> Value {
        try await perform("read", absent: absent) { opened throws in try opened.database.read(work) }
    }

    func write(
        durably: Bool, _ work: @escaping @Sendable (Database) throws -> Void
    ) async throws(PlaceStoreError) {
        try await change(durably: durably, work)
    }

    /// One transaction, and what it found out.
    func change<Value: Sendable>(
        durably: Bool, _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(PlaceStoreError) -> Value {
        try await perform("write") { [self] opened throws in
            if let error = opened.readOnly { throw error }
            return try opened.database.writeWithoutTransaction { db in
                // With NORMAL a commit is in the file system's hands; with FULL it, and all before it, is on the disk.
                try db.execute(sql: durably ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
                var value: Value?
                try db.inTransaction(.immediate) {
                    value = try work(db)
                    return .commit
                }
                guard let value else { throw NonsenseRow() }
                writeUnsaved(db)
                return value
            }
        }
    }

    /// Makes good for saves that failed; those that fail again wait for the next write.
    private func writeUnsaved(_ db: Database) {
        let waiting = unsaved.withLock(\.self)
        guard !waiting.isEmpty else { return }
        do {
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.inTransaction(.immediate) {
                try waiting.write(db)
                return .commit
            }
            unsaved.withLock { $0.remove(waiting) }
        } catch {
            // What was asked for has been done; who asked for these knows that they were not.
        }
    }

    private func perform<Value: Sendable>(
        _ what: String, absent: Value? = nil, _ work: @escaping @Sendable (LibraryFile.Opened) throws -> Value
    ) async throws(PlaceStoreError) -> Value {
        let outcome = await queue.run(within: deadline) { [self] () -> Result<Value, PlaceStoreError> in
            state.withLock { state in
                let left = lookForLeft()
                if let absent, state.opened == nil, !state.isDamaged, left.isEmpty, file.isMissing() {
                    return .success(absent)
                }
                do {
                    return .success(try work(try open(&state)))
                } catch {
                    if LibraryFile.isDamage(error) {
                        state.isDamaged = true
                        try? state.opened?.database.close()
                        state.opened = nil
                    }
                    return .failure(PlaceStoreError(error, doing: what, path))
                }
            }
        }
        guard let outcome else { throw timedOut }
        return try outcome.get()
    }

    private func open(_ state: inout State) throws(PlaceStoreError) -> LibraryFile.Opened {
        if let opened = state.opened {
            // Somebody removed the file or put another one there: what is written to the open one would be lost.
            if opened.identity == file.identity { return opened }
            try? opened.database.close()
            state.opened = nil
        }
        let opened = try file.open(isDamaged: state.isDamaged)
        state.isDamaged = false
        state.warnings += opened.warnings
        takeOverLeft(&state, by: opened)
        // Where nothing may be written now, each call looks again.
        if opened.readOnly == nil || opened.readOnly?.reason == .newerSchema { state.opened = opened }
        return opened
    }

    /// Reads the journal once; on the queue.
    private func lookForLeft() -> [JournalRecord] {
        if let known = left.withLock({ $0 }) { return known }
        let found = PlaceJournalFile.read(Self.journalPath(beside: path))
        left.withLock { $0 = found }
        return found
    }

    /// What was heard after the last save of a session that was killed.
    private func takeOverLeft(_ state: inout State, by opened: LibraryFile.Opened) {
        let records = lookForLeft()
        guard !records.isEmpty, opened.readOnly == nil else { return }
        do {
            try opened.database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.inTransaction(.immediate) {
                    for record in records { try record.place.advance(db) }
                    // What played last may be another item than the one that was noted.
                    for last in JournalRecord.last(of: records) { try last.place.advanceLastItem(db) }
                    return .commit
                }
            }
            left.withLock { $0 = [] }
            // Their times may be those of a clock that was wrong, and would win again.
            PlaceJournalFile.erase(Self.journalPath(beside: path), records)
        } catch {
            // They stay in the journal, and are looked for first by `place(of:owner:)`.
            state.warnings.append(PlaceStoreError(error, doing: "take over the last place into", path).message)
        }
    }
}

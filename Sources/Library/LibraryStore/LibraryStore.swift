// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import BookTimeline
import Clocks
import GRDB
import Glibc
public import MediaPlayback
public import PlaybackCore
import Synchronization

/// Stores places, last items and settings in `library.sqlite`.
///
/// The first call opens the file. If opening fails, each later call tries again, so that a folder that comes back is
/// used. All of SQLite runs on one queue, which has a thread only while there is work.
public final class LibraryStore: PlaceStore {
    public let path: String
    /// The journal that keeps the place of what plays between two saves.
    ///
    /// When the library is opened, it takes over what an earlier session left in the journal.
    public let journal: PlaceFollower
    let covers: LibraryCovers
    /// Called with the places that were taken over from a session that was killed.
    private let recovered: @Sendable ([SavedPlace]) -> Void

    private struct State {
        var opened: LibraryFile.Opened?
        var isDamaged = false
        var warnings: [String] = []
    }

    private let file: LibraryFile
    private let deadline: Duration
    private let queue = BlockingQueue(label: "rostrum.library")
    /// Reason for the lock: only code on `queue` uses the state, but the compiler cannot check that.
    private let state = Mutex(State())
    /// The records that an earlier session left in the journal, or `nil` if the journal has not been read yet.
    ///
    /// Locked for one access at a time, so that a look-up outside the queue never waits for the disk.
    private let left = Mutex<[JournalRecord]?>(nil)
    /// The places and last items that this session could not save.
    ///
    /// Locked for one access at a time, also within a transaction.
    private let unsaved = Mutex(UnsavedPlaces())
    /// The jumps that this session could not record; locked like `unsaved`.
    let unsavedJumps = Mutex(UnsavedJumps())

    /// Creates a store without touching any file.
    ///
    /// - Parameters:
    ///   - path: The path of the library. Its folder is created if it is missing (mode 0700).
    ///   - log: The path of the transition log, from which places are restored if the library is damaged.
    ///   - deadline: The time limit of every call.
    ///   - recovered: Called with the places that a killed session had heard after its last save, once they are saved,
    ///     on a thread of the library's own.
    ///   - complain: Called when the place of what plays can no longer be kept, on a thread of the journal's own.
    public convenience init(
        path: String, log: String? = nil, deadline: Duration = .seconds(3),
        recovered: @escaping @Sendable ([SavedPlace]) -> Void = { _ in },
        complain: @escaping @Sendable (PlaceStoreError) -> Void = { _ in }
    ) {
        self.init(
            file: LibraryFile(
                path: path,
                now: { WallClock.milliseconds() }, log: log), deadline: deadline, recovered: recovered,
            complain: complain)
    }

    init(
        file: LibraryFile, deadline: Duration, recovered: @escaping @Sendable ([SavedPlace]) -> Void = { _ in },
        complain: @escaping @Sendable (PlaceStoreError) -> Void = { _ in }
    ) {
        path = file.path
        self.recovered = recovered
        self.file = file
        self.deadline = deadline
        journal = PlaceFollower(path: Self.journalPath(beside: path), wallClock: file.now, complain: complain)
        covers = LibraryCovers(folder: CoverFolder(path: Self.folder(of: path) + "covers"))
    }

    /// Returns the path of `places.journal` in the folder of the library.
    static func journalPath(beside path: String) -> String { folder(of: path) + "places.journal" }

    /// Returns the folder of a path, with a trailing slash.
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
            // If nothing can be written, the journal of a crashed session could not be taken over.
            if let left = leftBehind(uri, owner), left.updatedAt > place?.updatedAt ?? .min { place = left }
            if let own = unsavedPlace(uri, owner), own.updatedAt >= place?.updatedAt ?? .min { place = own }
            return place.map { .progress($0.keepingPreferences(of: saved)) } ?? .empty
        } catch {
            // Whatever the library has of this item is older.
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
        // Not awaited, because the disk may hang. What the journal holds is older than what is saved now, and its time
        // shows that.
        if durably { Task { await journal.forget(owner: place.owner, uri: place.uri, upTo: place.updatedAt) } }
    }

    private func unsavedPlace(_ uri: String, _ owner: OwnerID) -> SavedPlace? {
        unsaved.withLock { $0.place(of: uri, owner: owner) }
    }

    private func leftBehind(_ uri: String, _ owner: OwnerID) -> SavedPlace? {
        left.withLock { $0?.last { WebIdentity.uri(of: $0.place.uri) == uri && $0.place.owner == owner }?.place }
    }

    public func remember(
        _ preferences: ItemPreferences, of uri: String, owner: OwnerID
    ) async throws(PlaceStoreError) {
        try await write(durably: true) { db in
            let uri = try FormerURI.now(db, uri)
            try db.execute(
                sql: """
                    UPDATE place SET rate = coalesce(?, rate), volume = coalesce(?, volume),
                    engine = coalesce(?, engine), voice = coalesce(?, voice) WHERE owner = ? AND uri = ?
                    """,
                arguments: [
                    preferences.rate, preferences.volume, preferences.engine?.rawValue, preferences.voice,
                    owner.rawValue, uri,
                ])
        }
    }

    public func lastItem(of kind: ContentKind, owner: OwnerID) async throws(PlaceStoreError) -> LastItem? {
        let unsaved = unsaved.withLock { $0.lastItem(of: kind, owner: owner) }
        do throws(PlaceStoreError) {
            let saved = try await read(absent: nil) { try LastItem.fetch($0, kind: kind, owner: owner) }
            var item = saved
            // If nothing can be written, the journal of a crashed session could not be taken over.
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

    /// Finishes earlier calls and closes the file.
    ///
    /// A later call opens it again.
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

    /// Reads in the database, or returns `absent` if the file does not exist.
    ///
    /// A missing file is not created for this: that takes seconds on a busy disk, and the first playback waits for the
    /// answer.
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

    /// Carries out one transaction and returns its result.
    func change<Value: Sendable>(
        durably: Bool, _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(PlaceStoreError) -> Value {
        try await perform("write") { [self] opened throws in
            if let error = opened.readOnly { throw error }
            return try opened.database.writeWithoutTransaction { db in
                writeUnsaved(db)
                // With NORMAL, a commit is handed to the file system. With FULL, it and all earlier commits are on the
                // disk.
                try db.execute(sql: durably ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
                var value: Value?
                try db.inTransaction(.immediate) {
                    value = try work(db)
                    return .commit
                }
                guard let value else { throw NonsenseRow() }
                return value
            }
        }
    }

    /// Repeats the saves that failed, which are older than the next one.
    ///
    /// Those that fail again wait for the next write.
    private func writeUnsaved(_ db: Database) {
        let waiting = unsaved.withLock(\.self)
        if !waiting.isEmpty, writeAgain(db, waiting.write) { unsaved.withLock { $0.remove(waiting) } }
        // Apart from the places, which a jump that cannot be written must not hold back.
        let jumps = unsavedJumps.withLock(\.self)
        if !jumps.isEmpty, writeAgain(db, jumps.write) { unsavedJumps.withLock { $0.remove(jumps) } }
    }

    /// Returns whether a transaction has succeeded.
    ///
    /// If it fails, the callers of the failed saves know that already, and the write that was asked for goes on.
    private func writeAgain(_ db: Database, _ work: (Database) throws -> Void) -> Bool {
        do {
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.inTransaction(.immediate) {
                try work(db)
                return .commit
            }
            return true
        } catch {
            return false
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
            // If the file was removed or replaced, writes to the open one would be lost.
            if opened.identity == file.identity { return opened }
            try? opened.database.close()
            state.opened = nil
        }
        let opened = try file.open(isDamaged: state.isDamaged)
        state.isDamaged = false
        state.warnings += opened.warnings
        takeOverLeft(&state, by: opened)
        // If nothing can be written now, the next call opens the file again to check.
        if opened.readOnly == nil || opened.readOnly?.reason == .newerSchema { state.opened = opened }
        return opened
    }

    /// Returns what an earlier session left in the journal, which is read once.
    ///
    /// Runs on the queue.
    private func lookForLeft() -> [JournalRecord] {
        if let known = left.withLock({ $0 }) { return known }
        let found = PlaceJournalFile.read(Self.journalPath(beside: path))
        left.withLock { $0 = found }
        return found
    }

    /// Saves the places that a killed session heard after its last save.
    private func takeOverLeft(_ state: inout State, by opened: LibraryFile.Opened) {
        let records = lookForLeft()
        guard !records.isEmpty, opened.readOnly == nil else { return }
        var later: [SavedPlace] = []
        do {
            try opened.database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.inTransaction(.immediate) {
                    for record in records where try record.place.advance(db) { later.append(record.place) }
                    // The item played last may differ from the last item that was saved.
                    for last in JournalRecord.last(of: records) { try last.place.advanceLastItem(db) }
                    return .commit
                }
            }
            left.withLock { $0 = [] }
            // Records that stay would win again later if the clock was wrong when they were written.
            PlaceJournalFile.erase(Self.journalPath(beside: path), records)
            // An orderly end saves every place, and has nothing later in its journal.
            if !later.isEmpty { recovered(later) }
        } catch {
            // The records stay in the journal, and `place(of:owner:)` still considers them.
            state.warnings.append(PlaceStoreError(error, doing: "take over the last place into", path).message)
        }
    }
}

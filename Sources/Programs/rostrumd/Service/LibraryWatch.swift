// SPDX-License-Identifier: Apache-2.0

import Clocks
import FolderWatch
import FoundationEssentials
import ItemResolver
import MediaPlayback
import PlaybackCore
import SessionProtocol
import Synchronization

/// The folders whose changes the library takes up by itself.
///
/// It keeps them among the settings of the library. What changed is taken up by the same import as `library add`, once it
/// rests.
actor LibraryWatch {
    /// Carries out an import of changed parts.
    typealias TakeUp =
        @Sendable ([ChangedPart], RefusedBooks, @escaping @Sendable (ImportReport) -> Void) async ->
        Result<ImportSummary, PlaybackError>

    private struct Folder {
        var watch: FolderWatch?
        var state: FolderState?
    }

    private let settings: any PlaceStore
    private let scanner: BookScanner
    /// Tells the listener one line, for the log.
    private let tell: @Sendable (String) -> Void
    private let limits: FolderWatch.Limits
    private var schedule: ScanSchedule
    private var folders: [WatchedPath: Folder] = [:]
    private let refused = RefusedBooks()
    private var takeUp: TakeUp?
    private var extensions: Set<String> = []
    private var mounts: MountNews?
    private var reports: (stream: AsyncStream<Arrival>, continuation: AsyncStream<Arrival>.Continuation)
    private var listening: Task<Void, Never>?
    private var timer: (time: Int64, task: Task<Void, Never>)?
    private var job: Task<Void, Never>?
    /// The lines that were told, so that each is told once.
    private var told: Set<String> = []
    private var last: (line: String, at: Int64)?
    private var isLoaded = false
    private var isEnding = false

    private struct Arrival: Sendable {
        var root: WatchedPath
        var report: FolderWatch.Report
    }

    /// The number of lines of which it is known that they were told.
    private static let mostTold = 500
    /// The nanoseconds before what failed is tried again: an engine may be missing, or the library be on a full disk.
    private static let pause: Int64 = 60_000_000_000
    /// The number of titles in a line.
    private static let mostTitles = 3

    init(
        settings: any PlaceStore, scanner: BookScanner, delay: Duration, limits: FolderWatch.Limits = .ofSystem(),
        tell: @escaping @Sendable (String) -> Void
    ) {
        (self.settings, self.scanner, self.tell, self.limits) = (settings, scanner, tell, limits)
        schedule = ScanSchedule(rules: .init(quiet: delay))
        reports = AsyncStream.makeStream(of: Arrival.self)
    }

    /// Sets the time without a change after which something is taken up.
    func set(delay: Duration) {
        schedule.rules = .init(quiet: delay)
        arm()
    }

    /// Begins to watch the folders that are kept, and takes up what changed while nobody watched.
    ///
    /// - Parameter extensions: The extensions of audio files.
    func begin(extensions: Set<String>, takeUp: @escaping TakeUp) async {
        guard self.takeUp == nil, !isEnding else { return }
        self.takeUp = takeUp
        self.extensions = extensions
        listening = Task { [weak self, stream = reports.stream] in
            for await arrival in stream { await self?.take(arrival) }
        }
        do throws(PlaceStoreError) {
            try await load()
        } catch {
            tell("the watched folders are not known: \(error.message)")
        }
    }

    private func load() async throws(PlaceStoreError) {
        guard !isLoaded else { return }
        let text = try await settings.setting(.watchedFolders)
        guard !isLoaded else { return }
        isLoaded = true
        let uris = text.flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) } ?? []
        for uri in uris.prefix(LibraryAction.mostFolders) {
            if let path = BookScanner.path(ofURI: uri), path.first == UInt8(ascii: "/") { start(path) }
        }
    }

    // MARK: Commands

    /// Adds folders; one inside a watched one needs none of its own.
    func add(_ items: [String]) async throws(PlaybackError) {
        var paths: [WatchedPath] = []
        do throws(ItemError) {
            for item in items { paths.append(try await scanner.folder(item)) }
        } catch {
            throw PlaybackError(error)
        }
        try await keep { folders in
            for path in paths where !folders.contains(where: { path.isInFolder($0) }) {
                folders.removeAll { $0.isInFolder(path) }
                folders.append(path)
            }
        }
    }

    /// Removes folders, whose books stay in the library.
    func remove(_ items: [String]) async throws(PlaybackError) {
        var paths: [WatchedPath] = []
        try await reading { () throws(PlaceStoreError) in try await load() }
        for item in items {
            // A folder that is gone has no `..` to resolve.
            let found = try? await scanner.folder(item)
            guard let path = found ?? scanner.uri(of: item).flatMap(BookScanner.path(ofURI:)), folders[path] != nil
            else {
                throw PlaybackError(
                    .noInput, message: "not watched: \(item); `rostrum library watch` lists what is watched")
            }
            paths.append(path)
        }
        try await keep { $0.removeAll(where: paths.contains) }
    }

    func list() async throws(PlaybackError) -> LibraryWatches {
        try await reading { () throws(PlaceStoreError) in try await load() }
        let all = folders.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return LibraryWatches(
            folders: all.map { path, folder in
                LibraryWatches.Folder(String(decoding: path, as: UTF8.self), folder.state)
            },
            settled: job == nil && !schedule.hasChanges && all.allSatisfy { $0.value.state != nil },
            last: last?.line, lastAt: last?.at)
    }

    /// Changes the list of folders, stores it, and then acts on it.
    private func keep(_ change: (inout [WatchedPath]) -> Void) async throws(PlaybackError) {
        try await reading { () throws(PlaceStoreError) in try await load() }
        let before = folders.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var after = before
        change(&after)
        guard after.count <= LibraryAction.mostFolders else {
            throw PlaybackError(
                .usage,
                message: "at most \(LibraryAction.mostFolders) folders are watched; name one that contains others")
        }
        guard after != before else { return }
        let uris = after.map { BookScanner.uri(ofPath: $0) }
        let text = (try? JSONEncoder().encode(uris)).map { String(decoding: $0, as: UTF8.self) }
        // Two changes at a time would lose one: the folders are set before the store answers.
        for path in before where !after.contains(path) { stop(path) }
        for path in after where !before.contains(path) { start(path) }
        do throws(PlaceStoreError) {
            try await settings.set(.watchedFolders, to: after.isEmpty ? nil : text)
        } catch {
            throw PlaybackError(.io, message: "the change lasts until the session ends: \(error.message)")
        }
    }

    private func reading(_ body: () async throws(PlaceStoreError) -> Void) async throws(PlaybackError) {
        do throws(PlaceStoreError) {
            try await body()
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
    }

    // MARK: Watching

    private func start(_ path: WatchedPath) {
        guard folders[path] == nil, !isEnding else { return }
        let names = extensions.union(["cue", "jpg", "jpeg", "png", "webp"])
        let watch = FolderWatch(
            path, limits: limits,
            isRelevant: { name in
                let name = String(decoding: name, as: UTF8.self)
                return name.lastIndex(of: ".").map { names.contains(name[name.index(after: $0)...].lowercased()) }
                    ?? false
            }, report: { [continuation = reports.continuation] in continuation.yield(Arrival(root: path, report: $0)) })
        folders[path] = Folder(watch: watch)
        watch.begin()
        if mounts == nil {
            mounts = MountNews { [weak self] in Task { await self?.checkMounts() } }
        }
    }

    private func stop(_ path: WatchedPath) {
        folders.removeValue(forKey: path)?.watch?.end()
        schedule.remove(path)
        if folders.isEmpty { mounts = nil }
    }

    private func checkMounts() {
        for folder in folders.values { folder.watch?.checkMounts() }
    }

    private func take(_ arrival: Arrival) {
        guard folders[arrival.root] != nil, !isEnding else { return }
        let now = MonotonicTime.now()
        // Only now, because a mount that hangs would hold up every scan.
        if folders[arrival.root]?.state == nil { schedule.add(arrival.root, at: now) }
        if let state = arrival.report.state {
            folders[arrival.root]?.state = state
            schedule.setPeriodic(state.needsScans, arrival.root, at: now)
            if case .unwatched(let fault) = state {
                tellOnce("\(String(decoding: arrival.root, as: UTF8.self)) is scanned every 15 min: \(fault.line)")
            }
        }
        for change in arrival.report.changes { schedule.note(change, in: arrival.root, at: now) }
        arm()
    }

    // MARK: Scans

    /// Waits for the next scan.
    private func arm() {
        guard !isEnding, takeUp != nil, let next = schedule.next else { return }
        // A timer that ends too early starts another one, and need not be replaced for each change.
        if let timer, timer.time <= next { return }
        timer?.task.cancel()
        let wait = max(0, next &- MonotonicTime.now())
        timer = (
            next,
            Task { [weak self] in
                try? await Task.sleep(for: .nanoseconds(wait))
                if !Task.isCancelled { await self?.timeIsUp() }
            }
        )
    }

    private func timeIsUp() {
        timer = nil
        guard let takeUp, job == nil, !isEnding else { return }
        let orders = schedule.begin(at: MonotonicTime.now())
        guard !orders.isEmpty else { return arm() }
        let parts = orders.map { ChangedPart($0) }
        let changes = ChangedBooks()
        job = Task(priority: .utility) { [refused] in
            let result = await takeUp(parts, refused) { changes.take($0) }
            ended(orders, result, changes)
        }
    }

    private func ended(
        _ orders: [ScanSchedule.Order], _ result: Result<ImportSummary, PlaybackError>, _ changes: ChangedBooks
    ) {
        job = nil
        let now = MonotonicTime.now()
        switch result {
        case .success(let summary): schedule.end(at: now, unfinished: summary.isCancelled ? orders : [])
        case .failure(let error):
            schedule.end(at: now, unfinished: orders, pause: Self.pause)
            tellOnce("what changed in watched folders is not taken up: \(error.message)")
        }
        for problem in changes.problems { tellOnce(problem) }
        if let line = changes.line(titles: Self.mostTitles) {
            tell(line)
            last = (line, WallClock.milliseconds())
        }
        arm()
    }

    private func tellOnce(_ line: String) {
        guard told.count < Self.mostTold, told.insert(line).inserted else { return }
        tell(line)
    }

    /// Ends all watches; an import that runs is ended by its owner.
    func end() {
        isEnding = true
        timer?.task.cancel()
        listening?.cancel()
        for folder in folders.values { folder.watch?.end() }
        mounts = nil
    }
}

extension [UInt8] {
    /// Returns `true` if this path is the other one, or leads into it.
    fileprivate func isInFolder(_ folder: WatchedPath) -> Bool {
        starts(with: folder)
            && (count == folder.count || folder.last == UInt8(ascii: "/") || self[folder.count] == UInt8(ascii: "/"))
    }
}

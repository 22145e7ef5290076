// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
public import HTTPExchange
import MediaPlayback

/// The downloads of a session: one item at a time, in the order of asking.
///
/// An item is *downloaded* only once each of its files has its length and plays. What was fetched is never fetched again: a
/// session that was killed goes on where it was. A server that is away is tried again after a while, and keeps no other
/// server waiting.
public actor Downloads {
    /// The parts of which a registry is made.
    public struct Parts: Sendable {
        /// The folder of all downloads.
        public var root: String
        /// The path of the list of what was asked for; outside of `root`.
        public var index: String
        public var sources: [any DownloadSource]
        public var transport: any HTTPTransport
        public var check: any PlayableCheck
        /// The bytes that stay free on the disk.
        public var reserve: Int64 = 64 << 20
        /// Milliseconds since 1970.
        public var now: @Sendable () -> Int64
        /// The time since some moment, which never goes back.
        public var uptime: @Sendable () -> Duration
        /// Waits; ends at once if the task is cancelled.
        public var wait: @Sendable (Duration) async -> Void

        public init(
            root: String, index: String, sources: [any DownloadSource], transport: any HTTPTransport,
            check: any PlayableCheck, now: @escaping @Sendable () -> Int64,
            uptime: @escaping @Sendable () -> Duration, wait: @escaping @Sendable (Duration) async -> Void
        ) {
            self.root = root
            self.index = index
            self.sources = sources
            self.transport = transport
            self.check = check
            self.now = now
            self.uptime = uptime
            self.wait = wait
        }
    }

    let parts: Parts
    let folder: DownloadFolder
    private let index: DownloadIndex
    let disk = BlockingQueue(label: "rostrum.downloads")
    let boot: String?
    var entries: [Download] = []
    private var schedule = RetrySchedule()
    private var running: (item: String, task: Task<Void, Never>)?
    private var alarm: Task<Void, Never>?
    private var loading: Task<Void, Never>?
    private var isLoaded = false
    private var isEnded = false
    private var tellsChange: @Sendable (Download) -> Void = { _ in }
    private var tellsDownloaded: @Sendable (Download) -> Void = { _ in }

    public init(_ parts: Parts) {
        self.parts = parts
        folder = DownloadFolder(root: parts.root)
        index = DownloadIndex(path: parts.index)
        boot = DiskFile.boot()
    }

    /// Sets who is told of changes, and who is told of an item that is downloaded now.
    public func observe(
        change: @escaping @Sendable (Download) -> Void, downloaded: @escaping @Sendable (Download) -> Void
    ) {
        tellsChange = change
        tellsDownloaded = downloaded
    }

    // MARK: Start and end

    /// Takes up what is there and goes on with it.
    public func start() async {
        await load()
        proceed()
    }

    /// Stops what is under way; what there is of it is kept.
    public func end() async {
        isEnded = true
        alarm?.cancel()
        running?.task.cancel()
        await running?.task.value
    }

    /// Reads the manifests and the list, and compares both with the disk.
    func load() async {
        let task = loading ?? Task { await self.readAll() }
        loading = task
        await task.value
    }

    private func readAll() async {
        let (folder, index, boot) = (folder, index, boot)
        let found: [Download]? = await disk.run(within: .seconds(120)) {
            var known = Dictionary(index.load().map { ($0.item, $0) }, uniquingKeysWith: { first, _ in first })
            var found: [Download] = []
            for var download in folder.load() {
                let listed = known.removeValue(forKey: download.item)
                // Two manifests of one item: somebody copied a folder. The first is it.
                if found.contains(where: { $0.item == download.item }) { continue }
                if download.state == .removing {
                    if (try? folder.remove(download)) != nil { continue }
                } else {
                    download.order = listed?.order ?? download.order
                    folder.reconcile(&download, boot: boot)
                    download.settle(loss: folder.loss(of: download))
                }
                found.append(download)
            }
            for var download in known.values where download.state != .removing {
                if download.folder != nil, download.state == .downloaded {
                    download.state = .error
                    download.reason = folder.loss(of: download) ?? "its manifest is gone; download it again"
                } else if download.state == .downloading {
                    download.state = .queued
                }
                // The next attempt makes another one.
                download.folder = nil
                found.append(download)
            }
            return found
        }
        entries = (found ?? []).sorted { ($0.order, $0.item) < ($1.order, $1.item) }
        isLoaded = true
        await saveIndex()
    }

    // MARK: Requests

    /// Returns all downloads in the order of asking.
    public func list() async -> [Download] {
        await load()
        return entries
    }

    /// `true` while something is fetched or checked; not while a server is away.
    public var isBusy: Bool { running != nil }

    /// Returns the bytes of all files on this machine.
    public var bytes: Int64 { entries.reduce(0) { $0.clampingAdd($1.bytes) } }

    /// Adds an item at the end of the queue; one in error is tried again, and any other stays as it is.
    @discardableResult
    public func add(_ item: String, isAutomatic: Bool = false) async throws(DownloadFault) -> Download {
        await load()
        let item = await known(item)
        if let known = entries.firstIndex(where: { $0.isNamed(item) }) {
            if entries[known].state == .error {
                entries[known].state = .queued
                entries[known].reason = nil
                await save(entries[known])
                proceed()
            }
            return entries[known]
        }
        guard let (source, server) = await source(of: item) else {
            // It may have a password, which is neither shown nor kept.
            let shown = item.contains("@") ? "an address with a password" : WebIdentity.shown(item)
            throw DownloadFault(
                .unsupported, "\(shown): this cannot be downloaded; give a book of a server or an address")
        }
        let uri = await source.identity(of: item) ?? item
        // Somebody else may have added it in the meantime.
        if let known = entries.first(where: { $0.isNamed(item) || $0.isNamed(uri) }) { return known }
        let order = (entries.map(\.order).max() ?? 0) + 1
        var download = Download(
            item: item, server: server, order: order, addedAt: parts.now(), isAutomatic: isAutomatic)
        (download.uri, download.title) = (uri, WebIdentity.shown(uri))
        entries.append(download)
        do throws(DownloadFault) { try await trySaveIndex() } catch {
            entries.removeAll { $0.item == item }
            throw error
        }
        tellsChange(download)
        proceed()
        return download
    }

    /// Removes an item and its files from this machine; an item under way is cancelled.
    @discardableResult
    public func remove(_ item: String) async throws(DownloadFault) -> Download? {
        await load()
        let item = await known(item)
        guard let first = entries.firstIndex(where: { $0.isNamed(item) }) else { return nil }
        let name = entries[first].item
        // What is being removed is not started again, and nothing changes it any more.
        entries[first].state = .removing
        if let running, running.item == name {
            running.task.cancel()
            await running.task.value
        }
        guard let download = entries.first(where: { $0.item == name }) else { return nil }
        let folder = folder
        try await onDisk { () throws(DownloadFault) in
            // A start after a kill finds that and goes on.
            if download.folder != nil { try folder.save(download) }
            try folder.remove(download)
        }
        entries.removeAll { $0.item == name }
        await saveIndex()
        tellsChange(download)
        proceed()
        return download
    }

    /// Tries all servers again at once, as when the network is back.
    public func networkIsBack() {
        schedule.hurry()
        proceed()
    }

    /// Returns the files of an item that is downloaded, in the order of playing.
    public func localCopy(of item: String) async -> LocalCopy? {
        await load()
        let item = await known(item)
        guard let download = entries.first(where: { $0.isNamed(item) && $0.state == .downloaded }) else { return nil }
        let folder = folder
        let loss: String?? = await disk.run(within: .seconds(5)) { folder.loss(of: download) }
        guard loss == .some(nil) else {
            if case .some(.some(let why)) = loss, let place = entries.firstIndex(where: { $0.item == download.item }) {
                entries[place].state = .error
                entries[place].reason = why
                await save(entries[place])
            }
            return nil
        }
        return LocalCopy(
            uri: download.uri, title: download.title,
            paths: download.files.compactMap { folder.path(of: $0, in: download) })
    }

    // MARK: The queue

    /// Starts the first item that may start, if none is under way.
    func proceed() {
        guard running == nil, !isEnded, isLoaded else { return }
        alarm?.cancel()
        alarm = nil
        let now = parts.uptime()
        let waiting = entries.filter { $0.state == .queued || $0.state == .downloading }
        if let next = waiting.first(where: { schedule.pause(of: $0.server, at: now) == nil }) {
            let item = next.item
            running = (item, Task { await self.run(item) })
        } else if let pause = waiting.compactMap({ schedule.pause(of: $0.server, at: now) }).min() {
            alarm = Task { [wait = parts.wait] in
                await wait(pause)
                if !Task.isCancelled { self.ring() }
            }
        }
    }

    private func ring() {
        alarm = nil
        proceed()
    }

    private func run(_ item: String) async {
        let fault: DownloadFault?
        do throws(DownloadFault) {
            try await fetch(item)
            fault = nil
        } catch { fault = error }
        if let place = entries.firstIndex(where: { $0.item == item && $0.state != .removing }) {
            if let fault { note(fault, at: place) }
            await save(entries[place])
            if fault == nil, let download = entries.first(where: { $0.item == item }) { tellsDownloaded(download) }
        }
        // Only now: who waits for the end of it finds it written down.
        running = nil
        proceed()
    }

    private func note(_ fault: DownloadFault, at place: Int) {
        switch fault.reason {
        case .away:
            schedule.failed(entries[place].server, at: parts.uptime(), pause: fault.pause)
            (entries[place].state, entries[place].reason) = (.queued, fault.message)
        case .cancelled: entries[place].state = .queued
        case .gone, .refused, .full, .disk, .length, .unplayable, .unsupported:
            (entries[place].state, entries[place].reason) = (.error, fault.message)
        }
    }

    // MARK: Shared by the parts

    /// Returns the identity of an item if it is listed by that and not by the name that is given.
    private func known(_ item: String) async -> String {
        if entries.contains(where: { $0.isNamed(item) }) { return item }
        guard let source = await source(of: item)?.source, let uri = await source.identity(of: item),
            entries.contains(where: { $0.isNamed(uri) })
        else { return item }
        return uri
    }

    func source(of item: String) async -> (source: any DownloadSource, server: String)? {
        for source in parts.sources {
            if let server = await source.server(of: item) { return (source, server) }
        }
        return nil
    }

    /// Notes that a server answered, so that the next pause is a short one.
    func answered(by server: String) { schedule.answered(server) }

    /// Changes an entry, if it is still there, and tells who wants to know.
    @discardableResult
    func change(_ item: String, _ body: (inout Download) -> Void) throws(DownloadFault) -> Download {
        guard let place = entries.firstIndex(where: { $0.item == item && $0.state != .removing }),
            !Task.isCancelled
        else {
            throw DownloadFault(.cancelled, "\(item): cancelled")
        }
        body(&entries[place])
        tellsChange(entries[place])
        return entries[place]
    }

    /// Writes a manifest, or the list if there is none yet; a fault is told with the entry.
    func save(_ download: Download) async {
        let folder = folder
        do throws(DownloadFault) {
            if download.folder != nil {
                try await onDisk { () throws(DownloadFault) in try folder.save(download) }
            } else {
                try await trySaveIndex()
            }
        } catch {
            if let place = entries.firstIndex(where: { $0.item == download.item }), download.state != .downloaded {
                entries[place].reason = entries[place].reason ?? error.message
            }
        }
        tellsChange(download)
    }

    func saveIndex() async { _ = try? await trySaveIndex() }

    func trySaveIndex() async throws(DownloadFault) {
        let (index, entries) = (index, entries)
        try await onDisk { () throws(DownloadFault) in try index.save(entries) }
    }

    /// Runs blocking calls on the thread of the disk.
    func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(DownloadFault) -> Value
    ) async throws(DownloadFault) -> Value {
        let result = await disk.run(within: .seconds(120)) { Result { () throws(DownloadFault) in try body() } }
        guard let result else { throw DownloadFault(.disk, "\(parts.root): the disk does not answer") }
        return try result.get()
    }
}

/// The files of an item on this machine.
public struct LocalCopy: Sendable, Hashable {
    public var uri: String
    public var title: String
    /// Absolute paths, in the order of playing.
    public var paths: [String]

    public init(uri: String, title: String, paths: [String]) {
        self.uri = uri
        self.title = title
        self.paths = paths
    }
}

extension Download {
    /// Returns `true` if it is known by this name: as it was asked for, or its identity.
    public func isNamed(_ name: String) -> Bool { item == name || uri == name }

    /// Makes the state agree with what is on the disk when a session starts.
    mutating func settle(loss: String?) {
        switch state {
        case .downloaded:
            guard let loss = loss ?? (files.allSatisfy(\.isPlayable) ? nil : "a file of it was changed") else { return }
            (state, reason) = (.error, loss)
        case .downloading: state = .queued
        // What was missing is there again.
        case .error where !files.isEmpty && loss == nil && files.allSatisfy(\.isPlayable):
            (state, reason) = (.downloaded, nil)
        case .queued, .error, .removing: break
        }
    }
}

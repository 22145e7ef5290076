// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import Glibc
import Synchronization

/// Reports what changes in a folder and in all folders below it.
///
/// It follows no symbolic link but the path of the folder itself, and leaves out names that begin with a dot. While
/// nothing happens, it uses no thread. A folder that goes away is waited for; what changed meanwhile is one change of all
/// of it.
///
/// Unchecked: only code on `queue` uses the state, which the compiler cannot see.
public final class FolderWatch: @unchecked Sendable {
    public struct Limits: Sendable {
        /// The greatest number of folders that are watched.
        public var folders: Int
        /// The greatest number of levels below the watched folder.
        public var levels = 16
        /// The shortest time between two walks through all folders.
        public var spacing = DispatchTimeInterval.seconds(1)

        public init(folders: Int) { self.folders = folders }

        /// Returns half of what the kernel allows this user, because other programs watch folders, too.
        public static func ofSystem() -> Limits {
            var text = [UInt8](repeating: 0, count: 32)
            let descriptor = Glibc.open("/proc/sys/fs/inotify/max_user_watches", O_RDONLY | O_CLOEXEC)
            let count = descriptor >= 0 ? Glibc.read(descriptor, &text, text.count) : 0
            if descriptor >= 0 { _ = Glibc.close(descriptor) }
            let digits = text.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
            return Limits(folders: max(1, (Int(String(decoding: digits, as: UTF8.self)) ?? 8192) / 2))
        }
    }

    /// A piece of news; its changes are in order.
    public struct Report: Sendable {
        /// The way in which the folder is watched, if that changed.
        public var state: FolderState?
        public var changes: [FolderChange]
    }

    public let path: WatchedPath
    private let limits: Limits
    private let isRelevant: @Sendable ([UInt8]) -> Bool
    private let report: @Sendable (Report) -> Void
    private let queue = DispatchQueue(label: "rostrum.folder-watch", qos: .utility)
    private let isEnding = Atomic(false)

    private var kernel: KernelQueue?
    private var source: (any DispatchSourceRead)?
    private var tree = WatchedTree()
    /// The watches of the folders that lead to the watched one.
    private var above: Set<Int32> = []
    /// The watch of the nearest folder that is there, and the name that is awaited in it.
    private var awaited: (watch: Int32, name: [UInt8])?
    private var mounts: MountTable?
    private var state: FolderState?
    private var opened: DispatchTime?
    private var isOpening = false
    private var isFull = false
    private var fault: Int32 = 0

    /// - Parameters:
    ///   - path: An absolute path.
    ///   - isRelevant: Returns `true` for the names of files whose changes are reported.
    ///   - report: Called in order, on a thread of this value.
    public init(
        _ path: WatchedPath, limits: Limits = .ofSystem(), isRelevant: @escaping @Sendable ([UInt8]) -> Bool,
        report: @escaping @Sendable (Report) -> Void
    ) {
        (self.path, self.limits, self.isRelevant, self.report) = (path, limits, isRelevant, report)
    }

    deinit { source?.cancel() }

    /// Begins to watch; the first report says how.
    public func begin() { queue.async { self.openAgain() } }

    /// Looks whether a file system was mounted or unmounted at, above or below the folder.
    public func checkMounts() {
        queue.async { [self] in
            guard let mounts, !isEnding.load(ordering: .relaxed) else { return }
            if MountTable.read(around: path) != mounts { openAgain() }
        }
    }

    /// Ends all reports; one that is under way may still come.
    public func end() {
        isEnding.store(true, ordering: .relaxed)
        queue.async { self.close() }
    }

    private func close() {
        // The source closes the queue once it is no longer used.
        if let source { source.cancel() } else if let kernel { _ = Glibc.close(kernel.descriptor) }
        (source, kernel, awaited) = (nil, nil, nil)
        tree = WatchedTree()
        above = []
    }

    // MARK: Walks

    /// Watches everything anew, now or as soon as it may.
    private func openAgain() {
        close()
        guard !isOpening else { return }
        isOpening = true
        let earliest = opened.map { $0 + limits.spacing } ?? .now()
        if earliest <= .now() { open() } else { queue.asyncAfter(deadline: earliest) { self.open() } }
    }

    private func open() {
        isOpening = false
        guard !isEnding.load(ordering: .relaxed) else { return }
        close()
        opened = .now()
        (isFull, fault) = (false, 0)
        mounts = MountTable.read(around: path)
        guard let kernel = KernelQueue() else {
            return tell(.unwatched(.system(errno)), [.tree(path)])
        }
        self.kernel = kernel
        var parents: [WatchedPath] = []
        var parent = path
        while parent.count > 1 {
            parent = parent.folder
            parents.append(parent)
        }
        for folder in parents {
            let watch = kernel.add(folder, KernelQueue.moves, followsLink: true)
            if watch >= 0 { above.insert(watch) }
        }
        let root = kernel.add(path, KernelQueue.changes, followsLink: true)
        if root >= 0 {
            tree.addRoot(root, path)
            walk([(path, root)])
        } else if root == -ENOENT || root == -ENOTDIR {
            awaitArrival(kernel)
        } else {
            note(fault: -root)
        }
        if isFull || fault != 0 {
            close()
            return tell(
                .unwatched(isFull ? .tooManyFolders(limit: limits.folders) : .system(fault)), [.tree(path)])
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: kernel.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.readEvents() }
        let descriptor = kernel.descriptor
        source.setCancelHandler { _ = Glibc.close(descriptor) }
        source.activate()
        self.source = source
        tell(current, [.tree(path)])
    }

    private var current: FolderState {
        if awaited != nil { return .absent }
        return mounts?.isShared(path) == true ? .shared(folders: tree.count) : .watched(folders: tree.count)
    }

    /// Watches the nearest folder that is there for the next name on the way.
    private func awaitArrival(_ kernel: KernelQueue) {
        var child = path
        while child.count > 1 {
            let folder = child.folder
            let name = Array(child.suffix(child.count - (folder.count == 1 ? 1 : folder.count + 1)))
            let watch = kernel.add(folder, KernelQueue.arrivals, followsLink: true)
            if watch >= 0 {
                awaited = (watch, name)
                // It may have come before the watch did.
                if Self.isFolder(child, followsLink: true) { queue.async { self.openAgain() } }
                return
            }
            guard watch == -ENOENT || watch == -ENOTDIR else { return note(fault: -watch) }
            child = folder
        }
    }

    private func note(fault number: Int32) {
        if number == ENOSPC || number == ENOMEM { isFull = true } else { fault = number }
    }

    /// Watches all folders below the given ones, which are watched.
    private func walk(_ starts: [(path: WatchedPath, watch: Int32)]) {
        guard let kernel else { return }
        var rest = starts
        while let (folder, watch) = rest.popLast(), !isFull, !isEnding.load(ordering: .relaxed) {
            guard tree.level(of: watch) < limits.levels else { continue }
            for name in Self.folders(in: folder) {
                guard let child = add(name, folder, watch, kernel) else { continue }
                rest.append((folder.child(name), child))
            }
        }
    }

    /// Watches one more folder.
    ///
    /// - Returns: Its watch; `nil` if it is gone, may not be read, or leads back to itself.
    private func add(_ name: [UInt8], _ folder: WatchedPath, _ parent: Int32, _ kernel: KernelQueue) -> Int32? {
        guard tree.count < limits.folders else {
            isFull = true
            return nil
        }
        let path = folder.child(name)
        let watch = kernel.add(path, KernelQueue.changes)
        guard watch >= 0 else {
            if watch == -ENOSPC || watch == -ENOMEM { isFull = true }
            return nil
        }
        if let known = tree.path(of: watch) {
            // A folder that is mounted inside itself.
            if path.isIn(known) && path != known { return nil }
            // It was moved, and the event is still to come; or it is mounted twice.
            for old in tree.remove(watch) where old != watch { kernel.remove(old) }
        }
        for old in tree.remove(name, in: parent) where old != watch { kernel.remove(old) }
        tree.add(watch, name: name, in: parent)
        return watch
    }

    private static func isFolder(_ path: WatchedPath, followsLink: Bool) -> Bool {
        var status = Glibc.stat()
        let result = path.withCString { followsLink ? stat($0, &status) : lstat($0, &status) }
        return result == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the names of the folders in a folder.
    private static func folders(in path: WatchedPath) -> [[UInt8]] {
        guard let listing = path.withCString({ opendir($0) }) else { return [] }
        defer { closedir(listing) }
        var names: [[UInt8]] = []
        while let entry = readdir(listing) {
            let type = Int32(entry.pointee.d_type)
            guard type == Int32(DT_DIR) || type == Int32(DT_UNKNOWN) else { continue }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.first != UInt8(ascii: ".") else { continue }
            if type == Int32(DT_UNKNOWN), !isFolder(path.child(name), followsLink: false) { continue }
            names.append(name)
        }
        return names
    }

    // MARK: Events

    private func readEvents() {
        guard let kernel, source != nil else { return }
        let events = kernel.read()
        var batch = ChangeBatch()
        var isLost = false
        for event in events {
            if event.has(IN_Q_OVERFLOW) || event.has(IN_UNMOUNT) || isEnd(event) {
                isLost = true
                break
            }
            take(event, kernel, &batch)
            if isFull { break }
        }
        if isFull {
            close()
            return tell(.unwatched(.tooManyFolders(limit: limits.folders)), [.tree(path)])
        }
        // What changed before is a part of what the walk reports.
        if isLost { return openAgain() }
        if !batch.changes.isEmpty || state != current { tell(current, batch.changes) }
    }

    /// Returns `true` if the watched folder is not where it was, or is there now.
    private func isEnd(_ event: KernelEvent) -> Bool {
        let isSelf = event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF)
        if let awaited {
            return event.watch == awaited.watch ? isSelf || event.name == awaited.name : isSelf
        }
        if event.has(IN_IGNORED) { return tree.isRoot(event.watch) }
        return isSelf && (above.contains(event.watch) || tree.isRoot(event.watch))
    }

    private func take(_ event: KernelEvent, _ kernel: KernelQueue, _ batch: inout ChangeBatch) {
        if event.has(IN_IGNORED) {
            for old in tree.remove(event.watch) where old != event.watch { kernel.remove(old) }
            return
        }
        guard let folder = tree.path(of: event.watch) else { return }
        guard let first = event.name.first else {
            // Its rights changed; the parent of another folder reports that, too.
            if event.has(IN_ATTRIB), tree.isRoot(event.watch) { batch.add(.tree(folder)) }
            return
        }
        guard first != UInt8(ascii: ".") else { return }
        let path = folder.child(event.name)
        guard event.isFolder else { return takeFile(event, path, in: folder, &batch) }
        batch.add(.tree(path))
        batch.add(.entries(of: folder))
        if event.has(IN_DELETE) || event.has(IN_MOVED_FROM) {
            for old in tree.remove(event.name, in: event.watch) { kernel.remove(old) }
        } else if tree.level(of: event.watch) < limits.levels,
            let child = add(event.name, folder, event.watch, kernel)
        {
            walk([(path, child)])
        }
    }

    private func takeFile(
        _ event: KernelEvent, _ path: WatchedPath, in folder: WatchedPath, _ batch: inout ChangeBatch
    ) {
        guard isRelevant(event.name) else { return }
        if event.has(IN_CREATE) {
            var status = Glibc.stat()
            guard path.withCString({ lstat($0, &status) }) == 0 else { return }
            // A link is complete when it is made.
            if status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 { return batch.add(.opened(path)) }
        }
        if !event.has(IN_ATTRIB) { batch.add(.closed(path)) }
        batch.add(.entries(of: folder))
    }

    private func tell(_ new: FolderState, _ changes: [FolderChange]) {
        let isNew = state != new
        state = new
        guard !isEnding.load(ordering: .relaxed) else { return }
        report(Report(state: isNew ? new : nil, changes: changes))
    }
}

/// The changes of one reading, each folder once.
private struct ChangeBatch {
    private(set) var changes: [FolderChange] = []
    private var known: Set<FolderChange> = []

    mutating func add(_ change: FolderChange) {
        switch change {
        case .entries, .tree: if known.insert(change).inserted { changes.append(change) }
        case .opened, .closed: changes.append(change)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The decision when which part of the watched folders is scanned.
///
/// Time is a parameter, in nanoseconds of any clock that does not go back. A part is due once nothing in it has changed
/// for a while, but no later than a bound, so that a folder that never rests is scanned, too. A file that is being written
/// holds back only itself. Scans take a bounded share of the time.
public struct ScanSchedule: Sendable {
    public struct Rules: Sendable, Hashable {
        /// The time without a change after which a part is due.
        public var quiet: Int64
        /// The time after the first change at which a part is due although it still changes.
        public var longest: Int64
        /// The time after which a file counts as complete although its writer did not close it.
        public var longestOpen: Int64
        /// The time between the scans of a folder whose changes the kernel does not report.
        public var period: Int64
        /// The shortest time between two scans.
        public var gap: Int64
        /// The time between two scans as a multiple of what the first one took.
        public var rest: Int64

        /// - Parameter quiet: The time without a change, from which the others follow.
        public init(quiet: Duration = .seconds(5)) {
            let (seconds, attoseconds) = quiet.components
            let nanoseconds = max(0, seconds).multiplied(by: 1_000_000_000).adding(attoseconds / 1_000_000_000)
            self.quiet = nanoseconds
            longest = max(Int64(24).multiplied(by: nanoseconds), 1_000_000_000)
            longestOpen = 600_000_000_000
            period = 900_000_000_000
            gap = nanoseconds
            rest = 4
        }
    }

    /// The part of a folder that is to be scanned.
    public struct Order: Sendable, Hashable {
        public var root: WatchedPath
        /// The folders whose own files changed.
        public var folders: Set<WatchedPath> = []
        /// The folders in which anything may have changed.
        public var trees: Set<WatchedPath> = []
        /// The folders that still change, and the files that are being written.
        public var unsettledFolders: Set<WatchedPath> = []
        public var unsettledTrees: Set<WatchedPath> = []

        public init(root: WatchedPath) { self.root = root }
    }

    fileprivate struct Span {
        var first: Int64
        var last: Int64
        var isTree: Bool
    }

    fileprivate struct Root {
        var changed: [WatchedPath: Span] = [:]
        /// The files that are being written, with the time at which that was first seen.
        var open: [WatchedPath: Int64] = [:]
        /// The time of the next periodic scan.
        var nextPeriod: Int64?
    }

    /// The number of changed paths of one root above which all of it counts as changed.
    static let most = 2048

    public var rules: Rules
    private var roots: [WatchedPath: Root] = [:]
    private var began: Int64?
    private var notBefore = Int64.min

    public init(rules: Rules = Rules()) { self.rules = rules }

    /// Adds a root, all of which is to be scanned.
    public mutating func add(_ root: WatchedPath, at now: Int64) {
        if roots[root] == nil { roots[root] = Root() }
        note(.tree(root), in: root, at: now)
    }

    public mutating func remove(_ root: WatchedPath) { roots[root] = nil }

    /// Sets whether a root is scanned now and then.
    public mutating func setPeriodic(_ isPeriodic: Bool, _ root: WatchedPath, at now: Int64) {
        guard isPeriodic else {
            roots[root]?.nextPeriod = nil
            return
        }
        if let there = roots[root], there.nextPeriod == nil { roots[root]?.nextPeriod = now.adding(rules.period) }
    }

    /// Takes a change; one of a root that is not there means nothing.
    public mutating func note(_ change: FolderChange, in path: WatchedPath, at now: Int64) {
        guard var root = roots[path] else { return }
        // Removed meanwhile, so that the value is not copied for each of ten thousand changes.
        roots[path] = nil
        switch change {
        case .opened(let file):
            if root.open.count < Self.most, root.open[file] == nil { root.open[file] = now }
        case .closed(let file):
            root.open[file] = nil
        case .entries(let folder):
            root.add(folder, isTree: false, now)
        case .tree(let folder):
            // What is written into a folder that was moved is reported by its new name.
            root.open = root.open.filter { !$0.key.isIn(folder) }
            root.add(folder, isTree: true, now)
        }
        if root.changed.count > Self.most { root.merge(into: path) }
        roots[path] = root
    }

    /// The time of the next scan; `nil` if there is nothing to scan, or a scan runs.
    public var next: Int64? {
        guard began == nil else { return nil }
        let times = roots.values.compactMap { $0.next(rules) }
        return times.min().map { max($0, notBefore) }
    }

    /// `true` if something changed that is still to be scanned.
    public var hasChanges: Bool { roots.values.contains { !$0.changed.isEmpty || !$0.open.isEmpty } }

    /// Returns what is to be scanned now, and takes it as begun; call ``end(at:)`` afterwards if it is not empty.
    public mutating func begin(at now: Int64) -> [Order] {
        guard let next, next <= now else { return [] }
        var orders: [Order] = []
        for (path, var root) in roots {
            if let order = root.take(path, rules, now) { orders.append(order) }
            roots[path] = root
        }
        if !orders.isEmpty { began = now }
        return orders.sorted { $0.root.lexicographicallyPrecedes($1.root) }
    }

    /// Ends a scan.
    ///
    /// - Parameters:
    ///   - unfinished: The orders that were not carried out, and are due again.
    ///   - pause: The shortest time to the next scan, after a failure.
    public mutating func end(at now: Int64, unfinished: [Order] = [], pause: Int64 = 0) {
        guard let start = began else { return }
        began = nil
        notBefore = now.adding(max(pause, rules.gap, rules.rest.multiplied(by: max(0, now &- start))))
        for order in unfinished {
            guard roots[order.root] != nil else { continue }
            for folder in order.folders { roots[order.root]?.add(folder, isTree: false, start) }
            for folder in order.trees { roots[order.root]?.add(folder, isTree: true, start) }
        }
    }
}

extension ScanSchedule.Root {
    mutating func add(_ folder: WatchedPath, isTree: Bool, _ now: Int64) {
        if var span = changed[folder] {
            span.first = min(span.first, now)
            span.last = max(span.last, now)
            span.isTree = span.isTree || isTree
            changed[folder] = span
        } else {
            changed[folder] = .init(first: now, last: now, isTree: isTree)
        }
    }

    /// Takes all changes for one of the whole folder.
    mutating func merge(into path: WatchedPath) {
        let first = changed.values.map(\.first).min() ?? 0
        let last = changed.values.map(\.last).max() ?? 0
        changed = [path: .init(first: first, last: last, isTree: true)]
    }

    func next(_ rules: ScanSchedule.Rules) -> Int64? {
        let times = changed.values.map { $0.due(rules) } + open.values.map { $0.adding(rules.longestOpen) }
        return (times + [nextPeriod].compactMap(\.self)).min()
    }

    /// Removes and returns what is due.
    mutating func take(_ path: WatchedPath, _ rules: ScanSchedule.Rules, _ now: Int64) -> ScanSchedule.Order? {
        var order = ScanSchedule.Order(root: path)
        for (file, since) in open where since.adding(rules.longestOpen) <= now {
            open[file] = nil
            order.folders.insert(file.folder)
        }
        for (folder, span) in changed {
            if span.due(rules) <= now {
                changed[folder] = nil
                if span.isTree { order.trees.insert(folder) } else { order.folders.insert(folder) }
            } else if span.isTree {
                order.unsettledTrees.insert(folder)
            } else {
                order.unsettledFolders.insert(folder)
            }
        }
        if let time = nextPeriod, time <= now {
            order.trees.insert(path)
            nextPeriod = now.adding(rules.period)
        }
        order.unsettledTrees.formUnion(open.keys)
        return order.folders.isEmpty && order.trees.isEmpty ? nil : order
    }
}

extension ScanSchedule.Span {
    func due(_ rules: ScanSchedule.Rules) -> Int64 {
        min(last.adding(rules.quiet), first.adding(rules.longest))
    }
}

extension Int64 {
    /// Returns the sum, or the greatest number if it is greater.
    fileprivate func adding(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the product of numbers that are not negative, or the greatest number if it is greater.
    fileprivate func multiplied(by other: Int64) -> Int64 {
        let (product, isOver) = multipliedReportingOverflow(by: other)
        return isOver ? .max : product
    }
}

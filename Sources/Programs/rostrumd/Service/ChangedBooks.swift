// SPDX-License-Identifier: Apache-2.0

import FolderWatch
import Glibc
import ItemResolver
import MediaPlayback
import SessionProtocol
import Synchronization

/// The books that an import of watched folders took up.
final class ChangedBooks: Sendable {
    private struct State {
        var titles: [String] = []
        var outcomes: [ImportOutcome: Int] = [:]
        var problems: [String] = []
    }

    private static let most = 100
    // A lock, because an import reports from whichever thread it runs on.
    private let state = Mutex(State())

    var problems: [String] { state.withLock { $0.problems } }

    func take(_ report: ImportReport) {
        state.withLock { state in
            switch report {
            case .book(_, _, .unchanged), .scanning, .progress: break
            case .book(_, let title, let outcome):
                state.outcomes[outcome, default: 0] += 1
                if state.titles.count < Self.most { state.titles.append(title) }
            case .problem(let line): if state.problems.count < Self.most { state.problems.append(line) }
            }
        }
    }

    /// Returns what was taken up in one line; `nil` if nothing was.
    func line(titles most: Int) -> String? {
        let (titles, outcomes) = state.withLock { ($0.titles, $0.outcomes) }
        let words: [(ImportOutcome, String)] = [
            (.added, "added"), (.moved, "moved"), (.updated, "updated"), (.missing, "not there"),
        ]
        let counts = words.compactMap { outcome, word in outcomes[outcome].map { "\($0) \(word)" } }
        guard !counts.isEmpty else { return nil }
        let total = outcomes.values.reduce(0, +)
        let named = titles.prefix(most).map { "“\($0)”" }.joined(separator: ", ")
        let rest = total - min(most, titles.count)
        return "watched folders: \(counts.joined(separator: ", ")): \(named)" + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension ChangedPart {
    init(_ order: ScanSchedule.Order) {
        func uris(_ paths: Set<WatchedPath>) -> Set<String> { Set(paths.map { BookScanner.uri(ofPath: $0) }) }
        self.init(
            root: BookScanner.uri(ofPath: order.root), folders: uris(order.folders), trees: uris(order.trees),
            unsettledFolders: uris(order.unsettledFolders), unsettledTrees: uris(order.unsettledTrees))
    }
}

extension FolderWatchFault {
    /// The fault in words, with what to do.
    var line: String {
        switch self {
        case .tooManyFolders(let limit):
            "it has more than \(limit) folders, or other programs watch too many; raise fs.inotify.max_user_watches"
        case .system(let number): "the kernel does not report its changes: \(String(cString: strerror(number)))"
        }
    }
}

extension LibraryWatches.Folder {
    init(_ path: String, _ state: FolderState?) {
        switch state {
        case nil: self.init(path: path, state: "starting", folders: 0)
        case .absent: self.init(path: path, state: "absent", folders: 0)
        case .watched(let count): self.init(path: path, state: "watched", folders: count)
        case .shared(let count):
            self.init(
                path: path, state: "shared", folders: count,
                reason: "other machines may change it, which the kernel does not report")
        case .unwatched(let fault): self.init(path: path, state: "scanned", folders: 0, reason: fault.line)
        }
    }
}

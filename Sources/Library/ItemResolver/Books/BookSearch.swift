// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback

/// Searches for a book that is no longer where it was.
///
/// All calls block.
struct BookSearch {
    let book: Book
    let extensions: Set<String>
    let isCancelled: () -> Bool
    private static let depth = 16

    /// Returns the places where the book may be now, the likeliest first.
    func look(in sources: [BookSource]) -> [BookPlan] {
        let wanted = Dictionary(
            book.tracks.enumerated().compactMap { number, track in track.fingerprint.map { ($0, number) } },
            uniquingKeysWith: { first, _ in first })
        let sizes = Set(book.tracks.map(\.file.size))
        var plans: [BookPlan] = []
        var seen: Set<String> = []
        var hits: [Int: BookFile] = [:]
        var visited: Set<FileProbe.FileIdentity> = []
        for root in roots(of: sources) {
            visit(root, level: 0, &visited) { file, path in
                guard sizes.contains(file.size), let fingerprint = FileFingerprint.of(path),
                    let number = wanted[fingerprint]
                else { return true }
                hits[number] = hits[number] ?? file
                switch book.shape {
                case .file:
                    if let plan = try? BookWalk.file(path) { plans.append(plan) }
                case .folder:
                    guard let folder = folder(of: path, number), seen.insert(folder).inserted,
                        case .folder(let identity)? = try? FileProbe.look(at: Array(folder.utf8)),
                        let plan = try? BookWalk.folder(Array(folder.utf8), identity, extensions)
                    else { return true }
                    plans.append(plan)
                case .list: break
                }
                return book.shape == .list || plans.isEmpty
            }
            if !plans.isEmpty { return plans }
        }
        if book.shape == .list, !hits.isEmpty {
            let files = hits.sorted { $0.key < $1.key }.map(\.value)
            plans = [
                BookPlan(
                    uri: ResolvedItem.queueURI(of: files.map(\.uri)), shape: .list, title: book.title,
                    cover: book.cover, files: files)
            ]
        }
        return plans
    }

    /// Returns the folders to search: those that were added, or the nearest parent if one is gone or is a file.
    private func roots(of sources: [BookSource]) -> [PathBytes] {
        var roots: [PathBytes] = []
        for item in sources.flatMap(\.items) + [book.uri] {
            guard var path = try? BookScanner.path(item) else { continue }
            // Not further up, as that would be the user's whole home.
            for _ in 0..<3 where path.count > 1 {
                if case .folder? = try? FileProbe.look(at: path) { break }
                path = Array(FileName.folder(of: String(decoding: path, as: UTF8.self)).utf8)
            }
            if path.count > 1, !roots.contains(path), case .folder? = try? FileProbe.look(at: path) {
                roots.append(path)
            }
        }
        return roots
    }

    /// Returns the folder of the book if the file is still at its place in it, or else the folder of the file.
    private func folder(of path: PathBytes, _ number: Int) -> String? {
        guard let path = String(validating: path, as: UTF8.self) else { return nil }
        let old = book.tracks[number].file.uri
        if old.hasPrefix(book.uri + "/"), let tail = PercentEncoding.decode(old.dropFirst(book.uri.count)) {
            if path.hasSuffix(tail) { return String(path.dropLast(tail.count)) }
            // The file was renamed within its disc folder.
            let levels = tail.split(separator: "/").count
            return (0..<levels).reduce(path) { folder, _ in FileName.folder(of: folder) }
        }
        return FileName.folder(of: path)
    }

    /// Calls `body` for each file below a folder.
    ///
    /// - Returns: `false` if the visit was ended early.
    @discardableResult
    private func visit(
        _ folder: PathBytes, level: Int, _ visited: inout Set<FileProbe.FileIdentity>,
        _ body: (BookFile, PathBytes) -> Bool
    ) -> Bool {
        guard level < Self.depth, !isCancelled(), let names = try? FolderWalk.names(in: folder) else {
            return !isCancelled()
        }
        for name in names {
            let child = FileProbe.path(of: name, in: folder)
            guard let found = try? FileProbe.look(at: child) else { continue }
            switch found {
            case .folder(let identity):
                guard visited.insert(identity).inserted else { continue }
                if !visit(child, level: level + 1, &visited, body) { return false }
            case .file:
                guard let file = BookWalk.file(at: child) else { continue }
                if !body(file, child) { return false }
            case .other: break
            }
        }
        return true
    }
}

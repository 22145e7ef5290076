// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import Glibc
public import MediaPlayback
import Synchronization

/// Finds books in the file system.
public struct BookScanner: BookScanning {
    /// The time limit of a scan, enough for a hundred thousand books on a slow disk.
    private static let longest = Duration.seconds(3600)
    /// The time limit of a search, for which the user waits.
    private static let searchTime = Duration.seconds(5)
    /// The time limit of a look into one folder, for which the user waits.
    static let textTime = Duration.seconds(2)
    /// The time limit of a look at a folder that is to be watched, for which the user waits.
    static let folderTime = Duration.seconds(5)
    private let deadline: Duration

    public init(deadline: Duration = .seconds(5)) { self.deadline = deadline }

    public func scan(
        _ source: BookSource, extensions: Set<String>, found: @escaping @Sendable (Int) -> Void
    ) async throws(ItemError) -> BookScan {
        let outcome = await run(within: Self.longest) { isCancelled -> Result<BookScan, ItemError> in
            Result { () throws(ItemError) in
                if source.items.count > 1 { return BookScan(plans: [try Self.list(source.items)], notes: []) }
                var walk = BookWalk(extensions: extensions, isCancelled: isCancelled, found: found)
                for item in source.items {
                    let path = try Self.path(item)
                    if case .folder(let identity) = try FileProbe.look(at: path) {
                        try walk.walk(path, identity)
                    } else {
                        walk.add(try BookWalk.file(path))
                    }
                }
                return BookScan(plans: walk.plans, notes: walk.notes)
            }
        }
        return try (outcome ?? .failure(timedOut)).get()
    }

    public func plan(of book: Book, extensions: Set<String>) async throws(ItemError) -> BookPlan {
        let outcome = await run(within: deadline) { _ in
            Result { () throws(ItemError) in
                switch book.shape {
                case .file: return try BookWalk.file(try Self.path(book.uri))
                case .folder:
                    let path = try Self.path(book.uri)
                    guard case .folder(let identity) = try FileProbe.look(at: path) else {
                        throw ItemError(.missing, "\(book.uri): it is no longer a folder")
                    }
                    return try BookWalk.folder(path, identity, extensions)
                case .list:
                    let files = book.tracks.compactMap {
                        Self.bytes(ofFileURI: $0.file.uri).flatMap(BookWalk.file(at:))
                    }
                    guard !files.isEmpty else { throw ItemError(.missing, "\(book.title): none of its files exists") }
                    return BookPlan(uri: book.uri, shape: .list, title: book.title, cover: book.cover, files: files)
                }
            }
        }
        return try (outcome ?? .failure(timedOut)).get()
    }

    public func files(_ uris: [String]) async -> [BookFile?] {
        await run(within: deadline) { _ in
            uris.map { Self.bytes(ofFileURI: $0).flatMap(BookWalk.file(at:)) }
        } ?? uris.map { _ in nil }
    }

    public func fingerprints(of files: [BookFile]) async -> [Fingerprint?] {
        await run(within: Self.longest) { isCancelled in
            files.map { file in
                isCancelled() ? nil : Self.bytes(ofFileURI: file.uri).flatMap(FileFingerprint.of)
            }
        } ?? files.map { _ in nil }
    }

    public func search(_ sources: [BookSource], for book: Book, extensions: Set<String>) async -> [BookPlan] {
        await run(within: Self.searchTime) { isCancelled in
            BookSearch(book: book, extensions: extensions, isCancelled: isCancelled).look(in: sources)
        } ?? []
    }

    public func uri(of item: String) -> String? {
        // Only the file system knows what `..` means, and it is not asked here.
        guard !item.split(separator: "/").contains("..") else { return nil }
        return (try? Self.path(item)).map(ItemReader.fileURI)
    }

    // MARK: Paths

    /// Returns the bytes of a path or file URI, with `..` resolved and with symbolic links kept.
    static func path(_ item: String) throws(ItemError) -> PathBytes {
        let isURI = item.lowercased().hasPrefix("file:")
        guard let path = isURI ? ItemReader.path(ofFileURI: item) : item, path.hasPrefix("/"), !path.utf8.contains(0)
        else { throw ItemError(.missing, "\(item): not a file or folder of this machine; give a path") }
        return Array(try ItemReader.withoutParents(FileName.normalized(path)).utf8)
    }

    /// Decodes a file URI byte for byte, because a file name need not be UTF-8.
    static func bytes(ofFileURI uri: String) -> PathBytes? {
        guard uri.hasPrefix("file:///") else { return nil }
        return PercentEncoding.decodeBytes(uri.dropFirst("file://".count))
    }

    /// Returns one book of files in the order in which they were given.
    private static func list(_ items: [String]) throws(ItemError) -> BookPlan {
        var files: [BookFile] = []
        for item in items {
            let path = try path(item)
            if case .folder = try FileProbe.look(at: path) {
                throw ItemError(.notAFile, "\(item): a folder cannot be a part of a book; name its files")
            }
            guard let file = BookWalk.file(at: path) else { throw FileProbe.failure(ENOENT, path) }
            files.append(file)
        }
        let first = String(decoding: try path(items[0]), as: UTF8.self)
        let folder = FileName.folder(of: first)
        return BookPlan(
            uri: ResolvedItem.queueURI(of: files.map(\.uri)), shape: .list, title: FileName.title(ofFolder: folder),
            cover: Cover.beside(nil, in: Array(folder.utf8)), files: files)
    }

    // MARK: The thread

    var timedOut: ItemError {
        ItemError(.timedOut, "the file system did not answer in time; check whether a mount hangs")
    }

    /// Runs `work` on a queue of its own, so that a mount that hangs does not delay the next book.
    func run<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Value
    ) async -> Value? {
        let flag = StopFlag()
        return await withTaskCancellationHandler {
            let value = await BlockingQueue(label: "rostrum.books").run(within: limit) { work { flag.isSet } }
            // The time is over and nobody waits for the result, so the work is asked to stop.
            if value == nil { flag.set() }
            return value
        } onCancel: {
            flag.set()
        }
    }

    private final class StopFlag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Clocks
import ControlSocket
import Glibc
import ItemResolver
import MediaPlayback
import PairedWorks
import PlaybackCore
import SessionProtocol
import Synchronization

/// The books of the library and the imports, of which one runs at a time, for the client that requested it.
actor LibraryAdministration {
    private let books: any BookStore
    private let covers: any CoverStore
    private let scanner: any BookScanning
    private let controller: MediaPlaybackController
    let works: PairedWorks
    let alignments: AlignmentFolder
    let watches: LibraryWatch
    private typealias Import = Task<Result<ImportSummary, PlaybackError>, Never>
    /// The import that runs; one for no client takes up changes of watched folders, and gives way to any other.
    private var running: (number: Int, client: ClientID?, task: Import)?
    private var lastNumber = 0
    private var isEnding = false

    init(
        books: any BookStore, covers: any CoverStore, scanner: any BookScanning, controller: MediaPlaybackController,
        works: PairedWorks, alignments: AlignmentFolder, watches: LibraryWatch
    ) {
        self.watches = watches
        self.works = works
        self.alignments = alignments
        self.books = books
        self.covers = covers
        self.scanner = scanner
        self.controller = controller
    }

    func perform(
        _ action: LibraryAction, client: ClientID, send: (@Sendable (SessionNotification) -> Void)?
    ) async throws(PlaybackError) -> SessionReply {
        switch action.verb {
        case .list:
            return .books(
                try await page(
                    of: try await read { () throws(PlaceStoreError) in
                        try await books.books(after: action.after, offset: action.offset, limit: action.limit)
                    }))
        case .show:
            guard let book = try await read({ () throws(PlaceStoreError) in try await books.book(id: action.id) }),
                let summary = try await summary(book.uri)
            else { throw noSuchBook(action.id) }
            let text = try await read { () throws(PlaceStoreError) in try await works.text(of: book) }
            return .book(LibraryBookDetail(book, summary, text: text))
        case .next:
            let next = try await next(after: action.id)
            return .books(try await page(of: next.map { [$0] } ?? []))
        case .remove:
            guard try await read({ () throws(PlaceStoreError) in try await books.remove(action.id) }) else {
                throw noSuchBook(action.id)
            }
            works.noteBooks()
            return .message("removed \(action.id); its place is kept")
        case .add:
            let sources =
                action.asOne
                ? [BookSource(items: action.items)] : action.items.map { BookSource(items: [$0]) }
            return .imported(
                try await run(client, send) { work throws(PlaybackError) in try await work.add(sources) })
        case .rescan:
            return .imported(try await run(client, send) { work throws(PlaybackError) in try await work.rescan() })
        case .watch:
            await beginWatching()
            try await watches.add(action.items)
            let sources = action.items.map { BookSource(items: [$0]) }
            return .imported(
                try await run(client, send) { work throws(PlaybackError) in try await work.add(sources) })
        case .unwatch:
            await beginWatching()
            try await watches.remove(action.items)
            return .message("no longer watched: \(action.items.joined(separator: ", ")); the books stay")
        case .watched:
            await beginWatching()
            return .watches(try await watches.list())
        case .pair:
            let book = try await book(action.id)
            let (work, former) = try await works.pair(book, with: action.items[0], takes: action.force)
            var shown = try await describe(work, book)
            shown.takenFrom = former.map { .init(id: $0.id, title: $0.title) }
            return .work(shown)
        case .unpair:
            let book = try await book(action.id)
            try await works.part(book)
            return .message("“\(book.title)” has no text now; `rostrum library pair` gives it one")
        case .work:
            let (book, work) = try await aligned(action.id)
            return .work(try await describe(work, book, listsUnmatched: true))
        case .stopAlignment:
            return .message(try await stopAlignment(action.id))
        }
    }

    private func page(of books: [BookSummary]) async throws(PlaybackError) -> LibraryPage {
        let texts = try await read { () throws(PlaceStoreError) in try await works.knownTexts(of: books) }
        return LibraryPage(books: books.map { LibraryBook($0, text: texts[$0.uri]) })
    }

    /// Returns the book of the same folder that follows a book in natural order.
    ///
    /// - Parameter id: The ID or the URI of a book.
    private func next(after id: String) async throws(PlaybackError) -> BookSummary? {
        let book = try await book(id)
        let others = try await read { () throws(PlaceStoreError) in try await books.books(beside: book.uri) }
        guard let uri = FolderOrder.next(after: book.uri, among: others) else { return nil }
        return try await summary(uri)
    }

    /// - Parameter id: The ID or the URI of a book.
    func book(_ id: String) async throws(PlaybackError) -> Book {
        let known = try await read { () throws(PlaceStoreError) -> Book? in
            if let book = try await books.book(id: id) { return book }
            // A player that was open when its book was moved names the former URI.
            let uri = scanner.uri(of: id) ?? id
            if case .book(let book) = try await books.whereabouts(of: uri) { return book }
            // A text is named for its recording.
            guard let other = await works.counterpart(of: uri, kind: .text) else { return nil }
            return try await books.book(uri: other.uri)
        }
        guard let known else { throw noSuchBook(id) }
        return known
    }

    private func summary(_ uri: String) async throws(PlaybackError) -> BookSummary? {
        try await read { () throws(PlaceStoreError) in try await books.summary(uri: uri) }
    }

    /// Returns the path of the picture of an item; `nil` if the library has none, or cannot be read.
    func cover(of uri: String) async -> String? {
        do throws(PlaceStoreError) {
            return try await books.book(uri: uri)?.cover
        } catch {
            return nil
        }
    }

    /// Ends the import after the current book if the client that requested it is gone.
    func disconnected(_ client: ClientID) {
        if running?.client == client { running?.task.cancel() }
    }

    /// Begins to watch folders, and takes up what changed while no session did.
    func beginWatching() async {
        let extensions = KnownExtensions(of: await controller.installedEngines())
        await watches.begin(extensions: extensions.audio) { [weak self] parts, refused, report in
            await self?.takeUp(parts, refused, report) ?? .success(.interrupted)
        }
    }

    /// Takes up changes of watched folders, once no other import runs.
    private func takeUp(
        _ parts: [ChangedPart], _ refused: RefusedBooks, _ report: @escaping @Sendable (ImportReport) -> Void
    ) async -> Result<ImportSummary, PlaybackError> {
        do throws(PlaybackError) {
            return .success(
                try await start(nil, report) { work throws(PlaybackError) in
                    try await work.takeUp(parts, refused: refused)
                })
        } catch {
            return .failure(error)
        }
    }

    /// Ends the import after the current book, and returns then.
    func end() async {
        isEnding = true
        await watches.end()
        running?.task.cancel()
        _ = await running?.task.value
    }

    private func noSuchBook(_ id: String) -> PlaybackError {
        PlaybackError(.noInput, message: "no such book: \(id); see `rostrum library`")
    }

    func read<Value>(_ body: () async throws(PlaceStoreError) -> Value) async throws(PlaybackError) -> Value {
        do throws(PlaceStoreError) {
            return try await body()
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
    }

    private func run(
        _ client: ClientID, _ send: (@Sendable (SessionNotification) -> Void)?,
        _ body: @escaping @Sendable (BookImport) async throws(PlaybackError) -> ImportSummary
    ) async throws(PlaybackError) -> LibraryImportSummary {
        let reports = ImportReports(send)
        return LibraryImportSummary(try await start(client, { reports.send($0) }, body))
    }

    /// Runs an import, for which one for no client ends; for no client, it waits for the others.
    private func start(
        _ client: ClientID?, _ report: @escaping @Sendable (ImportReport) -> Void,
        _ body: @escaping @Sendable (BookImport) async throws(PlaybackError) -> ImportSummary
    ) async throws(PlaybackError) -> ImportSummary {
        let extensions = KnownExtensions(of: await controller.installedEngines())
        while let other = running {
            if client != nil {
                guard other.client == nil else {
                    throw PlaybackError(.busy, message: "an import is running; wait until it has ended, or stop it")
                }
                other.task.cancel()
            }
            _ = await other.task.value
            if running?.number == other.number { running = nil }
        }
        if isEnding { return .interrupted }
        let controller = controller
        let work = BookImport(
            books: books, covers: covers, scanner: scanner, extensions: extensions,
            now: { WallClock.milliseconds() },
            inspect: { item, wantsPicture throws(PlaybackError) in
                try await controller.inspect(item, wantsPicture: wantsPicture)
            }, picture: { item throws(PlaybackError) in try await controller.picture(in: item) },
            report: report)
        // Imports have a lower priority than playback.
        let task = Task(priority: .utility) { () -> Result<ImportSummary, PlaybackError> in
            do throws(PlaybackError) {
                return .success(try await body(work))
            } catch {
                return .failure(error)
            }
        }
        lastNumber += 1
        let number = lastNumber
        running = (number, client, task)
        defer {
            if running?.number == number { running = nil }
            works.noteBooks()
        }
        return try await task.value.get()
    }
}

extension ImportSummary {
    /// The summary of an import that did not begin, because the session ends.
    fileprivate static var interrupted: ImportSummary {
        var summary = ImportSummary()
        summary.isCancelled = true
        return summary
    }
}

/// The reports of an import to its client; progress is sent no more often than the user can notice.
private final class ImportReports: Sendable {
    private static let interval: Int64 = 100_000_000
    private let notify: (@Sendable (SessionNotification) -> Void)?
    // It is atomic because reports come from whichever thread runs the import.
    private let last = Atomic<Int64>(0)

    init(_ notify: (@Sendable (SessionNotification) -> Void)?) { self.notify = notify }

    func send(_ report: ImportReport) {
        switch report {
        case .scanning(let found): notify?(.library(LibraryProgress(found: found)))
        case .progress(let done, let total, let title):
            let now = MonotonicTime.now()
            guard done == total || now - last.load(ordering: .relaxed) >= Self.interval else { return }
            last.store(now, ordering: .relaxed)
            notify?(.library(LibraryProgress(step: .init(done: done, total: total, title: title))))
        case .book(_, _, .unchanged): break
        case .book(let id, let title, let outcome):
            notify?(.library(LibraryProgress(book: .init(id: id, title: title, outcome: outcome.rawValue))))
        case .problem(let line): notify?(.library(LibraryProgress(problem: line)))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline
public import PlaybackCore

/// A progress report of an import.
public enum ImportReport: Sendable, Hashable {
    /// The number of books found so far.
    case scanning(found: Int)
    /// The import has done `done` of `total` books; `title` is the next one.
    case progress(done: Int, total: Int, title: String)
    case book(id: String, title: String, outcome: ImportOutcome)
    /// One line about a book or file that was left out.
    case problem(String)
}

public enum ImportOutcome: String, Sendable, Hashable {
    case added, moved, updated, unchanged, missing
}

/// The result of an import.
public struct ImportSummary: Sendable, Hashable {
    public var outcomes: [ImportOutcome: Int] = [:]
    /// The number of books that were left out.
    public var failed = 0
    public var isCancelled = false

    public init() {}
}

/// Fills the library: looks for books, has each new or changed one inspected, and keeps it.
///
/// Each book is one transaction, and an unchanged book costs only a look at its files. So an import that is started
/// again after its session was killed continues where it was. If its task is cancelled, it ends after the current book.
public struct BookImport: Sendable {
    /// Opens an item, and looks for a picture in its files if that is wanted.
    public typealias Inspect =
        @Sendable (_ item: ItemRequest, _ wantsPicture: Bool) async throws(PlaybackError) -> BookInspection
    /// Looks only for a picture in the files of an item.
    public typealias FindPicture = @Sendable (ItemRequest) async throws(PlaybackError) -> EmbeddedPicture
    private static let reportedEvery = 50

    let books: any BookStore
    let covers: (any CoverStore)?
    let scanner: any BookScanning
    private let inspect: Inspect
    let picture: FindPicture
    let extensions: KnownExtensions
    private let now: @Sendable () -> Int64
    let report: @Sendable (ImportReport) -> Void

    /// - Parameters:
    ///   - covers: keeps embedded pictures; `nil` to not look for them.
    ///   - inspect: opens an item in an engine process of its own; so does `picture`.
    ///   - now: returns the milliseconds since 1970.
    public init(
        books: any BookStore, covers: (any CoverStore)?, scanner: any BookScanning, extensions: KnownExtensions,
        now: @escaping @Sendable () -> Int64, inspect: @escaping Inspect, picture: @escaping FindPicture,
        report: @escaping @Sendable (ImportReport) -> Void
    ) {
        self.books = books
        self.covers = covers
        self.scanner = scanner
        self.extensions = extensions
        self.now = now
        self.inspect = inspect
        self.picture = picture
        self.report = report
    }

    /// Adds the given sources, and remembers them for rescans.
    public func add(_ sources: [BookSource]) async throws(PlaybackError) -> ImportSummary {
        var scans: [BookScan] = []
        for source in sources {
            do throws(ItemError) {
                scans.append(
                    try await scanner.scan(source, extensions: extensions.audio) { [report] found in
                        if found % Self.reportedEvery == 0 { report(.scanning(found: found)) }
                    })
            } catch {
                throw PlaybackError(error)
            }
            try await store { () throws(PlaceStoreError) in try await books.addSource(source) }
        }
        var summary = ImportSummary()
        try await take(scans, &summary)
        return summary
    }

    /// Scans all added sources again, and then checks every book that was not met in them.
    public func rescan() async throws(PlaybackError) -> ImportSummary {
        var summary = ImportSummary()
        var scans: [BookScan] = []
        for source in try await store({ () throws(PlaceStoreError) in try await books.sources() }) {
            do throws(ItemError) {
                scans.append(try await scanner.scan(source, extensions: extensions.audio) { _ in })
            } catch {
                report(.problem(error.message))
            }
        }
        let met = try await take(scans, &summary)
        var last: String?
        while !Task.isCancelled {
            let page = try await store { () throws(PlaceStoreError) in
                try await books.books(after: last, offset: 0, limit: 200)
            }
            guard let end = page.last else { break }
            for summaryLine in page where !met.contains(summaryLine.uri) && !Task.isCancelled {
                try await revisit(summaryLine.id, &summary)
            }
            last = end.id
        }
        summary.isCancelled = Task.isCancelled
        return summary
    }

    /// - Returns: the URIs of everything that was checked.
    @discardableResult
    private func take(_ scans: [BookScan], _ summary: inout ImportSummary) async throws(PlaybackError) -> Set<String> {
        let total = scans.reduce(0) { $0 + $1.plans.count }
        var met: Set<String> = []
        for scan in scans {
            for note in scan.notes { report(.problem(note)) }
            for plan in scan.plans where met.insert(plan.uri).inserted {
                if Task.isCancelled {
                    summary.isCancelled = true
                    return met
                }
                report(.progress(done: met.count - 1, total: total, title: plan.title))
                try await take(plan, &summary)
            }
        }
        report(.progress(done: total, total: total, title: ""))
        return met
    }

    func take(_ plan: BookPlan, _ summary: inout ImportSummary) async throws(PlaybackError) {
        if let book = try await store({ () throws(PlaceStoreError) in try await books.book(uri: plan.uri) }) {
            let there = book.tracks.filter { !$0.isMissing }
            if there.map(\.file) == plan.files, !there.contains(where: \.needsInspection),
                plan.cover == nil || plan.cover == book.cover
            {
                let isNew = try await lookForPicture(of: book, beside: plan.cover)
                note(book.id, book.title, isNew ? .updated : .unchanged, &summary)
                return
            }
            return try await follow(book, plan, .updated, &summary)
        }
        let prints = await scanner.fingerprints(of: plan.files)
        if Task.isCancelled { return }
        if let print = prints.compactMap(\.self).first {
            let candidates = try await store { () throws(PlaceStoreError) in try await books.books(with: print) }
            for book in candidates {
                let files = await scanner.files(book.tracks.filter { !$0.isMissing }.map(\.file.uri))
                // If a book is still where it was, the file found is a copy.
                guard files.allSatisfy({ $0 == nil }) else { continue }
                let same = BookReconciliation(
                    book, uri: plan.uri, shape: plan.shape, cover: plan.cover, files: plan.files, fingerprints: prints)
                if same.isSame(as: book) { return try await follow(book, plan, .moved, &summary) }
            }
        }
        let tracks = zip(plan.files, prints).map { BookTrack(file: $0, fingerprint: $1) }
        try await keep(
            Book(
                uri: plan.uri, shape: plan.shape, title: plan.title, cover: plan.cover, tracks: tracks, addedAt: now()),
            beside: plan.cover, .added, &summary)
    }

    /// Moves the book to its new location; new files in it are inspected.
    private func follow(
        _ book: Book, _ plan: BookPlan, _ outcome: ImportOutcome, _ summary: inout ImportSummary
    ) async throws(PlaybackError) {
        let reconciliation = await BookReconciliation.of(book, plan, scanner)
        if !reconciliation.isNothing(for: book) {
            try await store { () throws(PlaceStoreError) in try await books.move(book.id, to: reconciliation) }
        }
        guard reconciliation.needsInspection,
            let moved = try await store({ () throws(PlaceStoreError) in try await books.book(id: book.id) })
        else { return note(book.id, book.title, outcome, &summary) }
        try await keep(moved, beside: plan.cover, outcome, &summary)
    }

    /// Checks a book that was not met where it was.
    func revisit(_ id: String, _ summary: inout ImportSummary) async throws(PlaybackError) {
        guard let book = try await store({ () throws(PlaceStoreError) in try await books.book(id: id) }) else { return }
        let plan: BookPlan
        do throws(ItemError) {
            plan = try await scanner.plan(of: book, extensions: extensions.audio)
        } catch {
            // A mount that hangs says nothing about its files.
            guard error.reason == .missing || error.reason == .empty else { return report(.problem(error.message)) }
            let nothing = BookReconciliation(
                book, uri: book.uri, shape: book.shape, cover: book.cover, files: [], fingerprints: [])
            if !nothing.isNothing(for: book) {
                try await store { () throws(PlaceStoreError) in try await books.move(book.id, to: nothing) }
            }
            return note(book.id, book.title, .missing, &summary)
        }
        try await take(plan, &summary)
    }

    // MARK: Engine results

    private func keep(
        _ book: Book, beside: String?, _ outcome: ImportOutcome, _ summary: inout ImportSummary
    ) async throws(PlaybackError) {
        guard case (var book, let picture)? = try await inspected(book, wantsPicture: wantsPicture(beside)) else {
            summary.failed += 1
            return
        }
        if Task.isCancelled { return }
        book = await covered(book, by: picture)
        let id = try await store { () throws(PlaceStoreError) in try await books.add(book) }
        note(id, book.title, outcome, &summary)
    }

    /// Returns `nil`, and reports it, if nothing in the book can be read.
    private func inspected(
        _ book: Book, wantsPicture: Bool
    ) async throws(PlaybackError) -> (Book, EmbeddedPicture)? {
        let there = book.tracks.indices.filter { !book.tracks[$0].isMissing }
        do throws(PlaybackError) {
            let found = try await inspect(ItemRequest(items: book.items, extensions: extensions), wantsPicture)
            return (book.described(by: found.media, tracks: there), found.picture)
        } catch {
            try check(error)
            guard there.count > 1 else {
                report(.problem(error.message))
                return nil
            }
        }
        // One bad file must not keep the others out.
        var book = book
        book.chapters = []
        var readable = 0
        var picture = EmbeddedPicture.notAsked
        for number in there where !Task.isCancelled {
            do throws(PlaybackError) {
                let file = book.tracks[number].file.uri
                var isFound = false
                if case .found = picture { isFound = true }
                let found = try await inspect(
                    ItemRequest(items: [file], extensions: extensions), wantsPicture && !isFound)
                picture = picture.or(found.picture)
                let title = book.title
                book = book.described(by: found.media, tracks: [number], adding: true)
                book.title = title
                readable += 1
            } catch {
                try check(error)
                report(.problem(error.message))
                book.tracks[number].codec = BookTrack.unreadable
            }
        }
        return readable > 0 ? (book, picture) : nil
    }

    /// Ends the import if the session, and not the book, is at fault.
    func check(_ error: PlaybackError) throws(PlaybackError) {
        if error.kind == .unavailable || error.kind == .notPermitted { throw error }
    }

    private func note(_ id: String, _ title: String, _ outcome: ImportOutcome, _ summary: inout ImportSummary) {
        summary.outcomes[outcome, default: 0] += 1
        report(.book(id: id, title: title, outcome: outcome))
    }

    func store<Value>(
        _ body: () async throws(PlaceStoreError) -> Value
    ) async throws(PlaybackError) -> Value {
        do throws(PlaceStoreError) {
            return try await body()
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
    }
}

extension Book {
    /// Returns the book with an engine's description of its tracks.
    ///
    /// - Parameter numbers: the numbers of the tracks that were inspected, in order.
    fileprivate func described(by media: LoadedMedia, tracks numbers: [Int], adding: Bool = false) -> Book {
        var book = self
        for (number, found) in zip(numbers, media.description.tracks) {
            book.tracks[number].timeline = found.timeline
            book.tracks[number].codec = found.codec
            book.tracks[number].title = found.title
        }
        book.title = media.description.title ?? title
        book.author = media.description.author ?? author
        // A book without chapters has its files as chapters only while it plays.
        let chapters = media.timeline.chapters.first?.source == "file" ? [] : media.timeline.chapters
        book.chapters =
            (adding ? book.chapters : [])
            + chapters.compactMap { chapter in
                guard numbers.indices.contains(chapter.track) else { return nil }
                var chapter = chapter
                chapter.track = numbers[chapter.track]
                return chapter
            }
        return book
    }
}

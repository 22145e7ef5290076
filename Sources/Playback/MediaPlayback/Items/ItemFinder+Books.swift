// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// Books of the library: found by id instead of path, and recognised wherever they are now.
extension ItemFinder {
    /// Returns the id in `library:ID`, or in the bare id.
    static func bookID(_ item: String) -> String? {
        let scheme = "library:"
        if item.hasPrefix(scheme) { return String(item.dropFirst(scheme.count)) }
        let isID = item.utf8.count == 8 && item.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
        return isID ? item : nil
    }

    /// Resolves a request; an item that is no longer there is looked for in the library.
    func resolve(_ request: ItemRequest, command: String?) async throws(ItemError) -> ResolvedItem {
        guard let books, let scanner else { return try await resolver.resolve(request) }
        var request = request
        var named: Book?
        for (index, item) in request.items.enumerated().reversed() {
            guard let id = Self.bookID(item) else { continue }
            let book = try await book(id, in: books)
            request.items.replaceSubrange(index...index, with: book.items)
            if request.items.count == book.items.count { named = book }
        }
        if named == nil, !request.asText {
            switch await known(request.items, books, scanner) {
            case .emptyLibrary: return try await resolver.resolve(request)
            case .unknown: break
            case .book(let book): named = book
            }
        }
        do throws(ItemError) {
            let resolved = try await resolver.resolve(request)
            return await recognised(resolved, as: named, books, scanner, command)
        } catch {
            guard error.reason == .missing || error.reason == .empty, let book = named else { throw error }
            guard let found = await moved(book, books, scanner, request.extensions.audio, command) else {
                throw ItemError(
                    .missing,
                    "\(error.message); “\(book.title)” is in the library: put it back, or say where it is now "
                        + "with `rostrum library add`")
            }
            request.items = found.items
            let resolved = try await resolver.resolve(request)
            return resolved.named(found)
        }
    }

    private func book(_ id: String, in books: any BookStore) async throws(ItemError) -> Book {
        do throws(PlaceStoreError) {
            if let book = try await books.book(id: id) { return book }
        } catch {
            throw ItemError(.unreadable, "\(id): the library cannot be read: \(error.message)")
        }
        throw ItemError(.missing, "\(id): no such book; see `rostrum library`, or give a path")
    }

    /// Looks up a book by its present or former location.
    private func known(
        _ items: [String], _ books: any BookStore, _ scanner: any BookScanning
    ) async -> BookWhereabouts {
        guard let item = items.first, items.count == 1, let uri = scanner.uri(of: item) else {
            // Several files may be a list in the library; a URL is none of its books.
            return items.allSatisfy { scanner.uri(of: $0) != nil } ? .unknown : .emptyLibrary
        }
        return (try? await books.whereabouts(of: uri)) ?? .emptyLibrary
    }

    /// Compares the files that are there with those that the library knows: some may be renamed, gone, or new.
    private func recognised(
        _ resolved: ResolvedItem, as named: Book?, _ books: any BookStore, _ scanner: any BookScanning,
        _ command: String?
    ) async -> ResolvedItem {
        let content = resolved.content
        guard content.kind == .audio, content.cue.isEmpty, let uris = Self.fileURIs(content, scanner) else {
            return resolved
        }
        let files = await scanner.files(uris).compactMap(\.self)
        guard files.count == uris.count, let first = files.first else { return resolved }
        let shape: BookShape = named?.shape == .list ? .list : uris == [content.uri] ? .file : .folder
        func plan(_ uri: String) -> BookPlan {
            BookPlan(uri: uri, shape: shape, title: content.title, cover: nil, files: files)
        }
        if let book = named, book.shape == .list || book.uri == content.uri {
            await follow(book, plan(book.uri), books, scanner, command)
            return resolved.named(book)
        }
        // The path is unknown, or a book was moved away from it.
        guard let print = await scanner.fingerprints(of: [first]).first ?? nil,
            let candidates = try? await books.books(with: print)
        else { return resolved }
        for book in candidates where await isGone(book, scanner) {
            if await follow(book, plan(content.uri), books, scanner, command) {
                return resolved.named(book, uri: content.uri)
            }
        }
        if named != nil { try? await books.forgetFormer(uri: content.uri) }
        return resolved
    }

    private static func fileURIs(_ content: Content, _ scanner: any BookScanning) -> [String]? {
        var uris: [String] = []
        for track in content.tracks {
            guard case .file(let path) = track, let uri = scanner.uri(of: path) else { return nil }
            uris.append(uri)
        }
        return uris
    }

    /// Returns whether none of the book's files is where it was; otherwise, files found elsewhere are copies.
    private func isGone(_ book: Book, _ scanner: any BookScanning) async -> Bool {
        await scanner.files(book.tracks.filter { !$0.isMissing }.map(\.file.uri)).allSatisfy { $0 == nil }
    }

    /// Updates a book to the files that are there, if they are that book.
    @discardableResult
    private func follow(
        _ book: Book, _ plan: BookPlan, _ books: any BookStore, _ scanner: any BookScanning, _ command: String?
    ) async -> Bool {
        if plan.uri == book.uri, plan.files == book.tracks.filter({ !$0.isMissing }).map(\.file) { return true }
        let reconciliation = await BookReconciliation.of(book, plan, scanner)
        guard plan.uri == book.uri || reconciliation.isSame(as: book) else { return false }
        do throws(PlaceStoreError) {
            try await books.move(book.id, to: reconciliation)
            if plan.uri != book.uri {
                note("“\(book.title)” was at \(book.uri) and is at \(plan.uri) now", .restore, command: command)
            }
            return true
        } catch {
            note(
                "“\(book.title)” is at \(plan.uri) now, which cannot be kept: \(error.message)", .restore,
                command: command)
            return false
        }
    }

    /// Looks for a book in the places where it may be now.
    private func moved(
        _ book: Book, _ books: any BookStore, _ scanner: any BookScanning, _ extensions: Set<String>,
        _ command: String?
    ) async -> Book? {
        // If the request named a former location, the book may be where the library knows it now.
        if let plan = try? await scanner.plan(of: book, extensions: extensions) {
            await follow(book, plan, books, scanner, command)
            return try? await books.book(id: book.id)
        }
        guard let sources = try? await books.sources() else { return nil }
        for plan in await scanner.search(sources, for: book, extensions: extensions) {
            if await follow(book, plan, books, scanner, command) { return try? await books.book(id: book.id) }
        }
        return nil
    }
}

extension ResolvedItem {
    /// Returns the item as the library knows it: a list with a missing file is still the same list.
    fileprivate func named(_ book: Book, uri: String? = nil) -> ResolvedItem {
        var item = self
        item.content.title = book.title
        item.content.uri = uri ?? book.uri
        return item
    }
}

extension BookReconciliation {
    /// Takes fingerprints of only those files that differ from what the book knows.
    static func of(_ book: Book, _ plan: BookPlan, _ scanner: any BookScanning) async -> BookReconciliation {
        let known = Set(book.tracks.map(\.file))
        let unknown = plan.files.filter { !known.contains($0) }
        let prints = Dictionary(
            zip(unknown, await scanner.fingerprints(of: unknown)), uniquingKeysWith: { first, _ in first })
        return BookReconciliation(
            book, uri: plan.uri, shape: plan.shape, cover: plan.cover ?? book.cover, files: plan.files,
            fingerprints: plan.files.map { prints[$0] ?? nil })
    }
}

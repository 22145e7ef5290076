// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
public import MediaPlayback

extension LibraryStore: BookStore {
    public func book(id: String) async throws(PlaceStoreError) -> Book? {
        try await read(absent: nil) { try Book.fetch($0, where: "id", is: id)?.book }
    }

    public func book(uri: String) async throws(PlaceStoreError) -> Book? {
        try await read(absent: nil) { try Book.fetch($0, where: "uri", is: uri)?.book }
    }

    public func formerBook(uri: String) async throws(PlaceStoreError) -> Book? {
        try await read(absent: nil) { db in
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT book FROM formerUri WHERE uri = ?"), arguments: [uri]
            ).flatMap { try Book.fetch(db, number: $0) }
        }
    }

    public func forgetFormer(uri: String) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            try db.execute(sql: "DELETE FROM formerUri WHERE uri = ?", arguments: [uri])
        }
    }

    public func books(with fingerprint: Fingerprint) async throws(PlaceStoreError) -> [Book] {
        try await read(absent: []) { db in
            try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT number FROM book
                        WHERE number IN (SELECT book FROM track WHERE fingerprint = ?)
                        ORDER BY (SELECT max(updatedAt) FROM place WHERE place.uri = book.uri) DESC, number
                        LIMIT 20
                        """), arguments: [Data(fingerprint.bytes)]
            ).compactMap { try Book.fetch(db, number: $0) }
        }
    }

    public func books(
        after: String?, offset: Int, limit: Int
    ) async throws(PlaceStoreError) -> [BookSummary] {
        try await read(absent: []) { db in
            var condition = ""
            var arguments: StatementArguments = []
            if let after {
                let title = try String.fetchOne(db, sql: "SELECT title FROM book WHERE id = ?", arguments: [after])
                // The book was removed while the list was being read, so its successor is unknown. A list that started
                // over would never end.
                guard let title else { return [] }
                condition = "WHERE (title COLLATE NOCASE, id) > (?, ?)"
                arguments = [title, after]
            }
            return try BookSummary.fetch(
                db, "\(condition) ORDER BY title COLLATE NOCASE, id LIMIT ? OFFSET ?", arguments + [limit, offset])
        }
    }

    public func summary(uri: String) async throws(PlaceStoreError) -> BookSummary? {
        try await read(absent: nil) { try BookSummary.fetch($0, "WHERE uri = ?", [uri]).first }
    }

    public func books(beside uri: String) async throws(PlaceStoreError) -> [String] {
        guard uri.hasPrefix("file:///"), let slash = uri.lastIndex(of: "/") else { return [] }
        let folder = uri[...slash]
        return try await read(absent: []) { db in
            // `0` is the character after `/`, so the range is what is below the folder, and the index has it.
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT uri FROM book WHERE uri > :folder AND uri < :end AND files > 0 AND shape <> 'list'
                        AND instr(substr(uri, length(:folder) + 1), '/') = 0
                        """), arguments: ["folder": String(folder), "end": folder.dropLast() + "0"])
        }
    }

    public func books(in uri: String) async throws(PlaceStoreError) -> [BookLocation] {
        let folder = uri.hasSuffix("/") ? String(uri.dropLast()) : uri
        return try await read(absent: []) { db in
            // `0` is the character after `/`.
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id, uri, files > 0 AS isThere FROM book
                        WHERE (uri = :folder OR uri > :folder || '/' AND uri < :folder || '0') AND shape <> 'list'
                        """), arguments: ["folder": folder]
            ).compactMap { row in
                guard let id = String.fromDatabaseValue(row["id"]), let uri = String.fromDatabaseValue(row["uri"]),
                    let isThere = Bool.fromDatabaseValue(row["isThere"])
                else { return nil }
                return BookLocation(id: id, uri: uri, isThere: isThere)
            }
        }
    }

    public func whereabouts(of uri: String) async throws(PlaceStoreError) -> BookWhereabouts {
        try await read(absent: .emptyLibrary) { db in
            if let book = try Book.fetch(db, where: "uri", is: FormerURI.now(db, uri))?.book { return .book(book) }
            let isEmpty = try Int64.fetchOne(db.cachedStatement(sql: "SELECT number FROM book LIMIT 1")) == nil
            return isEmpty ? .emptyLibrary : .unknown
        }
    }

    public func bookCount() async throws(PlaceStoreError) -> Int {
        try await read(absent: 0) { try Int.fetchOne($0, sql: "SELECT count(*) FROM book") ?? 0 }
    }

    public func add(_ book: Book) async throws(PlaceStoreError) -> String {
        let (id, before) = try await change(durably: false) { db in
            var book = book
            let known = try Book.fetch(db, where: "uri", is: book.uri)
            if let known {
                book.id = known.book.id
                book.addedAt = known.book.addedAt
            } else {
                var attempt = 0
                repeat {
                    book.id = BookIdentifier.make(of: book, attempt: attempt)
                    attempt += 1
                } while try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM book WHERE id = ?)", arguments: [book.id]) == true
                try db.execute(sql: "DELETE FROM formerUri WHERE uri = ?", arguments: [book.uri])
            }
            try book.save(db, number: known?.number)
            return (book.id, known?.book.cover)
        }
        covers.isNamed(book.cover)
        if before != book.cover { await dropCovers([before]) }
        return id
    }

    public func move(_ id: String, to reconciliation: BookReconciliation) async throws(PlaceStoreError) {
        let before = try await change(durably: true) { db -> [String?] in
            guard let (number, book) = try Book.fetch(db, where: "id", is: id) else { return [] }
            let replaced = try Relocation(number: number, book: book, reconciliation: reconciliation).carryOut(db)
            return [book.cover, replaced?.cover]
        }
        await dropCovers(before.filter { $0 != reconciliation.cover })
    }

    public func remove(_ id: String) async throws(PlaceStoreError) -> Bool {
        let (isRemoved, cover) = try await change(durably: true) { db -> (Bool, String?) in
            guard let (number, book) = try Book.fetch(db, where: "id", is: id) else { return (false, nil) }
            try db.execute(sql: "DELETE FROM book WHERE number = ?", arguments: [number])
            for table in ["track", "chapter", "formerUri"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE book = ?", arguments: [number])
            }
            return (true, book.cover)
        }
        await dropCovers([cover])
        return isRemoved
    }

    public func sources() async throws(PlaceStoreError) -> [BookSource] {
        try await read(absent: []) { db in
            try Data.fetchAll(db, sql: "SELECT items FROM source ORDER BY number").map { items in
                BookSource(items: items.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
            }
        }
    }

    public func addSource(_ source: BookSource) async throws(PlaceStoreError) {
        try await write(durably: true) { db in
            // A path may contain any byte except zero.
            try db.execute(
                sql: "INSERT OR IGNORE INTO source (items) VALUES (?)",
                arguments: [Data(source.items.joined(separator: "\0").utf8)])
        }
    }
}

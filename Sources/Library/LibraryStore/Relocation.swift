// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import GRDB
import MediaPlayback
import PlaybackCore

/// Moves a book to a new URI, with everything that is stored by its URI and its track numbers.
///
/// This is one transaction: the book and its places are all at the old URI, or all at the new one.
struct Relocation {
    let number: Int64
    let book: Book
    let reconciliation: BookReconciliation
    private let tracks: TrackNumbers

    init(number: Int64, book: Book, reconciliation: BookReconciliation) {
        self.number = number
        self.book = book
        self.reconciliation = reconciliation
        tracks = TrackNumbers(book, reconciliation)
    }

    /// Carries out the move.
    ///
    /// - Returns: The book that was added at the new URI before this one was recognised, and is merged into this one
    ///   now.
    @discardableResult
    func carryOut(_ db: Database) throws -> Book? {
        var replaced: Book?
        var moved = book
        moved.uri = reconciliation.uri
        moved.shape = reconciliation.shape
        moved.cover = reconciliation.cover ?? book.cover
        moved.tracks = reconciliation.tracks
        moved.chapters = book.chapters.map { chapter in
            var chapter = chapter
            chapter.track = reconciliation.numbers[chapter.track]
            return chapter
        }
        if book.uri != moved.uri {
            // Another book may have been added there, with the same files, before this one was recognised.
            if let other = try Book.fetch(db, where: "uri", is: moved.uri) {
                replaced = other.book
                try db.execute(sql: "DELETE FROM book WHERE number = ?", arguments: [other.number])
                for table in ["track", "chapter"] {
                    try db.execute(sql: "DELETE FROM \(table) WHERE book = ?", arguments: [other.number])
                }
                try db.execute(
                    sql: "UPDATE formerUri SET book = ? WHERE book = ?", arguments: [number, other.number])
            }
            try db.execute(sql: "DELETE FROM formerUri WHERE uri = ?", arguments: [moved.uri])
            try db.execute(
                sql: "INSERT OR REPLACE INTO formerUri (uri, book) VALUES (?, ?)", arguments: [book.uri, number])
        }
        try moved.save(db, number: number)
        try movePlaces(db)
        try moveLastItems(db, of: moved)
        try moveHistory(db, of: moved)
        try moveClips(db, of: moved)
        try moveClipsOfFiles(db)
        try movePair(db)
        return replaced
    }

    /// Moves what the book is paired with, and a text that lies in its folder.
    private func movePair(_ db: Database) throws {
        guard book.uri != reconciliation.uri else { return }
        try db.execute(
            sql: "UPDATE OR REPLACE pair SET recording = ? WHERE recording = ?",
            arguments: [reconciliation.uri, book.uri])
        guard
            let text = try String.fetchOne(
                db, sql: "SELECT text FROM pair WHERE recording = ?", arguments: [reconciliation.uri]),
            text.hasPrefix(book.uri + "/")
        else { return }
        try db.execute(
            sql: "UPDATE OR IGNORE pair SET text = ? WHERE recording = ?",
            arguments: [reconciliation.uri + text.dropFirst(book.uri.count), reconciliation.uri])
    }

    // MARK: Places

    private func movePlaces(_ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM place WHERE uri = ?", arguments: [book.uri])
        for row in rows {
            guard var place = try? SavedPlace(row: row) else { continue }
            if let file = tracks.file(place.position.track) {
                if let now = tracks.now(ofFile: file) {
                    place.position.track = now
                } else if let next = tracks.next(afterFile: file) {
                    try park(place, file: file, db)
                    place.position = MediaPosition(track: next, units: 0)
                }
            }
            place.uri = reconciliation.uri
            guard book.uri != reconciliation.uri else {
                try place.save(db)
                continue
            }
            // The book was played at its new path before it was recognised. The newer place counts, and the other one
            // stays under the old path.
            if var other = try SavedPlace.fetch(db, uri: place.uri, owner: place.owner) {
                if other.updatedAt >= place.updatedAt { continue }
                other.uri = book.uri
                try other.save(db)
            } else {
                try db.execute(
                    sql: "DELETE FROM place WHERE owner = ? AND uri = ?", arguments: [place.owner.rawValue, book.uri])
            }
            try place.save(db)
        }
        try db.execute(
            sql: "UPDATE OR REPLACE parkedPlace SET uri = ? WHERE uri = ?", arguments: [reconciliation.uri, book.uri])
        try unpark(db)
    }

    /// Stores the exact place in a file that is gone, for when the file comes back.
    private func park(_ place: SavedPlace, file: Int, _ db: Database) throws {
        guard let fingerprint = reconciliation.tracks[file].fingerprint else { return }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO parkedPlace (owner, uri, fingerprint, units, updatedAt) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                place.owner.rawValue, book.uri, Data(fingerprint.bytes), place.position.units, place.updatedAt,
            ])
    }

    private func unpark(_ db: Database) throws {
        let uri = reconciliation.uri
        for row in try Row.fetchAll(db, sql: "SELECT * FROM parkedPlace WHERE uri = ?", arguments: [uri]) {
            guard let owner = String.fromDatabaseValue(row["owner"]),
                let fingerprint = Data.fromDatabaseValue(row["fingerprint"]).flatMap({ Fingerprint($0) }),
                let units = Int64.fromDatabaseValue(row["units"]),
                let updatedAt = Int64.fromDatabaseValue(row["updatedAt"]),
                let file = reconciliation.tracks.firstIndex(where: { $0.fingerprint == fingerprint && !$0.isMissing }),
                let now = tracks.now(ofFile: file)
            else { continue }
            // If the user has listened on since, `updatedAt` differs and the place stays.
            try db.execute(
                sql: "UPDATE place SET track = ?, units = ? WHERE owner = ? AND uri = ? AND updatedAt = ?",
                arguments: [now, units, owner, uri, updatedAt])
            try db.execute(sql: "DELETE FROM parkedPlace WHERE owner = ? AND uri = ?", arguments: [owner, uri])
        }
    }

    // MARK: Clips

    /// Moves clips with their files; of a file that is gone, the clip waits until the file comes back.
    private func moveClips(_ db: Database, of moved: Book) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM clip WHERE uri = ?", arguments: [book.uri]) {
            guard var clip = try? Clip(row: row) else { continue }
            let (start, end) = (track(of: clip.start), track(of: clip.end))
            clip.isSourceThere = start != nil && end != nil
            clip.start.position.track = start ?? clip.start.position.track
            clip.end.position.track = end ?? clip.end.position.track
            // The passage cannot run backwards: the files are in another order now.
            if clip.start.position >= clip.end.position { clip.isSourceThere = false }
            (clip.uri, clip.items) = (moved.uri, moved.items)
            try clip.save(db)
        }
    }

    /// Moves clips that were made of a single file of the book, and are stored by its URI, with that file.
    private func moveClipsOfFiles(_ db: Database) throws {
        var changed: [Clip] = []
        for (before, number) in zip(book.tracks, reconciliation.numbers) where before.file.uri != book.uri {
            let now = reconciliation.tracks[number]
            // A file that is there may have the name of one that is gone.
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM clip WHERE uri = ? AND isThere = ?",
                arguments: [before.file.uri, !before.isMissing])
            for row in rows {
                guard var clip = try? Clip(row: row) else { continue }
                clip.isSourceThere = !now.isMissing
                if !now.isMissing, clip.uri != now.file.uri {
                    (clip.uri, clip.items) = (now.file.uri, [now.file.uri])
                }
                changed.append(clip)
            }
        }
        // All are read before the first is written, since two files may have exchanged their names.
        for clip in changed { try clip.save(db) }
    }

    /// Returns the current number of the track that a bound is in; `nil` if its file is gone.
    private func track(of bound: Clip.Bound) -> Int? {
        let known = tracks.file(bound.position.track)
        guard let fingerprint = bound.fingerprint else { return known.flatMap(tracks.now(ofFile:)) }
        // A book may have the same file twice, so the one with the known number comes first.
        let all = [known].compactMap(\.self) + Array(reconciliation.tracks.indices)
        let file = all.first {
            reconciliation.tracks[$0].fingerprint == fingerprint && !reconciliation.tracks[$0].isMissing
        }
        return file.flatMap(tracks.now(ofFile:))
    }

    // MARK: Last items and history

    private func moveLastItems(_ db: Database, of moved: Book) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM lastItem WHERE uri = ?", arguments: [book.uri]) {
            guard let owner = String.fromDatabaseValue(row["owner"]), let kind = String.fromDatabaseValue(row["kind"])
            else { continue }
            let key: StatementArguments = [owner, kind]
            try db.execute(
                sql: "UPDATE lastItem SET uri = ? WHERE owner = ? AND kind = ?", arguments: [moved.uri] + key)
            try db.execute(sql: "DELETE FROM lastItemPart WHERE owner = ? AND kind = ?", arguments: key)
            for (number, item) in moved.items.enumerated() {
                try db.execute(
                    sql: "INSERT INTO lastItemPart (owner, kind, number, item) VALUES (?, ?, ?, ?)",
                    arguments: key + [number, item])
            }
        }
    }

    private func moveHistory(_ db: Database, of moved: Book) throws {
        let items = Data(moved.items.joined(separator: "\0").utf8)
        func number(_ value: DatabaseValue) -> Int? {
            guard let file = Int.fromDatabaseValue(value).flatMap({ tracks.file($0) }) else { return nil }
            return tracks.now(ofFile: file) ?? tracks.next(afterFile: file)
        }
        for end in ["from", "to"] {
            for row in try Row.fetchAll(
                db, sql: "SELECT id, \(end)Track AS track FROM jump WHERE \(end)Uri = ?", arguments: [book.uri])
            {
                let id: DatabaseValue = row["id"]
                let track: DatabaseValue = row["track"]
                try db.execute(
                    sql: "UPDATE jump SET \(end)Uri = ?, \(end)Items = ?, \(end)Track = ? WHERE id = ?",
                    arguments: [moved.uri, items, number(track)?.databaseValue ?? track, id])
            }
        }
        for row in try Row.fetchAll(
            db, sql: "SELECT id, fromTrack, toTrack FROM span WHERE uri = ?", arguments: [book.uri])
        {
            let id: DatabaseValue = row["id"]
            let (from, to): (DatabaseValue, DatabaseValue) = (row["fromTrack"], row["toTrack"])
            try db.execute(
                sql: "UPDATE span SET uri = ?, fromTrack = ?, toTrack = ? WHERE id = ?",
                arguments: [
                    moved.uri, number(from)?.databaseValue ?? from, number(to)?.databaseValue ?? to, id,
                ])
        }
    }
}

/// Looks up the current URI of a book by a former one.
///
/// A session that had the book open uses the former URI until it opens the book again.
enum FormerURI {
    static func now(_ db: Database, _ uri: String) throws -> String {
        // A library of an older version on a read-only disk is read without being migrated.
        let uri = WebIdentity.uri(of: uri)
        guard try db.tableExists("formerUri") else { return uri }
        let statement = try db.cachedStatement(
            sql: "SELECT book.uri FROM formerUri JOIN book ON book.number = formerUri.book WHERE formerUri.uri = ?")
        return try String.fetchOne(statement, arguments: [uri]) ?? uri
    }
}

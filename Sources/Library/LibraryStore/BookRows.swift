// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import GRDB
import MediaPlayback

extension Book {
    /// Returns a book with the number of its row, which other tables refer to.
    static func fetch(_ db: Database, where column: String, is value: String) throws -> (number: Int64, book: Book)? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM book WHERE \(column) = ?")
        return try Row.fetchOne(statement, arguments: [value]).map { try read($0, db) }
    }

    static func fetch(_ db: Database, number: Int64) throws -> Book? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM book WHERE number = ?")
        return try Row.fetchOne(statement, arguments: [number]).map { try read($0, db).1 }
    }

    private static func read(_ row: Row, _ db: Database) throws -> (Int64, Book) {
        guard let number = Int64.fromDatabaseValue(row["number"]), let id = String.fromDatabaseValue(row["id"]),
            let uri = String.fromDatabaseValue(row["uri"]),
            let shape = String.fromDatabaseValue(row["shape"]).flatMap(BookShape.init),
            let title = String.fromDatabaseValue(row["title"]), let addedAt = Int64.fromDatabaseValue(row["addedAt"])
        else { throw NonsenseRow() }
        let tracks = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM track WHERE book = ? ORDER BY number"), arguments: [number]
        ).map { try BookTrack(row: $0) }
        let chapters = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM chapter WHERE book = ? ORDER BY number"), arguments: [number]
        ).compactMap { row throws -> Chapter? in
            guard let track = Int.fromDatabaseValue(row["track"]), let start = Int64.fromDatabaseValue(row["start"]),
                let source = String.fromDatabaseValue(row["source"])
            else { throw NonsenseRow() }
            // A library that was salvaged or edited by hand may have chapters of a track that does not exist.
            guard tracks.indices.contains(track) else { return nil }
            return Chapter(
                title: String.fromDatabaseValue(row["title"]), track: track, start: start,
                end: Int64.fromDatabaseValue(row["end"]), source: source)
        }
        let book = Book(
            id: id, uri: uri, shape: shape, title: title, author: String.fromDatabaseValue(row["author"]),
            cover: String.fromDatabaseValue(row["cover"]),
            isPictureKnown: row.hasColumn("pictureKnown") && Bool.fromDatabaseValue(row["pictureKnown"]) == true,
            tracks: tracks, chapters: chapters, addedAt: addedAt)
        return (number, book)
    }

    /// Writes the whole book, and replaces what was stored under this number.
    func save(_ db: Database, number: Int64?) throws {
        let timeline = timeline
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO book
                (number, id, uri, shape, title, author, cover, ms, confidence, files, missing, addedAt, pictureKnown)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            number, id, uri, shape.rawValue, title, author, cover, timeline.duration.map(BookTimeline.milliseconds),
            timeline.duration == nil ? Confidence.unknown.rawValue : timeline.confidence.rawValue,
            tracks.count - missing, missing, addedAt, isPictureKnown,
        ])
        let number = number ?? db.lastInsertedRowID
        try db.cachedStatement(sql: "DELETE FROM track WHERE book = ?").execute(arguments: [number])
        try db.cachedStatement(sql: "DELETE FROM chapter WHERE book = ?").execute(arguments: [number])
        let insertTrack = try db.cachedStatement(
            sql: """
                INSERT INTO track (book, number, uri, size, modified, fingerprint, unitsPerSecond, duration,
                    confidence, codec, title, missing) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (index, track) in tracks.enumerated() {
            try insertTrack.execute(arguments: [
                number, index, track.file.uri, track.file.size, track.file.modified,
                track.fingerprint.map { Data($0.bytes) }, track.timeline.unitsPerSecond, track.timeline.duration,
                track.timeline.confidence.rawValue, track.codec, track.title, track.isMissing,
            ])
        }
        let insertChapter = try db.cachedStatement(
            sql: "INSERT INTO chapter (book, number, track, start, end, title, source) VALUES (?, ?, ?, ?, ?, ?, ?)")
        for (index, chapter) in chapters.enumerated() {
            try insertChapter.execute(arguments: [
                number, index, chapter.track, chapter.start, chapter.end, chapter.title, chapter.source,
            ])
        }
    }
}

extension BookTrack {
    init(row: Row) throws {
        guard let uri = String.fromDatabaseValue(row["uri"]), let size = Int64.fromDatabaseValue(row["size"]),
            let modified = Int64.fromDatabaseValue(row["modified"]),
            let rate = Double.fromDatabaseValue(row["unitsPerSecond"]),
            let confidence = String.fromDatabaseValue(row["confidence"]).flatMap(Confidence.init),
            let isMissing = Bool.fromDatabaseValue(row["missing"])
        else { throw NonsenseRow() }
        self.init(
            file: BookFile(uri: uri, size: size, modified: modified),
            fingerprint: Data.fromDatabaseValue(row["fingerprint"]).flatMap { Fingerprint($0) },
            timeline: TimelineTrack(
                unitsPerSecond: rate, duration: Int64.fromDatabaseValue(row["duration"]), confidence: confidence),
            codec: String.fromDatabaseValue(row["codec"]), title: String.fromDatabaseValue(row["title"]),
            isMissing: isMissing)
    }
}

/// Makes the ids of books: eight base-32 digits, without letters that are easily confused with others.
enum BookIdentifier {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Makes an id from the contents of the files, so that a library that is built again has the same ids.
    ///
    /// - Parameter attempt: 0, and counts up while another book has the id, as with the second of two copies.
    static func make(of book: Book, attempt: Int) -> String {
        // FNV-1a is enough: the input is spread evenly already.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        for track in book.tracks {
            if let fingerprint = track.fingerprint { take(fingerprint.bytes) } else { take(track.file.uri.utf8) }
        }
        take("\(attempt)".utf8)
        hash ^= hash >> 32
        return String(decoding: (0..<8).map { digits[Int(hash >> (5 * $0) & 31)] }, as: UTF8.self)
    }
}

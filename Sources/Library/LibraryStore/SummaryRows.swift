// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import GRDB
import MediaPlayback
import PlaybackCore

extension BookSummary {
    /// Returns entries with their pairs and the saved places of the user, which one statement looks up by their keys.
    ///
    /// - Parameter books: The conditions and the order of the books, as SQL.
    static func fetch(_ db: Database, _ books: String, _ arguments: StatementArguments) throws -> [BookSummary] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT book.*, place.updatedAt AS playedAt, place.finished, \(seconds) AS seconds,
                        pair.recording AS recording, pair.text AS text
                    FROM (SELECT * FROM book \(books)) AS book
                    LEFT JOIN place ON place.owner = '\(OwnerID.main.rawValue)' AND place.uri = book.uri AND place.kind = 'audio'
                        AND place.track >= 0 AND place.units >= 0
                    LEFT JOIN pair ON pair.recording = book.uri
                    ORDER BY book.title COLLATE NOCASE, book.id
                    """), arguments: arguments
        ).map { try BookSummary(row: $0) }
    }

    /// The book time of a place: the durations of the files before it, in order, and the units in its own.
    ///
    /// A place counts the files that are there. It is at most as many files further on as files are missing.
    private static let seconds = """
        (SELECT CASE WHEN count(part) = place.track + 1 THEN sum(part) END FROM (
            SELECT CASE WHEN number = place.track THEN place.units ELSE duration END / unitsPerSecond AS part FROM (
                SELECT row_number() OVER (ORDER BY number) - 1 AS number, duration, unitsPerSecond FROM track
                WHERE track.book = book.number AND track.number <= place.track + book.missing AND NOT missing
            ) WHERE number <= place.track
        ))
        """

    private init(row: Row) throws {
        guard let id = String.fromDatabaseValue(row["id"]), let uri = String.fromDatabaseValue(row["uri"]),
            let title = String.fromDatabaseValue(row["title"]),
            let shape = String.fromDatabaseValue(row["shape"]).flatMap(BookShape.init),
            let confidence = String.fromDatabaseValue(row["confidence"]).flatMap(Confidence.init),
            let files = Int.fromDatabaseValue(row["files"]), let missing = Int.fromDatabaseValue(row["missing"])
        else { throw NonsenseRow() }
        let milliseconds = Int64.fromDatabaseValue(row["ms"])
        var position: Int64?
        if let seconds = Double.fromDatabaseValue(row["seconds"]) { position = BookTimeline.milliseconds(seconds) }
        // The place of a book that was heard to its end is only where that was noticed.
        if let milliseconds, Bool.fromDatabaseValue(row["finished"]) == true { position = milliseconds }
        let pair = String.fromDatabaseValue(row["recording"]).map {
            TextPair(recording: $0, text: String.fromDatabaseValue(row["text"]))
        }
        self.init(
            id: id, uri: uri, shape: shape, title: title, author: String.fromDatabaseValue(row["author"]),
            cover: String.fromDatabaseValue(row["cover"]), milliseconds: milliseconds,
            confidence: confidence, files: files, missing: missing,
            position: position, playedAt: Int64.fromDatabaseValue(row["playedAt"]), pair: pair)
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import GRDB
import MediaPlayback

extension Clip {
    init(row: Row) throws {
        guard let id = String.fromDatabaseValue(row["id"]), let uri = String.fromDatabaseValue(row["uri"]),
            let items = Data.fromDatabaseValue(row["items"]), let title = String.fromDatabaseValue(row["title"]),
            let note = String.fromDatabaseValue(row["note"]), let tags = String.fromDatabaseValue(row["tags"]),
            let createdAt = Int64.fromDatabaseValue(row["createdAt"]),
            let changedAt = Int64.fromDatabaseValue(row["changedAt"]),
            let isThere = Bool.fromDatabaseValue(row["isThere"])
        else { throw NonsenseRow() }
        self.init(
            id: id, uri: uri, items: items.split(separator: 0).map { String(decoding: $0, as: UTF8.self) },
            title: title, author: String.fromDatabaseValue(row["author"]),
            chapter: String.fromDatabaseValue(row["chapter"]), start: try Bound(row: row, "start"),
            end: try Bound(row: row, "end"), startMilliseconds: Int64.fromDatabaseValue(row["startMs"]),
            milliseconds: Int64.fromDatabaseValue(row["ms"]), note: note,
            tags: tags.split(separator: "\n").map(String.init), createdAt: createdAt, changedAt: changedAt,
            isSourceThere: isThere, file: ClipFile(row: row),
            quote: row.hasColumn("quote") ? ClipQuote(row: row) : nil)
    }

    static func fetch(_ db: Database, id: String) throws -> Clip? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM clip WHERE id = ?"), arguments: [id]).map(Clip.init)
    }

    /// Writes the whole clip, and replaces what was stored under its id.
    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO clip (id, uri, items, title, author, chapter, startTrack, startUnits, startRate,
                    startPrint, endTrack, endUnits, endRate, endPrint, startMs, ms, note, tags, createdAt, changedAt,
                    isThere, file, fileStart, fileEnd, fileFrames, fileRate, fileEncoded, quote, quoteBefore, quoteAfter,
                    quoteSize)
                VALUES (\(databaseQuestionMarks(count: 31)))
                """
        ).execute(
            arguments: [
                id, uri,
                // A path may contain any byte except zero.
                Data(items.joined(separator: "\0").utf8), title, author, chapter,
            ] + start.arguments + end.arguments + [startMilliseconds, milliseconds, note, tags.joined(separator: "\n")]
                + [createdAt, changedAt, isSourceThere] + (file?.arguments ?? [nil, nil, nil, nil, nil, nil])
                + [
                    quote?.text, quote.map { Data($0.before) }, quote.map { Data($0.after) }, quote?.size,
                ])
    }
}

extension ClipQuote {
    /// Returns `nil` for a clip of a recording.
    fileprivate init?(row: Row) {
        guard let text = String.fromDatabaseValue(row["quote"]), !text.isEmpty, text.utf8.count <= Self.longest else {
            return nil
        }
        self.init(
            text: text, before: Data.fromDatabaseValue(row["quoteBefore"]).map { Array($0) } ?? [],
            after: Data.fromDatabaseValue(row["quoteAfter"]).map { Array($0) } ?? [],
            size: Int64.fromDatabaseValue(row["quoteSize"]) ?? 0)
    }
}

extension Clip.Bound {
    fileprivate init(row: Row, _ end: String) throws {
        guard let track = Int.fromDatabaseValue(row["\(end)Track"]), track >= 0,
            let units = Int64.fromDatabaseValue(row["\(end)Units"]), units >= 0,
            let rate = Double.fromDatabaseValue(row["\(end)Rate"]), rate.isFinite, rate > 0
        else { throw NonsenseRow() }
        self.init(
            MediaPosition(track: track, units: units), unitsPerSecond: rate,
            fingerprint: Data.fromDatabaseValue(row["\(end)Print"]).flatMap { Fingerprint($0) })
    }

    fileprivate var arguments: StatementArguments {
        [position.track, position.units, unitsPerSecond, fingerprint.map { Data($0.bytes) }]
    }
}

extension ClipFile {
    fileprivate var arguments: StatementArguments { [name, start, end, frames, sampleRate, isEncoded] }

    /// Returns `nil` if the clip has no file.
    fileprivate init?(row: Row) {
        guard let name = String.fromDatabaseValue(row["file"]), let frames = Int64.fromDatabaseValue(row["fileFrames"]),
            let start = Int64.fromDatabaseValue(row["fileStart"]), let end = Int64.fromDatabaseValue(row["fileEnd"]),
            let rate = Int.fromDatabaseValue(row["fileRate"]),
            let isEncoded = Bool.fromDatabaseValue(row["fileEncoded"])
        else { return nil }
        self.init(name: name, start: start, end: end, frames: frames, sampleRate: rate, isEncoded: isEncoded)
    }
}

/// Makes the ids of clips: eight base-32 digits, without letters that are easily confused with others.
enum ClipIdentifier {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")

    static func make(with random: inout some RandomNumberGenerator) -> String {
        let bits = UInt64.random(in: .min ... .max, using: &random)
        return String((0..<8).map { digits[Int(bits >> (5 * $0) & 31)] })
    }

    /// Returns `true` if a text may be an id, or the beginning of one.
    static func isPrefix(_ text: String) -> Bool {
        (1...8).contains(text.utf8.count) && text.allSatisfy { digits.contains($0) }
    }
}

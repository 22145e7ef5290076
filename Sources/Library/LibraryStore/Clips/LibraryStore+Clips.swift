// SPDX-License-Identifier: Apache-2.0

import GRDB
public import MediaPlayback
import PlaybackCore

extension LibraryStore: ClipStore {
    public func clip(id: String) async throws(PlaceStoreError) -> ClipLookup {
        guard ClipIdentifier.isPrefix(id) else { return .none }
        return try await read(absent: .none) { db in
            if let clip = try Clip.fetch(db, id: id) { return .found(clip) }
            // The digits contain neither wildcard of GLOB.
            let ids = try String.fetchAll(
                db, sql: "SELECT id FROM clip WHERE id GLOB ? ORDER BY id LIMIT 5", arguments: [id + "*"])
            if ids.count > 1 { return .ambiguous(ids) }
            return try ids.first.flatMap { try Clip.fetch(db, id: $0) }.map(ClipLookup.found) ?? .none
        }
    }

    public func clips(_ query: ClipQuery) async throws(PlaceStoreError) -> [Clip] {
        var conditions: [String] = []
        var arguments: StatementArguments = []
        for word in query.words {
            conditions.append(
                """
                holds(title || char(10) || coalesce(author, '') || char(10) || note || char(10) || tags || char(10) ||
                coalesce(quote, ''), ?)
                """)
            arguments += [word]
        }
        if let since = query.since {
            conditions.append("createdAt >= ?")
            arguments += [since]
        }
        if let until = query.until {
            conditions.append("createdAt < ?")
            arguments += [until]
        }
        let order =
            switch query.order {
            case .book: "title COLLATE NOCASE, uri, startTrack, startUnits, id"
            case .made: "createdAt DESC, id"
            }
        let (limit, offset) = (max(0, query.limit), max(0, query.offset))
        return try await read(absent: []) { [conditions, arguments] db in
            var conditions = conditions
            var arguments = arguments
            if let uri = query.uri {
                conditions.append("uri = ?")
                arguments += [try FormerURI.now(db, uri)]
            }
            let rows = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            db.add(function: Self.holds)
            return try Row.fetchAll(
                db, sql: "SELECT * FROM clip \(rows) ORDER BY \(order) LIMIT ? OFFSET ?",
                arguments: arguments + [limit, offset]
            ).compactMap { try? Clip(row: $0) }
        }
    }

    /// Says whether a text contains a word, in any case: `LIKE` knows only the cases of ASCII.
    private static let holds = DatabaseFunction("holds", argumentCount: 2, pure: true) { values in
        guard let text = String.fromDatabaseValue(values[0]), let word = String.fromDatabaseValue(values[1]) else {
            return false
        }
        return text.lowercased().contains(word.lowercased())
    }

    public func add(_ clip: Clip) async throws(PlaceStoreError) -> Clip {
        try await change(durably: true) { db in
            var clip = clip
            clip.uri = try FormerURI.now(db, clip.uri)
            var random = SystemRandomNumberGenerator()
            let isFree = ClipIdentifier.isPrefix(clip.id) && clip.id.utf8.count == 8
            if !isFree { clip.id = ClipIdentifier.make(with: &random) }
            while try Clip.fetch(db, id: clip.id) != nil { clip.id = ClipIdentifier.make(with: &random) }
            try clip.save(db)
            return clip
        }
    }

    public func change(_ clip: Clip, from before: Clip) async throws(PlaceStoreError) -> ClipChange {
        try await change(durably: true) { db in
            guard var saved = try Clip.fetch(db, id: clip.id) else { return .gone }
            var known = before
            (known.file, known.isSourceThere) = (saved.file, saved.isSourceThere)
            guard saved == known else { return .overtaken }
            // The units alone do not say that the file has other audio: a bound may have moved to another track.
            if (saved.start.position, saved.end.position) != (clip.start.position, clip.end.position) {
                // The look at the source that gave the bounds may have found that a file is gone.
                guard saved.isSourceThere else { return .overtaken }
                saved.file?.start = -1
            }
            (saved.start, saved.end, saved.quote) = (clip.start, clip.end, clip.quote)
            (saved.startMilliseconds, saved.milliseconds) = (clip.startMilliseconds, clip.milliseconds)
            (saved.chapter, saved.note, saved.tags, saved.changedAt) = (
                clip.chapter, clip.note, clip.tags, clip.changedAt
            )
            try saved.save(db)
            return .done
        }
    }

    public func setFile(_ file: ClipFile?, of clip: Clip) async throws(PlaceStoreError) -> ClipFileChange {
        try await change(durably: true) { db in
            // What was cut is another recording if the source was found to be gone meanwhile.
            guard var saved = try Clip.fetch(db, id: clip.id), saved.hasBounds(of: clip),
                file == nil || saved.isSourceThere
            else {
                return ClipFileChange(isSet: false, dropped: file?.name)
            }
            let before = saved.file?.name
            saved.file = file
            try saved.save(db)
            return ClipFileChange(isSet: true, dropped: before == file?.name ? nil : before)
        }
    }

    public func removeClip(id: String) async throws(PlaceStoreError) -> Clip? {
        try await change(durably: true) { db in
            let clip = try Clip.fetch(db, id: id)
            try db.execute(sql: "DELETE FROM clip WHERE id = ?", arguments: [id])
            return clip
        }
    }

    public func clipFiles() async throws(PlaceStoreError) -> Set<String> {
        try await read(absent: []) { db in
            Set(try String.fetchAll(db, sql: "SELECT file FROM clip WHERE file IS NOT NULL"))
        }
    }
}

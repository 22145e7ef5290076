// SPDX-License-Identifier: Apache-2.0

import GRDB
import MediaPlayback

/// The tables of the library, and the migrations that lead to them.
enum LibrarySchema {
    /// The `application_id` of a library: "ROST".
    static let applicationID: Int64 = 0x524F_5354

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        // No table has a foreign key, so there is nothing to check at the end.
        migrator.registerMigration("1 places", foreignKeyChecks: .immediate) { db in
            try db.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);
                    CREATE TABLE place (
                        owner TEXT NOT NULL,
                        uri TEXT NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN ('audio', 'text')),
                        engine TEXT NOT NULL,
                        track INTEGER NOT NULL,
                        units INTEGER NOT NULL,
                        provenance TEXT NOT NULL CHECK (provenance IN ('heard', 'user')),
                        finished INTEGER NOT NULL,
                        rate REAL,
                        voice TEXT,
                        updatedAt INTEGER NOT NULL,
                        PRIMARY KEY (owner, uri)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE lastItem (
                        owner TEXT NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN ('audio', 'text')),
                        uri TEXT NOT NULL,
                        engine TEXT NOT NULL,
                        title TEXT,
                        updatedAt INTEGER NOT NULL,
                        PRIMARY KEY (owner, kind)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE lastItemPart (
                        owner TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        number INTEGER NOT NULL,
                        item TEXT NOT NULL,
                        PRIMARY KEY (owner, kind, number)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE setting (
                        key TEXT NOT NULL PRIMARY KEY,
                        value TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("2 history", foreignKeyChecks: .immediate) { db in
            try db.execute(
                sql: """
                    CREATE TABLE jump (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        at INTEGER NOT NULL,
                        cause TEXT NOT NULL,
                        undone INTEGER NOT NULL,
                        fromUri TEXT NOT NULL, fromKind TEXT NOT NULL, fromTitle TEXT, fromItems BLOB,
                        fromEngine TEXT NOT NULL, fromTrack INTEGER NOT NULL, fromUnits INTEGER NOT NULL, fromMs INTEGER,
                        toUri TEXT NOT NULL, toKind TEXT NOT NULL, toTitle TEXT, toItems BLOB,
                        toEngine TEXT NOT NULL, toTrack INTEGER NOT NULL, toUnits INTEGER NOT NULL, toMs INTEGER
                    ) STRICT;
                    CREATE TABLE span (
                        id INTEGER PRIMARY KEY,
                        uri TEXT NOT NULL,
                        title TEXT,
                        began INTEGER NOT NULL,
                        ended INTEGER NOT NULL,
                        fromTrack INTEGER NOT NULL, fromUnits INTEGER NOT NULL, fromMs INTEGER,
                        toTrack INTEGER NOT NULL, toUnits INTEGER NOT NULL, toMs INTEGER
                    ) STRICT;
                    CREATE INDEX spanOfItem ON span (uri, began);
                    CREATE INDEX spanByTime ON span (began);
                    """)
        }
        migrator.registerMigration("3 books", foreignKeyChecks: .immediate, migrate: Self.makeBooks)
        // Adds what else a user chooses for one item; its speed and voice have been there from the start.
        migrator.registerMigration("4 listening", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: "ALTER TABLE place ADD COLUMN volume REAL")
        }
        // Earlier versions never looked for a picture in a book's files.
        migrator.registerMigration("5 pictures", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: "ALTER TABLE book ADD COLUMN pictureKnown INTEGER NOT NULL DEFAULT 0")
        }
        // Earlier versions identified a web item by its whole address, including tokens in the query.
        migrator.registerMigration("6 addresses", foreignKeyChecks: .immediate, migrate: Self.forgetQueries)
        migrator.registerMigration("7 clips", foreignKeyChecks: .immediate, migrate: Self.makeClips)
        // Earlier versions did not know which words stood at a place.
        migrator.registerMigration("8 contexts", foreignKeyChecks: .immediate) { db in
            try db.execute(
                sql: """
                    ALTER TABLE place ADD COLUMN contextUnits INTEGER;
                    ALTER TABLE place ADD COLUMN contextSize INTEGER;
                    ALTER TABLE place ADD COLUMN contextBefore BLOB;
                    ALTER TABLE place ADD COLUMN contextAfter BLOB;
                    """)
        }
        // Earlier versions had clips of recordings only.
        migrator.registerMigration("9 quotes", foreignKeyChecks: .immediate) { db in
            try db.execute(
                sql: """
                    ALTER TABLE clip ADD COLUMN quote TEXT;
                    ALTER TABLE clip ADD COLUMN quoteBefore BLOB;
                    ALTER TABLE clip ADD COLUMN quoteAfter BLOB;
                    ALTER TABLE clip ADD COLUMN quoteSize INTEGER;
                    """)
        }
        migrator.registerMigration("10 pairs", foreignKeyChecks: .immediate) { db in
            // A recording without a text has none, whatever lies beside it.
            try db.execute(
                sql: """
                    CREATE TABLE pair (
                        recording TEXT NOT NULL PRIMARY KEY,
                        text TEXT
                    ) STRICT, WITHOUT ROWID;
                    CREATE UNIQUE INDEX pairOfText ON pair (text);
                    """)
        }
        migrator.registerMigration("12 podcasts", foreignKeyChecks: .immediate, migrate: PodcastTables.make)
        return migrator
    }()

    private static func makeClips(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE clip (
                    id TEXT NOT NULL PRIMARY KEY,
                    uri TEXT NOT NULL,
                    items BLOB NOT NULL,
                    title TEXT NOT NULL,
                    author TEXT,
                    chapter TEXT,
                    startTrack INTEGER NOT NULL, startUnits INTEGER NOT NULL, startRate REAL NOT NULL, startPrint BLOB,
                    endTrack INTEGER NOT NULL, endUnits INTEGER NOT NULL, endRate REAL NOT NULL, endPrint BLOB,
                    startMs INTEGER,
                    ms INTEGER,
                    note TEXT NOT NULL,
                    tags TEXT NOT NULL,
                    createdAt INTEGER NOT NULL,
                    changedAt INTEGER NOT NULL,
                    isThere INTEGER NOT NULL,
                    file TEXT,
                    fileStart INTEGER,
                    fileEnd INTEGER,
                    fileFrames INTEGER,
                    fileRate INTEGER,
                    fileEncoded INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX clipOfItem ON clip (uri, startTrack, startUnits);
                CREATE INDEX clipByTime ON clip (createdAt);
                """)
    }

    private static func forgetQueries(_ db: Database) throws {
        // Of several rows with one name, the newest stays: it is updated last, and replaces the others.
        for (table, column, order) in [
            ("place", "uri", "updatedAt"), ("parkedPlace", "uri", "updatedAt"), ("lastItem", "uri", "updatedAt"),
            ("jump", "fromUri", "id"), ("jump", "toUri", "id"), ("span", "uri", "id"),
        ] {
            let old = try String.fetchAll(
                db, sql: "SELECT \(column) FROM \(table) WHERE \(column) LIKE 'http%?%' ORDER BY \(order)")
            for uri in old where WebIdentity.uri(of: uri) != uri {
                let new = WebIdentity.uri(of: uri)
                if table == "place" {
                    // A newer row that already has the name stays.
                    try db.execute(
                        sql: """
                            DELETE FROM place WHERE uri = ? AND EXISTS
                            (SELECT 1 FROM place AS other WHERE other.uri = ? AND other.owner = place.owner
                            AND other.updatedAt > place.updatedAt)
                            """, arguments: [uri, new])
                }
                try db.execute(
                    sql: "UPDATE OR REPLACE \(table) SET \(column) = ? WHERE \(column) = ?", arguments: [new, uri])
            }
        }
        for end in ["from", "to"] {
            for row in try Row.fetchAll(
                db, sql: "SELECT id, \(end)Title AS t FROM jump WHERE \(end)Title LIKE 'http%?%'")
            {
                guard let title = String.fromDatabaseValue(row["t"]) else { continue }
                try db.execute(
                    sql: "UPDATE jump SET \(end)Title = ? WHERE id = ?",
                    arguments: [WebIdentity.shown(title), row["id"] as Int64?])
            }
        }
    }

    private static func makeBooks(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE book (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    uri TEXT NOT NULL UNIQUE,
                    shape TEXT NOT NULL CHECK (shape IN ('file', 'folder', 'list')),
                    title TEXT NOT NULL,
                    author TEXT,
                    cover TEXT,
                    ms INTEGER,
                    confidence TEXT NOT NULL,
                    files INTEGER NOT NULL,
                    missing INTEGER NOT NULL,
                    addedAt INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX bookByTitle ON book (title COLLATE NOCASE, id);
                CREATE TABLE track (
                    book INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    uri TEXT NOT NULL,
                    size INTEGER NOT NULL,
                    modified INTEGER NOT NULL,
                    fingerprint BLOB,
                    unitsPerSecond REAL NOT NULL,
                    duration INTEGER,
                    confidence TEXT NOT NULL,
                    codec TEXT,
                    title TEXT,
                    missing INTEGER NOT NULL,
                    PRIMARY KEY (book, number)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX trackByContent ON track (fingerprint);
                CREATE TABLE chapter (
                    book INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    track INTEGER NOT NULL,
                    start INTEGER NOT NULL,
                    end INTEGER,
                    title TEXT,
                    source TEXT NOT NULL,
                    PRIMARY KEY (book, number)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE formerUri (
                    uri TEXT NOT NULL PRIMARY KEY,
                    book INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE parkedPlace (
                    owner TEXT NOT NULL,
                    uri TEXT NOT NULL,
                    fingerprint BLOB NOT NULL,
                    units INTEGER NOT NULL,
                    updatedAt INTEGER NOT NULL,
                    PRIMARY KEY (owner, uri)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE source (
                    number INTEGER PRIMARY KEY,
                    items BLOB NOT NULL UNIQUE
                ) STRICT;
                CREATE INDEX placeByItem ON place (uri);
                CREATE INDEX jumpFrom ON jump (fromUri);
                CREATE INDEX jumpTo ON jump (toUri);
                """)
    }

    /// The kind of a database file that can be opened.
    enum Finding {
        case ours
        case empty
        case newer
        /// A database of another program.
        case foreign
    }

    static func inspect(_ db: Database) throws -> Finding {
        let id = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if id == applicationID { return try migrator.hasBeenSuperseded(db) ? .newer : .ours }
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        return id == 0 && tables == 0 ? .empty : .foreign
    }
}

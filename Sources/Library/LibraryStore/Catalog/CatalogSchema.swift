// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables of what servers have.
///
/// Whatever is in them can be asked for again, so no other table refers to them.
enum CatalogSchema {
    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE catalogLibrary (
                    account TEXT NOT NULL,
                    id TEXT NOT NULL,
                    name TEXT NOT NULL,
                    kind TEXT NOT NULL CHECK (kind IN ('book', 'podcast')),
                    position INTEGER NOT NULL,
                    refreshedAt INTEGER,
                    PRIMARY KEY (account, id)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE catalogItem (
                    number INTEGER PRIMARY KEY,
                    account TEXT NOT NULL,
                    library TEXT NOT NULL,
                    id TEXT NOT NULL,
                    kind TEXT NOT NULL CHECK (kind IN ('book', 'podcast')),
                    title TEXT NOT NULL,
                    sortTitle TEXT NOT NULL,
                    subtitle TEXT,
                    author TEXT,
                    sortAuthor TEXT,
                    narrator TEXT,
                    series TEXT,
                    description TEXT,
                    year TEXT,
                    language TEXT,
                    genres TEXT NOT NULL,
                    tags TEXT NOT NULL,
                    authors TEXT NOT NULL,
                    seconds REAL,
                    bytes INTEGER,
                    files INTEGER,
                    episodes INTEGER,
                    hasCover INTEGER NOT NULL,
                    isMissing INTEGER NOT NULL,
                    addedAt INTEGER,
                    updatedAt INTEGER,
                    latestEpisodeAt INTEGER,
                    knownEpisodes INTEGER NOT NULL DEFAULT 0,
                    episodesOf INTEGER,
                    UNIQUE (account, id)
                ) STRICT;
                CREATE INDEX catalogItemByTitle ON catalogItem (account, library, sortTitle COLLATE NOCASE, id);
                CREATE INDEX catalogItemByID ON catalogItem (id);
                CREATE TABLE catalogLabel (
                    item INTEGER NOT NULL,
                    kind TEXT NOT NULL CHECK (kind IN ('genre', 'tag', 'author', 'narrator', 'series')),
                    name TEXT NOT NULL COLLATE NOCASE,
                    sequence TEXT,
                    PRIMARY KEY (item, kind, name)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX catalogLabelByName ON catalogLabel (kind, name, item);
                CREATE TABLE catalogEpisode (
                    number INTEGER PRIMARY KEY,
                    account TEXT NOT NULL,
                    item TEXT NOT NULL,
                    id TEXT NOT NULL,
                    title TEXT NOT NULL,
                    subtitle TEXT,
                    description TEXT,
                    season TEXT,
                    episode TEXT,
                    kind TEXT,
                    publishedAt INTEGER,
                    addedAt INTEGER,
                    updatedAt INTEGER,
                    seconds REAL,
                    bytes INTEGER,
                    UNIQUE (account, item, id)
                ) STRICT;
                CREATE INDEX catalogEpisodeByTime ON catalogEpisode (account, publishedAt);
                CREATE INDEX catalogEpisodeByID ON catalogEpisode (id);
                CREATE TABLE catalogGroup (
                    account TEXT NOT NULL,
                    kind TEXT NOT NULL CHECK (kind IN ('series', 'author', 'collection')),
                    id TEXT NOT NULL,
                    library TEXT NOT NULL,
                    name TEXT NOT NULL,
                    sortName TEXT NOT NULL,
                    description TEXT,
                    items INTEGER NOT NULL,
                    updatedAt INTEGER,
                    PRIMARY KEY (account, kind, id)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE catalogMember (
                    account TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    parent TEXT NOT NULL,
                    number INTEGER NOT NULL,
                    item TEXT NOT NULL,
                    sequence TEXT,
                    PRIMARY KEY (account, kind, parent, number)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE catalogProgress (
                    account TEXT NOT NULL,
                    item TEXT NOT NULL,
                    episode TEXT NOT NULL,
                    seconds REAL,
                    duration REAL,
                    isFinished INTEGER NOT NULL,
                    isHidden INTEGER NOT NULL,
                    updatedAt INTEGER,
                    PRIMARY KEY (account, item, episode)
                ) STRICT, WITHOUT ROWID;
                """)
        try makeSearch(db, of: "catalogItem", ["title", "subtitle", "author", "narrator", "series"])
        try makeSearch(db, of: "catalogEpisode", ["title", "subtitle"])
    }

    /// Makes an index of the words of a table, which follows it by triggers.
    private static func makeSearch(_ db: Database, of table: String, _ columns: [String]) throws {
        let (names, index) = (columns.joined(separator: ", "), "\(table)Words")
        let (new, old) = (columns.map { "new.\($0)" }, columns.map { "old.\($0)" })
        let insertion = "INSERT INTO \(index) (rowid, \(names)) VALUES (new.number, \(new.joined(separator: ", ")));"
        let removal = """
            INSERT INTO \(index) (\(index), rowid, \(names)) VALUES ('delete', old.number, \(old.joined(separator: ", ")));
            """
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE \(index) USING fts5 (\(names), content = '\(table)', content_rowid = 'number',
                    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
                CREATE TRIGGER \(table)Added AFTER INSERT ON \(table) BEGIN \(insertion) END;
                CREATE TRIGGER \(table)Removed AFTER DELETE ON \(table) BEGIN \(removal) END;
                CREATE TRIGGER \(table)Changed AFTER UPDATE OF \(names) ON \(table) BEGIN \(removal) \(insertion) END;
                """)
    }
}

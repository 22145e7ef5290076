// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables of podcasts.
enum PodcastTables {
    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE podcast (
                    id TEXT NOT NULL PRIMARY KEY,
                    address TEXT NOT NULL UNIQUE,
                    title TEXT, author TEXT, summary TEXT, image TEXT, language TEXT, link TEXT,
                    serial INTEGER NOT NULL,
                    keepNewest INTEGER,
                    deletesPlayed INTEGER NOT NULL,
                    private INTEGER NOT NULL,
                    addedAt INTEGER NOT NULL,
                    etag TEXT, lastModified TEXT,
                    fetchedAt INTEGER, nextAt INTEGER,
                    failures INTEGER NOT NULL,
                    fault TEXT,
                    gone INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE episode (
                    podcast TEXT NOT NULL,
                    id TEXT NOT NULL,
                    guid TEXT NOT NULL,
                    url TEXT NOT NULL, type TEXT, length INTEGER,
                    title TEXT, author TEXT, summary TEXT,
                    published INTEGER, duration INTEGER,
                    image TEXT, link TEXT,
                    season INTEGER, number INTEGER, kind TEXT NOT NULL, explicit INTEGER,
                    chapters TEXT NOT NULL, chapterDocument TEXT, transcripts TEXT NOT NULL,
                    arrivedAt INTEGER NOT NULL,
                    date INTEGER NOT NULL,
                    listed INTEGER NOT NULL,
                    mark INTEGER, markedAt INTEGER,
                    PRIMARY KEY (podcast, id)
                ) STRICT, WITHOUT ROWID;
                CREATE UNIQUE INDEX episodeByGuid ON episode (podcast, guid);
                CREATE INDEX episodeByDate ON episode (date DESC, podcast, id);
                CREATE INDEX episodeOfPodcast ON episode (podcast, date DESC, id);
                """)
    }
}

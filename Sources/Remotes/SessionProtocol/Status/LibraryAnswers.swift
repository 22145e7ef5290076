// SPDX-License-Identifier: Apache-2.0

/// What `library list` answers: a piece of the list, by title.
public struct LibraryPage: Sendable, Hashable, Codable {
    public var books: [LibraryBook]
    public init(books: [LibraryBook]) { self.books = books }
}

/// A book of the library.
public struct LibraryBook: Sendable, Hashable, Codable {
    public var id: String
    public var uri: String
    public var title: String
    public var author: String?
    /// Path of a picture.
    public var cover: String?
    public var durationMs: Int64?
    public var durationConfidence: String
    /// Files that are there.
    public var files: Int
    public var missing: Int

    public init(
        id: String, uri: String, title: String, author: String?, cover: String?, durationMs: Int64?,
        durationConfidence: String, files: Int, missing: Int
    ) {
        self.id = id
        self.uri = uri
        self.title = title
        self.author = author
        self.cover = cover
        self.durationMs = durationMs
        self.durationConfidence = durationConfidence
        self.files = files
        self.missing = missing
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(uri, forKey: .uri)
        try members.encode(title, forKey: .title)
        try members.encode(author, forKey: .author)
        try members.encode(cover, forKey: .cover)
        try members.encode(durationMs, forKey: .durationMs)
        try members.encode(durationConfidence, forKey: .durationConfidence)
        try members.encode(files, forKey: .files)
        try members.encode(missing, forKey: .missing)
    }
}

/// What `library show` answers.
public struct LibraryBookDetail: Sendable, Hashable, Codable {
    public struct Track: Sendable, Hashable, Codable {
        public var uri: String
        public var title: String?
        public var durationMs: Int64?
        public var durationConfidence: String
        /// `unreadable`: no engine could open it.
        public var codec: String?
        public var bytes: Int64
        public var missing: Bool

        public init(
            uri: String, title: String?, durationMs: Int64?, durationConfidence: String, codec: String?, bytes: Int64,
            missing: Bool
        ) {
            self.uri = uri
            self.title = title
            self.durationMs = durationMs
            self.durationConfidence = durationConfidence
            self.codec = codec
            self.bytes = bytes
            self.missing = missing
        }

        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(uri, forKey: .uri)
            try members.encode(title, forKey: .title)
            try members.encode(durationMs, forKey: .durationMs)
            try members.encode(durationConfidence, forKey: .durationConfidence)
            try members.encode(codec, forKey: .codec)
            try members.encode(bytes, forKey: .bytes)
            try members.encode(missing, forKey: .missing)
        }
    }

    public var book: LibraryBook
    public var tracks: [Track]
    public var chapters: [Inspection.Chapter]
    /// Milliseconds since 1970.
    public var addedAt: Int64

    public init(book: LibraryBook, tracks: [Track], chapters: [Inspection.Chapter], addedAt: Int64) {
        self.book = book
        self.tracks = tracks
        self.chapters = chapters
        self.addedAt = addedAt
    }
}

/// What `library add` and `library rescan` answer: how many books became what.
public struct LibraryImportSummary: Sendable, Hashable, Codable {
    public var added = 0
    public var moved = 0
    public var updated = 0
    public var unchanged = 0
    /// In the library, and not where they were.
    public var missing = 0
    /// Left out; each was told.
    public var failed = 0
    public var cancelled = false

    public init() {}
}

/// How an import goes on; one of these has a value.
public struct LibraryProgress: Sendable, Hashable, Codable {
    public struct Step: Sendable, Hashable, Codable {
        public var done: Int
        public var total: Int
        /// Of the book that comes next.
        public var title: String

        public init(done: Int, total: Int, title: String) {
            self.done = done
            self.total = total
            self.title = title
        }
    }

    public struct Book: Sendable, Hashable, Codable {
        public var id: String
        public var title: String
        /// `added`, `moved`, `updated`, `unchanged` or `missing`.
        public var outcome: String

        public init(id: String, title: String, outcome: String) {
            self.id = id
            self.title = title
            self.outcome = outcome
        }
    }

    /// Books found so far.
    public var found: Int?
    public var step: Step?
    public var book: Book?
    /// One line about what was left out.
    public var problem: String?

    public init(found: Int? = nil, step: Step? = nil, book: Book? = nil, problem: String? = nil) {
        self.found = found
        self.step = step
        self.book = book
        self.problem = problem
    }
}

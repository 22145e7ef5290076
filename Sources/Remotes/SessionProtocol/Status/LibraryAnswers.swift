// SPDX-License-Identifier: Apache-2.0

/// The result of `library list`: one page of the list, ordered by title; of `library next`, one book or none.
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
    /// The path of a picture.
    public var cover: String?
    public var durationMs: Int64?
    public var durationConfidence: String
    /// The number of files that are present.
    public var files: Int
    public var missing: Int
    /// The saved place of `main` in book time, or the end if that was heard.
    ///
    /// `nil` if the book was never played, or if the length of an earlier file is unknown.
    public var positionMs: Int64?
    /// The time at which that place was saved, in milliseconds since 1970.
    public var playedAt: Int64?
    /// The URI of its text; `nil`, and not printed, if none is known.
    public var text: String?

    public init(
        id: String, uri: String, title: String, author: String?, cover: String?, durationMs: Int64?,
        durationConfidence: String, files: Int, missing: Int, positionMs: Int64? = nil, playedAt: Int64? = nil,
        text: String? = nil
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
        self.positionMs = positionMs
        self.playedAt = playedAt
        self.text = text
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
        try members.encode(positionMs, forKey: .positionMs)
        try members.encode(playedAt, forKey: .playedAt)
        try members.encodeIfPresent(text, forKey: .text)
    }
}

/// The result of `library show`.
public struct LibraryBookDetail: Sendable, Hashable, Codable {
    public struct Track: Sendable, Hashable, Codable {
        public var uri: String
        public var title: String?
        public var durationMs: Int64?
        public var durationConfidence: String
        /// The codec; `unreadable` if no engine could open the file.
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
    /// The URI of its text; `nil`, and not printed, if it has none.
    public var text: String?

    public init(
        book: LibraryBook, tracks: [Track], chapters: [Inspection.Chapter], addedAt: Int64, text: String? = nil
    ) {
        self.book = book
        self.tracks = tracks
        self.chapters = chapters
        self.addedAt = addedAt
        self.text = text
    }
}

/// The result of `library add` and `library rescan`: the number of books for each outcome.
public struct LibraryImportSummary: Sendable, Hashable, Codable {
    public var added = 0
    public var moved = 0
    public var updated = 0
    public var unchanged = 0
    /// The number of books in the library that are not where they were.
    public var missing = 0
    /// The number of books that were left out; each was reported.
    public var failed = 0
    public var cancelled = false

    public init() {}
}

/// The progress of an import; exactly one member has a value.
public struct LibraryProgress: Sendable, Hashable, Codable {
    public struct Step: Sendable, Hashable, Codable {
        public var done: Int
        public var total: Int
        /// The title of the next book.
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
        /// One of `added`, `moved`, `updated`, `unchanged` and `missing`.
        public var outcome: String

        public init(id: String, title: String, outcome: String) {
            self.id = id
            self.title = title
            self.outcome = outcome
        }
    }

    /// The number of books found so far.
    public var found: Int?
    public var step: Step?
    public var book: Book?
    /// One line about something that was left out.
    public var problem: String?

    public init(found: Int? = nil, step: Step? = nil, book: Book? = nil, problem: String? = nil) {
        self.found = found
        self.step = step
        self.book = book
        self.problem = problem
    }
}

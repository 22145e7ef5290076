// SPDX-License-Identifier: Apache-2.0

/// The result of `clip` with `list`, `add`, `show` or `edit`.
public struct ClipPage: Sendable, Hashable, Codable {
    public var clips: [ClipInfo]
    public init(clips: [ClipInfo]) { self.clips = clips }
}

/// A clip of the library.
public struct ClipInfo: Sendable, Hashable, Codable {
    /// One end of a clip, exact in units of a track.
    public struct Bound: Sendable, Hashable, Codable {
        /// The track, from 0.
        public var track: Int
        public var units: Int64
        public var unitsPerSecond: Double

        public init(track: Int, units: Int64, unitsPerSecond: Double) {
            self.track = track
            self.units = units
            self.unitsPerSecond = unitsPerSecond
        }
    }

    public struct File: Sendable, Hashable, Codable {
        public var path: String
        public var frames: Int64
        public var sampleRate: Int
        /// `true` if the audio was encoded again; `false` if it is the source's own.
        public var encoded: Bool

        public init(path: String, frames: Int64, sampleRate: Int, encoded: Bool) {
            self.path = path
            self.frames = frames
            self.sampleRate = sampleRate
            self.encoded = encoded
        }
    }

    public var id: String
    /// The URI of the source.
    public var uri: String
    /// The items that open the source again.
    public var items: [String]
    public var title: String
    public var author: String?
    /// The title of the chapter in which the clip begins.
    public var chapter: String?
    public var start: Bound
    public var end: Bound
    /// The start in book time; `nil` if the length of an earlier file was unknown.
    public var startMs: Int64?
    public var durationMs: Int64?
    public var note: String
    public var tags: [String]
    /// Milliseconds since 1970.
    public var createdAt: Int64
    public var changedAt: Int64
    /// `false` if the source is gone, so that the clip plays from its own file.
    public var sourceThere: Bool
    /// The clip's own file; `nil` until it is made.
    public var file: File?
    /// The words, if the source is a text; such a clip has no file, and its units are bytes.
    public var quote: String?

    public init(
        id: String, uri: String, items: [String], title: String, author: String?, chapter: String?, start: Bound,
        end: Bound, startMs: Int64?, durationMs: Int64?, note: String, tags: [String], createdAt: Int64,
        changedAt: Int64, sourceThere: Bool, file: File?, quote: String? = nil
    ) {
        self.id = id
        self.uri = uri
        self.items = items
        self.title = title
        self.author = author
        self.chapter = chapter
        self.start = start
        self.end = end
        self.startMs = startMs
        self.durationMs = durationMs
        self.note = note
        self.tags = tags
        self.createdAt = createdAt
        self.changedAt = changedAt
        self.sourceThere = sourceThere
        self.file = file
        self.quote = quote
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(uri, forKey: .uri)
        try members.encode(items, forKey: .items)
        try members.encode(title, forKey: .title)
        try members.encode(author, forKey: .author)
        try members.encode(chapter, forKey: .chapter)
        try members.encode(start, forKey: .start)
        try members.encode(end, forKey: .end)
        try members.encode(startMs, forKey: .startMs)
        try members.encode(durationMs, forKey: .durationMs)
        try members.encode(note, forKey: .note)
        try members.encode(tags, forKey: .tags)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(changedAt, forKey: .changedAt)
        try members.encode(sourceThere, forKey: .sourceThere)
        try members.encode(file, forKey: .file)
        try members.encode(quote, forKey: .quote)
    }

    private static let numbers: ClosedRange<Int64> = 0...(1 << 53)

    /// Throws if a clip that is imported cannot be one.
    func validate() throws(SessionError) {
        let bounds = [start, end]
        guard
            bounds.allSatisfy({
                (0..<65_536).contains($0.track) && Self.numbers.contains($0.units)
                    && (0.1...1e6).contains($0.unitsPerSecond)
            }),
            (start.track, start.units) < (end.track, end.units)
        else {
            throw SessionError(.usage, "clip import: clip \(id.debugDescription) has no start before its end")
        }
        // A double holds each of them, and a sum of two does not overflow.
        guard [startMs ?? 0, durationMs ?? 0, createdAt, changedAt].allSatisfy(Self.numbers.contains) else {
            throw SessionError(.usage, "clip import: clip \(id.debugDescription) has impossible times")
        }
        guard ![title, note, author ?? "", chapter ?? ""].contains(where: { $0.utf8.contains(0) }) else {
            throw SessionError(.usage, "clip import: a text of clip \(id.debugDescription) contains a zero byte")
        }
        if let quote {
            guard !quote.isEmpty, quote.utf8.count <= ClipAction.longestQuote, !quote.utf8.contains(0) else {
                throw SessionError(
                    .usage,
                    "clip import: the quote of clip \(id.debugDescription) is empty, or longer than \(ClipAction.longestQuote) bytes"
                )
            }
        }
        guard !items.isEmpty, items.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(0) }), !uri.isEmpty,
            note.utf8.count <= ClipAction.longestNote, title.utf8.count <= ClipAction.longestNote
        else {
            throw SessionError(.usage, "clip import: clip \(id.debugDescription) names no source, or is too long")
        }
        guard items.allSatisfy(Self.leadsToOneItem) else {
            throw SessionError(
                .usage,
                "clip import: the source of clip \(id.debugDescription) is no absolute path, URL or library:ID; put one into its items"
            )
        }
        try ClipAction.check(tags: tags)
    }

    /// Returns `true` for an item that means the same to every session, wherever it was started.
    private static func leadsToOneItem(_ item: String) -> Bool {
        let schemes = ["http://", "https://", "file:/", "library:"]
        return item.hasPrefix("/")
            || schemes.contains { item.lowercased().hasPrefix($0) && item.utf8.count > $0.utf8.count }
    }
}

/// The result of `clip` with `export`: the files that were written, and what failed.
public struct ClipExport: Sendable, Hashable, Codable {
    public struct Failure: Sendable, Hashable, Codable {
        public var id: String
        public var message: String

        public init(id: String, message: String) {
            self.id = id
            self.message = message
        }
    }

    /// The paths, in the order of the ids.
    public var files: [String]
    public var failed: [Failure]

    public init(files: [String], failed: [Failure]) {
        self.files = files
        self.failed = failed
    }
}

/// The result of `clip` with `repair`.
public struct ClipRepair: Sendable, Hashable, Codable {
    /// The number of files that were made.
    public var made: Int
    /// The number of files that belong to no clip, and were moved into `lost`.
    public var aside: Int
    /// The folder of these files; `nil` if none was moved.
    public var lost: String?
    public var failed: [ClipExport.Failure]

    public init(made: Int, aside: Int, lost: String?, failed: [ClipExport.Failure]) {
        self.made = made
        self.aside = aside
        self.lost = lost
        self.failed = failed
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(made, forKey: .made)
        try members.encode(aside, forKey: .aside)
        try members.encode(lost, forKey: .lost)
        try members.encode(failed, forKey: .failed)
    }
}

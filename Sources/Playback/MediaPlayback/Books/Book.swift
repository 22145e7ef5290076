// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// What a file holds, in 16 bytes: the same for a copy, a moved and a renamed file.
public struct Fingerprint: Sendable, Hashable {
    public static let size = 16
    public let bytes: [UInt8]

    /// - Returns: nil if it is not as long as fingerprints are.
    public init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        if self.bytes.count != Self.size { return nil }
    }
}

/// A file as the file system knows it.
public struct BookFile: Sendable, Hashable {
    /// Of its path, byte for byte; names need not be UTF-8.
    public var uri: String
    /// Bytes.
    public var size: Int64
    /// When it was changed last; nanoseconds since 1970.
    public var modified: Int64

    public init(uri: String, size: Int64, modified: Int64) {
        self.uri = uri
        self.size = size
        self.modified = modified
    }
}

/// A file of a book, and what an engine said of it.
public struct BookTrack: Sendable, Hashable {
    public var file: BookFile
    /// nil: it could not be read.
    public var fingerprint: Fingerprint?
    /// In frames at the sample rate; unknown where no engine could open the file.
    public var timeline: TimelineTrack
    public var codec: String?
    public var title: String?
    /// It was not there when the book was looked at last; it keeps its number among the book's files.
    public var isMissing: Bool

    /// Codec of a file that no engine could open: it is not tried again before it is changed.
    public static let unreadable = "unreadable"

    /// No engine has seen it as it is.
    public var needsInspection: Bool { !isMissing && codec == nil }

    public init(
        file: BookFile, fingerprint: Fingerprint? = nil,
        timeline: TimelineTrack = TimelineTrack(unitsPerSecond: 1, duration: nil, confidence: .unknown),
        codec: String? = nil, title: String? = nil, isMissing: Bool = false
    ) {
        self.file = file
        self.fingerprint = fingerprint
        self.timeline = timeline
        self.codec = codec
        self.title = title
        self.isMissing = isMissing
    }
}

/// What opens a book.
public enum BookShape: String, Sendable, Hashable {
    case file
    /// All audio in a folder, in the order in which playing the folder plays it.
    case folder
    /// Files in an order that somebody gave.
    case list
}

/// A book of the library.
public struct Book: Sendable, Hashable {
    /// Short, and the same as long as the book is in the library; given by the store.
    public var id: String
    /// As playing it has it: its places are kept by it.
    public var uri: String
    public var shape: BookShape
    public var title: String
    public var author: String?
    /// Path of a picture.
    public var cover: String?
    /// Its files were looked into for a picture; false: none was looked for, or it could not be read or kept.
    public var isPictureKnown: Bool
    /// In order, with those that are missing.
    public var tracks: [BookTrack]
    /// `track` counts all of ``tracks``.
    public var chapters: [Chapter]
    /// Wall clock, milliseconds since 1970.
    public var addedAt: Int64

    public init(
        id: String = "", uri: String, shape: BookShape, title: String, author: String? = nil, cover: String? = nil,
        isPictureKnown: Bool = false, tracks: [BookTrack], chapters: [Chapter] = [], addedAt: Int64
    ) {
        self.id = id
        self.uri = uri
        self.shape = shape
        self.title = title
        self.author = author
        self.cover = cover
        self.isPictureKnown = isPictureKnown
        self.tracks = tracks
        self.chapters = chapters
        self.addedAt = addedAt
    }

    /// Of the files that are there, which is what plays.
    public var timeline: BookTimeline {
        var numbers: [Int: Int] = [:]
        var there: [TimelineTrack] = []
        for (number, track) in tracks.enumerated() where !track.isMissing {
            numbers[number] = there.count
            there.append(track.timeline)
        }
        return BookTimeline(
            tracks: there,
            chapters: chapters.compactMap { chapter in
                numbers[chapter.track].map { number in
                    var chapter = chapter
                    chapter.track = number
                    return chapter
                }
            })
    }

    public var missing: Int { tracks.count(where: \.isMissing) }

    /// What to resolve to open it.
    ///
    /// URIs, not paths: a name that is no UTF-8 has no path as a String.
    public var items: [String] { shape == .list ? tracks.filter { !$0.isMissing }.map(\.file.uri) : [uri] }
}

/// A line of the list of books.
public struct BookSummary: Sendable, Hashable {
    public var id: String
    public var uri: String
    public var title: String
    public var author: String?
    public var cover: String?
    /// Of what is there; nil: not known.
    public var milliseconds: Int64?
    public var confidence: Confidence
    public var files: Int
    public var missing: Int

    public init(
        id: String, uri: String, title: String, author: String?, cover: String?, milliseconds: Int64?,
        confidence: Confidence, files: Int, missing: Int
    ) {
        self.id = id
        self.uri = uri
        self.title = title
        self.author = author
        self.cover = cover
        self.milliseconds = milliseconds
        self.confidence = confidence
        self.files = files
        self.missing = missing
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// The content of a file in 16 bytes: the same for a copy, and for a moved or renamed file.
public struct Fingerprint: Sendable, Hashable {
    public static let size = 16
    public let bytes: [UInt8]

    /// - Returns: `nil` if the bytes do not have the length of a fingerprint.
    public init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        if self.bytes.count != Self.size { return nil }
    }
}

/// A file as it is in the file system.
public struct BookFile: Sendable, Hashable {
    /// The URI of its path, byte for byte; names need not be UTF-8.
    public var uri: String
    /// The size in bytes.
    public var size: Int64
    /// The time of its last modification, in nanoseconds since 1970.
    public var modified: Int64

    public init(uri: String, size: Int64, modified: Int64) {
        self.uri = uri
        self.size = size
        self.modified = modified
    }
}

/// A file of a book, with an engine's description of it.
public struct BookTrack: Sendable, Hashable {
    public var file: BookFile
    /// The fingerprint; `nil` if the file could not be read.
    public var fingerprint: Fingerprint?
    /// The timeline in frames at the sample rate; unknown if no engine could open the file.
    public var timeline: TimelineTrack
    public var codec: String?
    public var title: String?
    /// `true` if the file was missing at the last check; it keeps its number among the book's files.
    public var isMissing: Bool

    /// The codec of a file that no engine could open: it is not tried again until it is changed.
    public static let unreadable = "unreadable"

    /// `true` if no engine has seen the file as it is now.
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

/// The kind of source that opens a book.
public enum BookShape: String, Sendable, Hashable {
    case file
    /// All audio files in a folder, in the order in which the folder is played.
    case folder
    /// Files in a given order.
    case list
}

/// A book of the library.
public struct Book: Sendable, Hashable {
    /// A short id that the store assigns; it is the same as long as the book is in the library.
    public var id: String
    /// The URI that playback uses; the book's places are stored under it.
    public var uri: String
    public var shape: BookShape
    public var title: String
    public var author: String?
    /// The path of a picture.
    public var cover: String?
    /// `true` if its files were searched for a picture.
    ///
    /// `false` if that was not done, or if a picture could not be read or kept.
    public var isPictureKnown: Bool
    /// The files in order, including missing ones.
    public var tracks: [BookTrack]
    /// The chapters; `track` counts all of ``tracks``.
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

    /// The timeline of the files that are there, which is what plays.
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

    /// The items to resolve to open the book.
    ///
    /// They are URIs, not paths: a name that is not UTF-8 has no path as a String.
    public var items: [String] { shape == .list ? tracks.filter { !$0.isMissing }.map(\.file.uri) : [uri] }
}

/// An entry in the list of books.
public struct BookSummary: Sendable, Hashable {
    public var id: String
    public var uri: String
    public var shape: BookShape
    public var title: String
    public var author: String?
    public var cover: String?
    /// The duration of the files that are there; `nil` if it is not known.
    public var milliseconds: Int64?
    public var confidence: Confidence
    public var files: Int
    public var missing: Int
    /// The saved place of the user in book time, or the end if that was heard.
    ///
    /// `nil` if there is no place, or if a duration before it is unknown.
    public var position: Int64?
    /// The time at which that place was saved: wall clock, milliseconds since 1970.
    public var playedAt: Int64?
    /// The text that it was given, or the word that it has none; `nil` if nothing was said.
    public var pair: TextPair?

    public init(
        id: String, uri: String, shape: BookShape, title: String, author: String?, cover: String?, milliseconds: Int64?,
        confidence: Confidence, files: Int, missing: Int, position: Int64? = nil, playedAt: Int64? = nil,
        pair: TextPair? = nil
    ) {
        self.id = id
        self.uri = uri
        self.shape = shape
        self.title = title
        self.author = author
        self.cover = cover
        self.milliseconds = milliseconds
        self.confidence = confidence
        self.files = files
        self.missing = missing
        self.position = position
        self.playedAt = playedAt
        self.pair = pair
    }
}

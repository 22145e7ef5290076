// SPDX-License-Identifier: Apache-2.0

/// The kind of a piece of content.
public enum Kind: UInt32, Sendable {
    case audio = 1
    case text = 2
}

/// The content to load, and the position to start from.
public struct Content: Sendable {
    public var kind: Kind
    public var trackCount: Int
    public var startTrack: Int
    /// The start position, in units of `startTrack`.
    public var start: Int64
    /// The language of the content as a BCP 47 tag, which is only a hint.
    public var language: String?
    public var voice: String?
    public var rate: Double
}

/// A picture, as its file holds it.
public struct CoverPicture: Sendable, Hashable {
    /// The media type of the bytes, such as `image/jpeg`; at most 64 bytes of printable ASCII.
    ///
    /// It names the actual format, which may differ from what a tag claims.
    public var mediaType: String
    /// The picture, 1 to `ROSTRUM_COVER_LIMIT` bytes; the host does not receive a longer one.
    public var bytes: [UInt8]

    public init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

/// A range of the content, `[start, end)`.
public struct PlayingRange: Sendable, Hashable {
    public var startTrack: Int
    /// The first unit of the range, in units of `startTrack`.
    public var start: Int64
    public var endTrack: Int
    /// The unit at which the range ends, in units of `endTrack`.
    public var end: Int64
    public var loops: Bool
}

/// The source of the bytes of one track.
public enum Source: Sendable {
    /// An open, read-only file descriptor, which the engine closes; it may be unseekable.
    case descriptor(Int32, name: String)
    /// An http or https address, with header lines that must never be logged.
    case url(String, headers: String?, name: String)
}

/// The certificates that the user trusts in addition to those of the system.
public struct Trust: Sendable, Hashable {
    /// Certificates in PEM, concatenated.
    public var certificates: String?
    /// The SHA-256 fingerprints of certificates that are accepted as they are, in lower-case hexadecimal digits.
    public var fingerprints: [String]

    public init(certificates: String? = nil, fingerprints: [String] = []) {
        self.certificates = certificates
        self.fingerprints = fingerprints
    }
}

/// The reliability of a duration.
public enum Confidence: UInt32, Sendable {
    case unknown = 1
    case estimated = 2
    case container = 3
    case exact = 4
}

/// The encoding that the content has at its source; blocks are always float.
public enum Encoding: UInt32, Sendable {
    case int16 = 1
    case int24 = 2
    case int32 = 3
    case float32 = 4
}

/// The description of the loaded item.
public struct Media: Sendable {
    public var title: String?
    public var author: String?
    /// The chapters, in order of track and start.
    public var chapters: [Chapter]

    public init(title: String? = nil, author: String? = nil, chapters: [Chapter] = []) {
        self.title = title
        self.author = author
        self.chapters = chapters
    }
}

/// The description of one track.
public struct Track: Sendable {
    public var sampleRate: Int
    public var channels: Int
    public var encoding: Encoding
    /// The duration in units, or `nil` if it is not known.
    public var duration: Int64?
    public var confidence: Confidence
    /// The sample rate for audio; the average reading speed for text.
    public var unitsPerSecond: Double
    /// A short name such as `aac`; empty if no codec applies.
    public var codec: String
    public var title: String?

    public init(
        sampleRate: Int, channels: Int, encoding: Encoding, duration: Int64?, confidence: Confidence,
        unitsPerSecond: Double, codec: String, title: String? = nil
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.encoding = encoding
        self.duration = duration
        self.confidence = confidence
        self.unitsPerSecond = unitsPerSecond
        self.codec = codec
        self.title = title
    }
}

/// A chapter over `[start, end)` of one track, in units.
public struct Chapter: Sendable {
    public var track: Int
    public var start: Int64
    /// The unit at which the chapter ends, or `nil` if it ends at the next chapter or at the end of the track.
    public var end: Int64?
    public var title: String?
    /// The listing that the chapter comes from: `quicktime`, `nero`, `id3` and others.
    public var source: String

    public init(track: Int, start: Int64, end: Int64?, title: String?, source: String) {
        self.track = track
        self.start = start
        self.end = end
        self.title = title
        self.source = source
    }
}

/// The description of one voice.
public struct Voice: Sendable {
    public var name: String
    public var language: String
    public var description: String?

    public init(name: String, language: String, description: String? = nil) {
        self.name = name
        self.language = language
        self.description = description
    }
}

/// The kind of text that a mark points at.
public enum MarkKind: UInt32, Sendable {
    case word = 1
    case sentence = 2
}

/// The severity of a line in the log.
public enum LogLevel: UInt32, Sendable {
    case debug = 1
    case info = 2
    case warning = 3
    case error = 4
}

/// A block to fill.
///
/// ``samples`` has room for ``capacity`` interleaved floats.
public struct Block {
    public let samples: UnsafeMutablePointer<Float>
    /// The room in ``samples``, in floats, not frames.
    public let capacity: Int

    /// The number of frames written.
    public var frames = 0
    public var sampleRate = 0
    public var channels = 0
    public var track = 0
    /// The position of the first frame, in units.
    public var position: Int64 = 0
    /// The position just behind the last frame, in units; for audio `position + frames`.
    public var positionEnd: Int64 = 0
    /// `true` if nothing comes after this block.
    public var isEnd = false
    /// `true` if this is the last block of its track.
    public var isTrackEnd = false
    /// `true` if something before this block could not be decoded and was left out.
    public var isDamaged = false

    public init(samples: UnsafeMutablePointer<Float>, capacity: Int) {
        self.samples = samples
        self.capacity = capacity
    }
}

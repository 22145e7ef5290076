// SPDX-License-Identifier: Apache-2.0

public enum Kind: UInt32, Sendable {
    case audio = 1
    case text = 2
}

/// What to load, and where to begin.
public struct Content: Sendable {
    public var kind: Kind
    public var trackCount: Int
    public var startTrack: Int
    /// Units within `startTrack`.
    public var start: Int64
    /// BCP 47, a hint.
    public var language: String?
    public var voice: String?
    public var rate: Double
}

/// A picture as a file holds it.
public struct CoverPicture: Sendable, Hashable {
    /// What the bytes are, as `image/jpeg`; at most 64 bytes of printable ASCII.
    public var mediaType: String
    /// 1 to `ROSTRUM_COVER_LIMIT`; what is longer is not given to the host.
    public var bytes: [UInt8]

    public init(mediaType: String, bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

/// A part of the content, `[start, end)`.
public struct PlayingRange: Sendable, Hashable {
    public var startTrack: Int
    /// Units of that track.
    public var start: Int64
    public var endTrack: Int
    /// Units of that track.
    public var end: Int64
    public var loops: Bool
}

/// Where the bytes of one track come from.
public enum Source: Sendable {
    /// An open, read-only file, which the engine closes; it may be unseekable.
    case descriptor(Int32, name: String)
    /// http or https, and header lines that are never logged.
    case url(String, headers: String?, name: String)
}

/// What counts beside the system's certificates.
public struct Trust: Sendable, Hashable {
    /// PEM, one after the other.
    public var certificates: String?
    /// SHA-256 of certificates that are taken as they are, in lower-case hexadecimal digits.
    public var fingerprints: [String]

    public init(certificates: String? = nil, fingerprints: [String] = []) {
        self.certificates = certificates
        self.fingerprints = fingerprints
    }
}

/// How sure a duration is.
public enum Confidence: UInt32, Sendable {
    case unknown = 1
    case estimated = 2
    case container = 3
    case exact = 4
}

/// The encoding at the source; blocks are always float.
public enum Encoding: UInt32, Sendable {
    case int16 = 1
    case int24 = 2
    case int32 = 3
    case float32 = 4
}

/// What was loaded.
public struct Media: Sendable {
    public var title: String?
    public var author: String?
    /// In order of track and start.
    public var chapters: [Chapter]

    public init(title: String? = nil, author: String? = nil, chapters: [Chapter] = []) {
        self.title = title
        self.author = author
        self.chapters = chapters
    }
}

public struct Track: Sendable {
    public var sampleRate: Int
    public var channels: Int
    public var encoding: Encoding
    /// Units; `nil` if not known.
    public var duration: Int64?
    public var confidence: Confidence
    /// The sample rate for audio, the average reading speed for text.
    public var unitsPerSecond: Double
    /// Short name, as `aac`.
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
    /// `nil`: up to the next chapter, or the end of the track.
    public var end: Int64?
    public var title: String?
    /// Which of several listings it comes from: `quicktime`, `nero`, `id3` and others.
    public var source: String

    public init(track: Int, start: Int64, end: Int64?, title: String?, source: String) {
        self.track = track
        self.start = start
        self.end = end
        self.title = title
        self.source = source
    }
}

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

public enum MarkKind: UInt32, Sendable {
    case word = 1
    case sentence = 2
}

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
    /// Floats, not frames.
    public let capacity: Int

    /// Frames written.
    public var frames = 0
    public var sampleRate = 0
    public var channels = 0
    public var track = 0
    /// Units, of the first frame.
    public var position: Int64 = 0
    /// Units, just behind the last frame; for audio `position + frames`.
    public var positionEnd: Int64 = 0
    /// Nothing comes after this block.
    public var isEnd = false
    /// The last block of its track.
    public var isTrackEnd = false
    /// Something before it could not be decoded and was left out.
    public var isDamaged = false

    public init(samples: UnsafeMutablePointer<Float>, capacity: Int) {
        self.samples = samples
        self.capacity = capacity
    }
}

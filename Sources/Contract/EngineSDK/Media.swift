// SPDX-License-Identifier: Apache-2.0

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

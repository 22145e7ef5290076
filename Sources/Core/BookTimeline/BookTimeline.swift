// SPDX-License-Identifier: Apache-2.0

/// One track on the timeline of its book.
public struct TimelineTrack: Hashable, Sendable, Codable {
    /// Greater than 0: the sample rate for audio, the average reading speed for text.
    public var unitsPerSecond: Double
    /// Units; nil if not known.
    public var duration: Int64?
    public var confidence: Confidence

    public init(unitsPerSecond: Double, duration: Int64?, confidence: Confidence) {
        self.unitsPerSecond = unitsPerSecond.isFinite && unitsPerSecond > 0 ? unitsPerSecond : 1
        self.duration = duration.map { max(0, $0) }
        self.confidence = duration == nil ? .unknown : confidence
    }
}

/// A chapter over `[start, end)` within one track.
public struct Chapter: Hashable, Sendable, Codable {
    public var title: String?
    public var track: Int
    public var start: Int64
    /// nil: to the next chapter, or to the end of the track.
    public var end: Int64?
    /// Which listing it comes from: `quicktime`, `nero`, `id3`, …
    public var source: String

    public init(title: String?, track: Int, start: Int64, end: Int64?, source: String) {
        self.title = title
        self.track = track
        self.start = start
        self.end = end
        self.source = source
    }
}

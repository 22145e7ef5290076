// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import BookTimeline

/// The engine's description of a track that it has opened.
public struct TrackDescription: Sendable, Hashable {
    public var timeline: TimelineTrack
    public var format: AudioFormat
    public var encoding: SampleEncoding
    public var codec: String
    public var title: String?

    public init(timeline: TimelineTrack, format: AudioFormat, encoding: SampleEncoding, codec: String, title: String?) {
        self.timeline = timeline
        self.format = format
        self.encoding = encoding
        self.codec = codec
        self.title = title
    }
}

/// The engine's description of an item that it has loaded.
public struct MediaDescription: Sendable, Hashable {
    public var title: String?
    public var author: String?
    /// One description per track of the content.
    ///
    /// A track that was not opened yet has no duration and the start track's format; its details follow as
    /// `EngineEvent.track`.
    public var tracks: [TrackDescription]
    public var chapters: [Chapter]
    /// The range of rates that the engine renders itself; the session does the rest.
    public var nativeRates: ClosedRange<Double>?

    public init(
        title: String?, author: String?, tracks: [TrackDescription], chapters: [Chapter],
        nativeRates: ClosedRange<Double>?
    ) {
        self.title = title
        self.author = author
        self.tracks = tracks
        self.chapters = chapters
        self.nativeRates = nativeRates
    }
}

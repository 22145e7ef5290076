// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// The format of a file into which a passage is exported.
public enum CutFormat: String, Sendable, Hashable, CaseIterable {
    case m4a, mp3, opus, flac, wav
    /// A still video with the cover and the waveform, for places that take only that.
    case mp4
}

/// A text with which a file describes itself.
public enum CutTag: String, Sendable, Hashable, CaseIterable {
    case title, artist, album, chapter, comment, date
}

/// A passage of what an engine has loaded, to be written into a file of its own.
public struct ClipCut: Sendable {
    public var start: MediaPosition
    /// The position behind the last unit of the passage.
    public var end: MediaPosition
    /// The format, or `nil` to keep the encoding of the source where that is possible.
    public var format: CutFormat?
    public var tags: [CutTag: String]
    /// An empty file, open for reading and writing.
    public var file: SharedDescriptor
    /// A JPEG or PNG picture, open for reading.
    public var cover: SharedDescriptor?

    public init(
        start: MediaPosition, end: MediaPosition, format: CutFormat? = nil, tags: [CutTag: String] = [:],
        file: SharedDescriptor, cover: SharedDescriptor? = nil
    ) {
        self.start = start
        self.end = end
        self.format = format
        self.tags = tags
        self.file = file
        self.cover = cover
    }
}

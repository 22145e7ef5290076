// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// A passage of a book that the listener keeps.
///
/// It carries what it needs to outlive its book: the title and the author as they were, and a file of its own.
public struct Clip: Sendable, Hashable {
    /// One end of the passage, in units of a track of the source.
    public struct Bound: Sendable, Hashable {
        /// The track among those that are there, as in a saved place, and the units in it.
        public var position: MediaPosition
        public var unitsPerSecond: Double
        /// The content of the track's file; `nil` if the library does not know it.
        ///
        /// With it, the bound is found again in a book whose files are in another order.
        public var fingerprint: Fingerprint?

        public init(_ position: MediaPosition, unitsPerSecond: Double, fingerprint: Fingerprint? = nil) {
            self.position = position
            self.unitsPerSecond = unitsPerSecond
            self.fingerprint = fingerprint
        }
    }

    /// A short id that the store assigns.
    public var id: String
    /// The URI of the source, as playback uses it.
    public var uri: String
    /// The items to resolve to open the source again.
    public var items: [String]
    /// The title of the source when the clip was made.
    public var title: String
    public var author: String?
    /// The title of the chapter in which the passage begins.
    public var chapter: String?
    /// The first frame of the passage.
    public var start: Bound
    /// The first frame behind the passage.
    public var end: Bound
    /// The start in book time, in milliseconds; `nil` if the length of an earlier file was unknown.
    public var startMilliseconds: Int64?
    /// The length in milliseconds; `nil` if the length of a file in between was unknown.
    public var milliseconds: Int64?
    public var note: String
    /// The tags in the listener's order, each once.
    public var tags: [String]
    /// Wall clock, milliseconds since 1970.
    public var createdAt: Int64
    public var changedAt: Int64
    /// `false` if a file of the passage was missing when the library last looked at the book.
    public var isSourceThere: Bool
    /// The clip's own file; `nil` until it is made.
    public var file: ClipFile?
    /// The words of the passage, if the source is a text; such a clip has no file of its own.
    public var quote: ClipQuote?

    public init(
        id: String = "", uri: String, items: [String], title: String, author: String? = nil, chapter: String? = nil,
        start: Bound, end: Bound, startMilliseconds: Int64? = nil, milliseconds: Int64? = nil, note: String = "",
        tags: [String] = [], createdAt: Int64, changedAt: Int64? = nil, isSourceThere: Bool = true,
        file: ClipFile? = nil, quote: ClipQuote? = nil
    ) {
        self.id = id
        self.uri = uri
        self.items = items
        self.title = title
        self.author = author
        self.chapter = chapter
        self.start = start
        self.end = end
        self.startMilliseconds = startMilliseconds
        self.milliseconds = milliseconds
        self.note = note
        self.tags = tags
        self.createdAt = createdAt
        self.changedAt = changedAt ?? createdAt
        self.isSourceThere = isSourceThere
        self.file = file
        self.quote = quote
    }

    /// Returns `true` if the other clip has the same bounds, although its source may be elsewhere by now.
    public func hasBounds(of other: Clip) -> Bool {
        let isSameTrack =
            uri != other.uri
            || (start.position.track, end.position.track) == (
                other.start.position.track, other.end.position.track
            )
        return isSameTrack && start.position.units == other.start.position.units
            && end.position.units == other.end.position.units
    }
}

extension Clip {
    /// `true` if the clip has a file, and that has the audio of its bounds.
    public var isFileCurrent: Bool {
        file.map { ($0.start, $0.end) == (start.position.units, end.position.units) } ?? false
    }
}

/// The audio file that belongs to a clip.
public struct ClipFile: Sendable, Hashable {
    /// The name in the folder of clips.
    public var name: String
    /// The bounds that it was made of, in units of their tracks.
    public var start: Int64
    public var end: Int64
    /// The length in frames at ``sampleRate``.
    public var frames: Int64
    public var sampleRate: Int
    /// `true` if the audio was encoded again; `false` if it is the source's own.
    public var isEncoded: Bool

    public init(name: String, start: Int64, end: Int64, frames: Int64, sampleRate: Int, isEncoded: Bool) {
        self.name = name
        self.start = start
        self.end = end
        self.frames = frames
        self.sampleRate = sampleRate
        self.isEncoded = isEncoded
    }
}

// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
import PlaybackCore

/// An item that an engine has open, with the engine's description of it.
public struct LoadedMedia: Sendable {
    public var content: Content
    public var description: MediaDescription
    /// The timeline for navigation; the files of a book without chapters are its chapters.
    public private(set) var timeline: BookTimeline
    public private(set) var marks = SpokenMarks()
    /// The seconds between the chapters of a long file that has none; 0 if there are none.
    private let syntheticChapters: Double
    /// The speed of a text in bytes a second, if that was learned; `nil` for what the engine says.
    private(set) var pace: Double?

    public init(content: Content, description: MediaDescription, syntheticChapters: Double = 0) {
        self.init(content: content, description: description, syntheticChapters: syntheticChapters, pace: nil)
    }

    init(content: Content, description: MediaDescription, syntheticChapters: Double, pace: Double?) {
        self.content = content
        self.description = description
        self.syntheticChapters = syntheticChapters
        self.pace = pace
        timeline = Self.timeline(content, description, syntheticChapters, pace)
    }

    /// The end of the part that plays; `nil` if all of it does, or its end has no place yet.
    public var partEnd: MediaPosition? {
        guard let clip = content.clip, let start = position(of: clip.start, from: .start) else { return nil }
        return position(of: clip.end, from: start)
    }

    /// Returns a place, or the beginning of the part that plays if the place lies before it.
    func inPart(_ position: MediaPosition) -> MediaPosition {
        guard let clip = content.clip, let start = self.position(of: clip.start, from: .start) else { return position }
        return max(position, start)
    }

    private static func timeline(
        _ content: Content, _ description: MediaDescription, _ syntheticChapters: Double, _ pace: Double?
    ) -> BookTimeline {
        var chapters = ChapterRanking.chapters(of: content, description)
        if chapters.isEmpty, description.tracks.count > 1 {
            chapters = description.tracks.enumerated().map { index, track in
                Chapter(
                    title: track.title ?? content.tracks[safe: index]?.title, track: index, start: 0, end: nil,
                    source: "file")
            }
        }
        let tracks = description.tracks.map { track in
            // What an engine has counted is no estimate.
            guard let pace, track.timeline.confidence == .estimated else { return track.timeline }
            return TimelineTrack(unitsPerSecond: pace, duration: track.timeline.duration, confidence: .estimated)
        }
        let timeline = BookTimeline(tracks: tracks, chapters: chapters)
        // A text is no recording, and a part of a file has no parts of its own.
        guard content.kind == .audio, content.clip == nil else { return timeline }
        return timeline.withSyntheticChapters(every: syntheticChapters)
    }

    /// Takes over what the engine has found out about tracks, by their index.
    mutating func update(tracks: [Int: TrackDescription]) {
        for (index, track) in tracks where description.tracks.indices.contains(index) {
            description.tracks[index] = track
        }
        timeline = Self.timeline(content, description, syntheticChapters, pace)
    }

    /// Takes over what the engine has found out about all tracks.
    mutating func update(_ description: MediaDescription) {
        self.description = description
        timeline = Self.timeline(content, description, syntheticChapters, pace)
    }

    /// Takes over the speed at which the text turned out to be spoken.
    mutating func set(pace: Double) {
        self.pace = pace
        timeline = Self.timeline(content, description, syntheticChapters, pace)
    }

    mutating func note(_ mark: SpokenMarks.Mark) {
        marks.append(mark)
    }

    /// Takes over the marks that came before the item was known to be open.
    mutating func take(_ marks: SpokenMarks) { self.marks = marks }

    mutating func forgetMarks() {
        marks = SpokenMarks()
    }

    public var title: String {
        content.document?.title ?? (content.isListed ? content.title : description.title ?? content.title)
    }
    public var author: String? {
        content.document?.author ?? (content.isListed ? content.author : nil) ?? description.author
    }

    /// Returns the position that a target names.
    ///
    /// - Parameter now: the audible position, or else the position where playback will begin.
    public func position(of target: SeekTarget, from now: MediaPosition) -> MediaPosition? {
        if case .page(let label) = target {
            return content.document?.page(labelled: label).map { MediaPosition(track: 0, units: $0.start) }
        }
        let position = timeline.position(of: target, from: now)
        // What is heard again is whole sentences.
        guard case .rewound = target, let position, let document = content.document else { return position }
        return MediaPosition(
            track: position.track, units: document.sentenceStart(at: position.units) ?? position.units)
    }
}

/// The items that were open recently, by URI.
struct KnownMedia {
    private static let capacity = 16
    /// The number of items with a document, each of which has two descriptors.
    private static let mostDocuments = 4
    private var entries: [LoadedMedia] = []

    subscript(uri: String) -> LoadedMedia? { entries.last { $0.content.uri == uri } }

    mutating func remember(_ media: LoadedMedia) {
        entries.removeAll { $0.content.uri == media.content.uri }
        entries.append(media)
        if entries.count > Self.capacity { entries.removeFirst() }
        let documents = entries.indices.filter { entries[$0].content.document != nil }
        if documents.count > Self.mostDocuments { entries.remove(at: documents[0]) }
    }

    /// Updates an item about which more was found out.
    mutating func update(_ media: LoadedMedia) {
        guard let index = entries.lastIndex(where: { $0.content.uri == media.content.uri }) else { return }
        entries[index] = media
    }
}

/// The words and sentences that were rendered recently, found by their position.
public struct SpokenMarks: Sendable {
    public struct Mark: Sendable, Hashable {
        public var kind: MarkKind
        public var position: Int64
        public var length: Int64
    }

    /// Far more marks than can lie between rendering and hearing.
    private static let capacity = 4096
    private var marks: [Mark] = []

    mutating func append(_ mark: Mark) {
        if marks.count == Self.capacity { marks.removeFirst(Self.capacity / 2) }
        marks.append(mark)
    }

    /// Returns the last word that begins at or before a position, or else the sentence.
    public func heard(at position: Int64) -> Mark? {
        var sentence: Mark?
        for mark in marks.reversed() where mark.position <= position {
            if mark.kind == .word { return mark }
            sentence = sentence ?? mark
        }
        return sentence
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

// SPDX-License-Identifier: Apache-2.0

public import AlignmentFile
public import MediaPlayback

/// The sentences of a text that were found in its recording.
public struct WorkAlignment: Sendable, Hashable {
    public struct Passage: Sendable, Hashable {
        public var text: Range<Int64>
        /// The number of the file in the book, counted from 0.
        public var track: Int
        /// Milliseconds in that file.
        public var sound: Range<Int64>
        /// The bound of the error in seconds.
        public var error: Double

        public init(text: Range<Int64>, track: Int, sound: Range<Int64>, error: Double) {
            self.text = text
            self.track = track
            self.sound = sound
            self.error = error
        }
    }

    /// The passages that were found, in order.
    public var passages: [Passage]
    /// `true` if the whole recording was compared.
    public var isComplete: Bool
    /// The passages of either side that the other one does not have, in order of the recording.
    public var unmatched: [UnmatchedPassage]

    public init(passages: [Passage], isComplete: Bool, unmatched: [UnmatchedPassage] = []) {
        self.passages = passages
        self.isComplete = isComplete
        self.unmatched = unmatched
    }
}

/// The state of an alignment on disk.
public struct AlignmentVersion: Sendable, Hashable {
    public var size: Int64
    /// The time of the last change in nanoseconds.
    public var changed: Int64

    public init(size: Int64, changed: Int64) {
        self.size = size
        self.changed = changed
    }
}

/// Reads what was found by comparing recordings with texts.
public protocol AlignmentReading: Sendable {
    /// Returns the state of the alignment; `nil` if there is none.
    func version(of book: Book, _ document: TextDocument) async -> AlignmentVersion?

    /// Returns the alignment; `nil` if there is none, or if it cannot be read.
    func alignment(of book: Book, _ document: TextDocument) async -> WorkAlignment?

    /// Returns the making of the alignment; `nil` if nobody makes it and the last who did has completed it.
    func activity(of book: Book, _ document: TextDocument) async -> AlignmentActivity?
}

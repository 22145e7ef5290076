// SPDX-License-Identifier: Apache-2.0

/// A sentence of the text, or a clause of a long one, and where it is in the recording.
public struct AlignedSentence: Sendable, Hashable {
    /// The bytes of the reading text.
    public var range: Range<Int>
    /// The index of the track.
    public var track: Int
    /// The beginning in the track, in milliseconds; for a sentence without a match, the end of what was matched before.
    public var start: Int64
    /// The end in the track, in milliseconds, without the pause behind it.
    public var end: Int64
    /// The time by which the beginning is off at most, in 19 of 20 cases, in milliseconds.
    public var error: Int
    /// `false` if the recording does not have this sentence, or nothing shows that it does.
    public var isMatched: Bool

    public init(range: Range<Int>, track: Int, start: Int64, end: Int64, error: Int, isMatched: Bool) {
        self.range = range
        self.track = track
        self.start = start
        self.end = end
        self.error = error
        self.isMatched = isMatched
    }
}

/// A part of the recording in which somebody speaks, but not the text.
public struct UnmatchedSound: Sendable, Hashable {
    public var track: Int
    /// Milliseconds of the track.
    public var range: Range<Int64>

    public init(track: Int, range: Range<Int64>) {
        self.track = track
        self.range = range
    }
}

/// A place from which an alignment goes on, whoever did what is before it.
public struct AlignmentState: Sendable, Hashable {
    package var voice: VoiceCalibration
    /// The byte of the text at which the first sentence begins that is not aligned yet.
    public var text: Int
    /// The track that is read, and the step of 10 ms in it from which on nothing is aligned yet.
    public var track: Int
    package var step: Int32
    /// `true` if what is before this place was matched.
    package var isContinuing = false
    /// `true` while recording and text have lost each other.
    package var isLost = false
    /// `true` behind a search that found each other's place, until that has proved right.
    package var isRetrying = false
    /// The frames of text in which a lost recording is looked for.
    package var horizon = nearHorizon
    /// The end of the last match, in milliseconds of a track.
    package var matchedTrack = 0
    package var matchedEnd: Int64 = 0

    /// The number of frames in a second of speech.
    package static let framesPerSecond = 25
    /// The frames of text in which a lost recording is looked for at first, and at most.
    package static let nearHorizon = 45 * 60 * framesPerSecond
    package static let farHorizon = 6 * 60 * 60 * framesPerSecond
    /// The steps of 10 ms that are read as one.
    package static let segmentSteps = 6_000

    package init(voice: VoiceCalibration, text: Int, track: Int, step: Int32) {
        (self.voice, self.text, self.track, self.step) = (voice, text, track, step)
    }

    /// The second of the track from which its sound is needed.
    public var second: Int {
        max(0, Int(step) / Self.segmentSteps - 1) * Self.segmentSteps / 100
    }

    /// `true` if the numbers can be used; a file may have any.
    package var isSound: Bool {
        voice.isSound && text >= 0 && (0..<1 << 20).contains(track) && step >= 0
            && (1...Self.farHorizon).contains(horizon) && (0..<1 << 20).contains(matchedTrack)
            && matchedEnd >= 0
    }
}

/// A part of the alignment that will not change any more.
public struct AlignmentStep: Sendable, Hashable {
    public var sentences: [AlignedSentence] = []
    public var unmatched: [UnmatchedSound] = []
    /// The place at which the alignment goes on.
    public var state: AlignmentState
    /// `true` if this is the last step: no text and no sound behind it has a match.
    public var isLast = false

    package init(
        sentences: [AlignedSentence] = [], unmatched: [UnmatchedSound] = [], state: AlignmentState, isLast: Bool = false
    ) {
        (self.sentences, self.unmatched, self.state, self.isLast) = (sentences, unmatched, state, isLast)
    }
}

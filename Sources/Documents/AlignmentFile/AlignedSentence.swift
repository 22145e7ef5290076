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

/// A part of the recording in which something of the text is said that is read elsewhere, too.
///
/// It lies within unmatched sound: which of two readings is the one that counts is decided with the sentences.
public struct RepeatedSound: Sendable, Hashable {
    public var track: Int
    /// Milliseconds of the track.
    public var range: Range<Int64>
    /// The bytes of the sentences of which something is said again.
    public var text: Range<Int>

    public init(track: Int, range: Range<Int64>, text: Range<Int>) {
        (self.track, self.range, self.text) = (track, range, text)
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
    /// The sentences before this place that what follows may say again, in order.
    package var recent: [ReadSentence] = []

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

    /// The byte of the text from which on its sentences are needed: those that may be said again, and all from ``text`` on.
    public var neededText: Int { recent.first?.range.lowerBound ?? text }

    /// `true` if the numbers can be used; a file may have any.
    package var isSound: Bool {
        voice.isSound && text >= 0 && (0..<1 << 20).contains(track) && step >= 0
            && (1...Self.farHorizon).contains(horizon) && (0..<1 << 20).contains(matchedTrack)
            && matchedEnd >= 0 && areRecentSound
    }

    private var areRecentSound: Bool {
        var end = 0
        for sentence in recent {
            guard sentence.range.lowerBound >= end, sentence.heard.upperBound <= ReadSentence.whole else {
                return false
            }
            end = sentence.range.upperBound
        }
        return end <= text && recent.count <= Self.mostRecent
    }

    /// More sentences than are said in a minute.
    private static let mostRecent = 1 << 12
}

/// A sentence that is decided, and what of it was found in the recording.
package struct ReadSentence: Sendable, Hashable {
    /// The bytes of the reading text.
    package var range: Range<Int>
    /// The part that was found, in thousandths of its length when spoken; empty if none was.
    package var heard: Range<Int>

    package static let whole = 1000

    package init(range: Range<Int>, heard: Range<Int>) { (self.range, self.heard) = (range, heard) }
}

/// A part of the alignment that will not change any more.
public struct AlignmentStep: Sendable, Hashable {
    public var sentences: [AlignedSentence] = []
    public var unmatched: [UnmatchedSound] = []
    /// The parts of unmatched sound that say the text again, in order.
    public var repeated: [RepeatedSound] = []
    /// The place at which the alignment goes on.
    public var state: AlignmentState
    /// `true` if this is the last step: no text and no sound behind it has a match.
    public var isLast = false

    package init(
        sentences: [AlignedSentence] = [], unmatched: [UnmatchedSound] = [], repeated: [RepeatedSound] = [],
        state: AlignmentState, isLast: Bool = false
    ) {
        (self.sentences, self.unmatched, self.repeated) = (sentences, unmatched, repeated)
        (self.state, self.isLast) = (state, isLast)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The identity of an alignment: of what, and by which voice.
public struct AlignmentHeader: Sendable, Hashable, Codable {
    /// The identity of the text, which only who chose it understands.
    public var text: String
    /// The identity of the recording, likewise.
    public var recording: String
    /// The engine that spoke the text.
    public var engine: String
    /// Its voice; `nil` for the one that the engine chooses.
    public var voice: String?

    public init(text: String, recording: String, engine: String, voice: String?) {
        self.text = text
        self.recording = recording
        self.engine = engine
        self.voice = voice
    }
}

/// The places of sentences in a recording, as far as they are known.
public struct Alignment: Sendable, Hashable {
    public var header: AlignmentHeader
    /// The sentences in order of the text; what is not among them has no match, or is not aligned yet.
    public var sentences: [AlignedSentence] = []
    /// The parts of the recording without text, in order.
    public var unmatched: [UnmatchedSound] = []
    /// The parts of those that say something of the text again, in order.
    public var repeated: [RepeatedSound] = []
    /// The place at which it goes on; `nil` if nothing is decided yet.
    public var state: AlignmentState?
    /// `true` if all of the recording was looked at.
    public var isComplete = false

    public init(header: AlignmentHeader) { self.header = header }

    /// Adds what was decided.
    public mutating func append(_ step: AlignmentStep) {
        sentences += step.sentences
        unmatched += step.unmatched
        repeated += step.repeated
        state = step.state
        isComplete = step.isLast
    }

    /// The share of the sentences that have a match, up to the end of the last match.
    public var matchedShare: Double {
        sentences.isEmpty ? 0 : Double(sentences.count { $0.isMatched }) / Double(sentences.count)
    }

    /// The seconds of the recording in which somebody speaks without a text.
    public var unmatchedSeconds: Double {
        Double(unmatched.reduce(0) { $0 + ($1.range.upperBound - $1.range.lowerBound) }) / 1000
    }

    /// The median of the errors of matched sentences, in milliseconds, as far as they can be estimated.
    public var medianError: Int? {
        let errors = sentences.filter(\.isMatched).map(\.error).sorted()
        // A bound that holds in 19 of 20 cases is two deviations; half of all cases lie within two thirds of one.
        return errors.isEmpty ? nil : errors[errors.count / 2] / 3
    }
}

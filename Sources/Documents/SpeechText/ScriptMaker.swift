// SPDX-License-Identifier: Apache-2.0

public import ReadingText
public import SpeechScript

/// Makes the script of a document: what a voice says of it, sentence by sentence.
///
/// Utterances are in order of the text and do not overlap. Together they cover every letter and digit of the blocks
/// that the settings do not skip. Memory does not grow with the document, and time grows with its length alone.
public struct ScriptMaker: Sendable {
    private let settings: SpeechSettings
    private let dictionary: PronunciationDictionary
    private let isInterrupted: @Sendable () -> Bool

    /// - Parameter isInterrupted: Returns `true` if making must end soon; asked for every sentence.
    public init(
        settings: SpeechSettings = SpeechSettings(), dictionary: PronunciationDictionary = PronunciationDictionary(),
        isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) {
        self.settings = settings
        self.dictionary = dictionary
        self.isInterrupted = isInterrupted
    }

    /// The way in which making ended.
    public struct Outcome: Sendable, Hashable {
        /// `true` if the whole document was made into utterances.
        public var isComplete: Bool
        public var utterances = 0
        /// Things that the listener may want to know, such as a pattern that takes too long; one line each.
        public var warnings: [String] = []
        /// The first entries of the dictionary that were applied.
        public var applied: [AppliedPronunciation] = []
    }

    /// Calls a closure for each utterance of a document, as soon as it and its pause are known.
    ///
    /// - Throws: What the closure throws, at once.
    @discardableResult
    public func make<Failure: Error>(
        _ document: ReadingDocument, each: (Utterance) throws(Failure) -> Void
    ) throws(Failure) -> Outcome {
        var script = DocumentScript(document, settings: settings, dictionary: dictionary)
        var outcome = Outcome(isComplete: true)
        // Passing a failure through the finder of sentences would make every step of it throw.
        var failure: Failure?
        outcome.isComplete = script.make { utterance in
            guard failure == nil, !isInterrupted() else { return false }
            guard let utterance else { return true }
            do throws(Failure) {
                try each(utterance)
                outcome.utterances += 1
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        outcome.warnings = script.warnings
        outcome.applied = script.applied
        return outcome
    }

    /// The parts of a document that the settings leave out, by the index of their block.
    ///
    /// Front and back matter is read after all if a document has nothing else.
    public func skips(in document: ReadingDocument) -> (TextBlock) -> Bool {
        let rule = SkippedBlocks(document, settings)
        return { rule.skips($0) }
    }
}

/// An entry of the dictionary that was applied, with the words to which it was applied first.
public struct AppliedPronunciation: Sendable, Hashable {
    public var written: String
    public var entry: PronunciationDictionary.Line
}

/// Which blocks are left out.
struct SkippedBlocks: Sendable {
    private let skipped: Set<SpeechSettings.Part>
    private let hasBody: Bool

    init(_ document: ReadingDocument, _ settings: SpeechSettings) {
        skipped = settings.skipped
        hasBody = document.blocks.contains { $0.matter == .body && !$0.range.isEmpty && $0.kind != .sceneBreak }
    }

    func skips(_ block: TextBlock) -> Bool {
        switch block.matter {
        case .body: break
        case .front: if hasBody, skipped.contains(.frontMatter) { return true }
        case .back: if hasBody, skipped.contains(.backMatter) { return true }
        }
        return switch block.kind {
        case .note: skipped.contains(.notes)
        case .code: skipped.contains(.code)
        case .formula: skipped.contains(.formulas)
        case .table: skipped.contains(.tables)
        case .caption: skipped.contains(.captions)
        case .paragraph, .heading, .listItem, .quote, .verse, .sceneBreak, .pause: false
        }
    }
}

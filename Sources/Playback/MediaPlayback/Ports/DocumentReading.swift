// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import BookTimeline
public import SpeechScript

/// A document that was made into what is read aloud.
public struct TextDocument: Sendable, Hashable {
    /// The reading text, UTF-8, to whose bytes all places refer.
    public var text: SharedDescriptor
    /// The utterances, in a script file.
    public var script: SharedDescriptor
    /// The making of the rest of the script; `nil` if it is whole.
    public var making: ScriptMaking?
    public var title: String?
    public var author: String?
    /// The language of most of it, a BCP 47 tag; `nil` if nothing tells it.
    public var language: String?
    public var sections: [Section]
    /// The pages in order of their start; empty if the document has none.
    public var pages: [Page]
    /// Things that the listener may want to know, such as a part that could not be read; one line each.
    public var warnings: [String]
    /// The entries of the listener's dictionary that were applied, one line each; empty unless they were asked for.
    public var pronunciations: [String] = []

    /// A section, which is a chapter of the timeline.
    public struct Section: Sendable, Hashable {
        public var title: String
        /// The depth in the table of contents; 1 is the highest.
        public var level: Int
        /// The byte of the reading text at which it begins.
        public var start: Int64

        public init(title: String, level: Int, start: Int64) {
            self.title = title
            self.level = level
            self.start = start
        }
    }

    /// A page of the printed book, or of the file.
    public struct Page: Sendable, Hashable {
        /// The number as it is printed.
        public var label: String
        /// The byte of the reading text at which it begins.
        public var start: Int64

        public init(label: String, start: Int64) {
            self.label = label
            self.start = start
        }
    }

    public init(
        text: SharedDescriptor, script: SharedDescriptor, title: String? = nil, author: String? = nil,
        language: String? = nil, sections: [Section] = [], pages: [Page] = [], warnings: [String] = [],
        making: ScriptMaking? = nil
    ) {
        self.text = text
        self.script = script
        self.making = making
        self.title = title
        self.author = author
        self.language = language
        self.sections = sections
        self.pages = pages
        self.warnings = warnings
    }
}

extension TextDocument {
    /// Returns the beginning of the sentence that is said at a byte of the text; `nil` if nothing is said there.
    public func sentenceStart(at position: Int64) -> Int64? {
        spoken(at: position).flatMap { $0.range.lowerBound <= position ? Int64($0.sentence.lowerBound) : nil }
    }

    /// Returns the beginning of the utterance that is said at a byte of the text; `nil` if nothing is said there.
    func utteranceStart(at position: Int64) -> Int64? {
        spoken(at: position).flatMap { $0.range.lowerBound <= position ? Int64($0.range.lowerBound) : nil }
    }

    /// Returns the sentence that is said at a byte of the text, or the next one; `nil` if nothing more is said.
    func sentence(at position: Int64) -> Range<Int64>? {
        spoken(at: position).map { Int64($0.sentence.lowerBound)..<Int64($0.sentence.upperBound) }
    }

    /// Returns the utterance at a byte of the text, or the next one; `nil` also if the script cannot be read.
    private func spoken(at position: Int64) -> Utterance? {
        guard let script = try? ScriptFileReader(descriptor: script.rawValue),
            let index = try? script.index(at: Int(clamping: max(0, position)))
        else { return nil }
        return try? script.utterance(index)
    }

    /// The number of utterances whose language is looked at.
    private static let sampledUtterances = 64

    /// Returns the language of most of the text, a BCP 47 tag; `nil` if it is not known.
    ///
    /// A language that the document declares counts, or else what its words tell.
    public func mainLanguage() -> String? {
        guard let script = try? ScriptFileReader(descriptor: script.rawValue) else { return nil }
        if let declared = script.language, !declared.isEmpty { return declared }
        var bytes: [String: Int] = [:]
        for index in stride(from: 0, to: script.count, by: max(1, script.count / Self.sampledUtterances)) {
            guard let utterance = try? script.utterance(index), let language = utterance.language else { continue }
            bytes[language, default: 0] += utterance.range.count
        }
        return bytes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}

/// A script of which only the beginning may be there.
extension TextDocument {
    /// Returns `true` if it is known what is said at a byte of the text.
    public func hasReached(_ place: Int64) -> Bool { making?.hasReached(place) ?? true }

    /// Returns once it is known what is said at a byte of the text; a task that is cancelled waits no longer.
    public func reach(_ place: Int64) async throws(ItemError) { try await making?.reach(place) }

    /// Returns once the script is whole; a task that is cancelled waits no longer.
    public func finish() async throws(ItemError) { try await making?.reach(.max) }

    /// Returns the farthest place that a request names, as far as that is known before the text is open; `nil` if none is.
    func farthest(of request: PlayRequest) -> Int64? {
        var targets = [request.clip?.start, request.clip?.end].compactMap(\.self)
        if case .at(let target) = request.start { targets.append(target) }
        return targets.map(place).max()
    }

    /// Returns the place that a target names; the largest number if that depends on how fast the text is read.
    private func place(of target: SeekTarget) -> Int64 {
        switch target {
        case .position(let position), .rewound(let position, _): position.units
        case .fraction(let share):
            Int64(Double(TextBytes.size(of: text.rawValue) ?? 0) * (share > 0 ? min(share, 1) : 0))
        case .chapter(let index): sections.indices.contains(index) ? sections[index].start : 0
        case .page(let label): page(labelled: label)?.start ?? 0
        case .track(_, seconds: nil): 0
        case .seconds, .relative, .track, .spoken, .nextChapter, .previousChapter: .max
        }
    }

    /// More rounds than the longest text has parts.
    private static let mostRounds = 4096

    /// Reads the script on a thread of its own; if that needs more of it than there is, waits for more and reads it again.
    ///
    /// - Parameter limit: The time that the disk has.
    public func read<Value: Sendable>(
        within limit: Duration = .seconds(3),
        _ body: @escaping @Sendable (ScriptFileReader) throws(ScriptFileError) -> Value
    ) async throws(ItemError) -> Value {
        let script = script
        var last = -1
        var rounds = 0
        while true {
            rounds += 1
            let outcome = await BlockingQueue(label: "rostrum.script").run(within: limit) {
                Result { () throws(ScriptFileError) in try body(ScriptFileReader(descriptor: script.rawValue)) }
            }
            switch outcome {
            case .success(let value)?: return value
            case nil: throw ItemError(.timedOut, "its disk does not answer; try again")
            case .failure(let error)?:
                // One that does not grow, whatever its maker says, or hardly, would be read for ever.
                guard let end = error.end, end > last, making != nil, rounds < Self.mostRounds else {
                    throw ItemError(.unreadable, error.message)
                }
                last = end
                try await reach(Int64(end))
            }
        }
    }
}

/// Reads documents in any format that it knows.
public protocol DocumentReading: Sendable {
    /// Reads a document; a task that is cancelled gives it up.
    ///
    /// A long one is returned with the beginning of its script, and the rest is made while somebody refers to it.
    ///
    /// - Parameters:
    ///   - source: A file or a descriptor; a pipe is read to its end.
    ///   - name: The name, which hints at the format.
    ///   - charset: The encoding that a server stated.
    ///   - wishes: What the listener wants of this reading alone.
    func read(
        _ source: TrackSource, name: String, charset: String?, wishes: ReadingWishes
    ) async throws(ItemError) -> TextDocument
}

/// The wishes of a listener for one reading of a document, beside the settings.
public struct ReadingWishes: Sendable, Hashable {
    /// The language of the text, a BCP 47 tag, if the listener knows better than the document and its words.
    public var language: String?
    /// Entries as the listener's dictionary of pronunciations has them, which go before those of the file.
    public var pronunciations: [String]

    public init(language: String? = nil, pronunciations: [String] = []) {
        self.language = language
        self.pronunciations = pronunciations
    }
}

extension DocumentReading {
    /// Reads a document as the settings want it.
    public func read(
        _ source: TrackSource, name: String, charset: String? = nil
    ) async throws(ItemError) -> TextDocument {
        try await read(source, name: name, charset: charset, wishes: ReadingWishes())
    }
}

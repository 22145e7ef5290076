// SPDX-License-Identifier: Apache-2.0

import SpeechScript

/// A document that was made into what is read aloud.
public struct TextDocument: Sendable, Hashable {
    /// The reading text, UTF-8, to whose bytes all places refer.
    public var text: SharedDescriptor
    /// The utterances, in a script file.
    public var script: SharedDescriptor
    public var title: String?
    public var author: String?
    /// The language of most of it, a BCP 47 tag; `nil` if nothing tells it.
    public var language: String?
    public var sections: [Section]
    /// Things that the listener may want to know, such as a part that could not be read; one line each.
    public var warnings: [String]

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

    public init(
        text: SharedDescriptor, script: SharedDescriptor, title: String? = nil, author: String? = nil,
        language: String? = nil, sections: [Section] = [], warnings: [String] = []
    ) {
        self.text = text
        self.script = script
        self.title = title
        self.author = author
        self.language = language
        self.sections = sections
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

/// Reads documents in any format that it knows.
public protocol DocumentReading: Sendable {
    /// Reads a document; a task that is cancelled gives it up.
    ///
    /// - Parameters:
    ///   - source: A file or a descriptor; a pipe is read to its end.
    ///   - name: The name, which hints at the format.
    ///   - charset: The encoding that a server stated.
    func read(_ source: TrackSource, name: String, charset: String?) async throws(ItemError) -> TextDocument
}

extension DocumentReading {
    public func read(_ source: TrackSource, name: String) async throws(ItemError) -> TextDocument {
        try await read(source, name: name, charset: nil)
    }
}

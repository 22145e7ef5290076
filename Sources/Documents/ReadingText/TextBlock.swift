// SPDX-License-Identifier: Apache-2.0

/// A stretch of text that stands by itself: a paragraph, a heading, an item of a list.
public struct TextBlock: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case paragraph, heading, listItem, quote, verse, code, formula, table, caption, note
        /// A break between scenes; its text, if any, is an ornament and is not spoken.
        case sceneBreak
        /// A pause that the document asks for, without text.
        case pause
    }

    /// The part of a book in which a block stands.
    public enum Matter: String, Sendable, Hashable, CaseIterable {
        case body
        /// Title page, imprint, table of contents, licence: what a listener skips.
        case front
        case back
    }

    public var kind: Kind
    public var matter: Matter
    /// The level of a heading, from 1; the depth of a list item, from 1; otherwise 0.
    public var level: Int
    /// The stretch of the text.
    public var range: Range<Int>
    /// A BCP 47 tag, if the document declares a language for this block.
    public var language: String?
    /// The length of a pause that the document asks for behind the block, in milliseconds.
    public var pause: Int?
    /// The origin of the text, in order of the text.
    ///
    /// Text in no run, such as an image's description or a separator, is not in the source as it stands.
    public var origins: [TextOrigin]
    /// The document's notes on how words are spoken, in order of the text.
    public var pronunciations: [Pronunciation]
    /// The recorded sound of parts of the block (a media overlay), in order of the text.
    public var recordings: [Recording]

    public init(
        _ kind: Kind, _ range: Range<Int>, level: Int = 0, matter: Matter = .body, language: String? = nil,
        pause: Int? = nil, origins: [TextOrigin] = [], pronunciations: [Pronunciation] = [],
        recordings: [Recording] = []
    ) {
        self.kind = kind
        self.range = range
        self.level = level
        self.matter = matter
        self.language = language
        self.pause = pause
        self.origins = origins
        self.pronunciations = pronunciations
        self.recordings = recordings
    }
}

/// The bytes of the source from which a stretch of text comes.
///
/// If both are of the same length they are the same bytes; otherwise the text was decoded, and a place within is
/// proportional.
public struct TextOrigin: Sendable, Hashable {
    public var range: Range<Int>
    /// An index into the members of the document.
    public var member: Int
    public var source: Range<Int>

    public init(_ range: Range<Int>, member: Int = 0, source: Range<Int>) {
        self.range = range
        self.member = member
        self.source = source
    }
}

/// The speech that a document asks for in place of some text.
public struct Pronunciation: Sendable, Hashable {
    public enum Speech: Sendable, Hashable {
        /// Other words, as SSML's `sub` has them.
        case words(String)
        /// Letter by letter, as SSML's `say-as` has it.
        case spelled
        /// Sounds in the International Phonetic Alphabet.
        case phonemes(String)
        /// A language for these words alone: a BCP 47 tag.
        case language(String)
    }

    public var range: Range<Int>
    public var speech: Speech

    public init(_ range: Range<Int>, _ speech: Speech) {
        self.range = range
        self.speech = speech
    }
}

/// The recorded sound of a stretch of text.
public struct Recording: Sendable, Hashable {
    public var range: Range<Int>
    /// The audio file, as a path within the document's container.
    public var file: String
    /// Milliseconds from the beginning of the file.
    public var start: Int64
    /// Milliseconds; `nil` if it lasts to the end of the file.
    public var end: Int64?

    public init(_ range: Range<Int>, file: String, start: Int64, end: Int64?) {
        self.range = range
        self.file = file
        self.start = start
        self.end = end
    }
}

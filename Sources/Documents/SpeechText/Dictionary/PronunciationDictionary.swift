// SPDX-License-Identifier: Apache-2.0

/// The ways in which a listener wants words to be said.
///
/// The file is UTF-8 text, one entry a line, written form and speech with "=" between:
///
///     # A line that begins with a number sign is a remark.
///     gif = jif
///     New York = Noo Yawk
///     "Polish" = [[p'oUlIS]]
///     /(\d+)fps/ = $1 frames per second
///     [de]
///     Rostrum = [[r'OstrUm]]
///
/// - A word or phrase in small letters is meant in any case; one with a capital, or in quotation marks, as it stands.
/// - A form between slashes is a regular expression in ICU's syntax, and "$1" in its speech the first group; an "i"
///   behind the second slash ignores case.
/// - Speech in double brackets is sounds, in the notation of eSpeak NG. Empty speech keeps silent.
/// - A language in brackets, a BCP 47 tag, holds for the entries below it; `[*]` ends that.
///
/// If several entries fit, the one that begins first is taken, then the longest, then the last in the file.
public struct PronunciationDictionary: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        enum Form: Sendable, Hashable {
            /// Words in order; in lower case unless they are meant as they stand.
            case words([String], isExact: Bool)
            case pattern(String, ignoresCase: Bool)
        }

        enum Speech: Sendable, Hashable {
            case words(String)
            case phonemes(String)
        }

        var form: Form
        var speech: Speech
        /// The primary subtag of the language in which it holds; `nil` for all.
        var language: String?
        /// The line of the file, from 1.
        var line: Int
        /// The line as it stands there, without the space around it.
        var text: String
        /// `true` if it comes from elsewhere than the file.
        var isGiven = false
    }

    /// An entry for people to read.
    public struct Line: Sendable, Hashable {
        /// The line of the file, from 1; `nil` for an entry that comes from elsewhere.
        public var number: Int?
        /// The entry as it was written, in one line.
        public var text: String
        /// The primary subtag of the language in which it holds; `nil` for all.
        public var language: String?

        init(_ entry: Entry) {
            number = entry.isGiven ? nil : entry.line
            text = DictionaryParser.printable(entry.text)
            language = entry.language
        }
    }

    var entries: [Entry] = []

    /// An empty dictionary.
    public init() {}

    public var count: Int { entries.count }

    /// The entries in the order of the file.
    public var lines: [Line] { entries.map(Line.init) }

    /// Reads a dictionary from the bytes of a file.
    public init(parsing bytes: [UInt8]) throws(PronunciationDictionaryError) {
        var parser = DictionaryParser()
        entries = try parser.parse(bytes)
    }

    /// Reads what is sound of a dictionary, and the mistakes in it.
    public static func examine(
        _ bytes: [UInt8]
    ) -> (dictionary: PronunciationDictionary, mistakes: [PronunciationDictionaryError.Mistake]) {
        var parser = DictionaryParser()
        var dictionary = PronunciationDictionary()
        do throws(PronunciationDictionaryError) {
            dictionary.entries = try parser.parse(bytes)
            return (dictionary, [])
        } catch {
            dictionary.entries = parser.entries
            return (dictionary, error.mistakes)
        }
    }

    /// Adds entries behind those of the file, written as they would be there.
    public mutating func add(_ lines: [String]) throws(PronunciationDictionaryError) {
        var parser = DictionaryParser()
        let given = lines.map { $0.utf8.map { $0 == 0x0A ? 0x20 : $0 } }
        for var entry in try parser.parse(Array(given.joined(separator: [0x0A]))) {
            entry.isGiven = true
            entries.append(entry)
        }
    }
}

/// The lines of a pronunciation dictionary that could not be read.
public struct PronunciationDictionaryError: Error, Sendable, Hashable {
    public struct Mistake: Sendable, Hashable {
        /// The number of the line, from 1; 0 for the whole file.
        public var line: Int
        public var message: String
    }

    /// The mistakes, at most a hundred.
    public var mistakes: [Mistake]

    /// One line: the first mistake, and how many more there are.
    public var message: String {
        guard let first = mistakes.first else { return "the dictionary cannot be read" }
        let more = mistakes.count > 1 ? " (and \(mistakes.count - 1) more)" : ""
        return first.line > 0 ? "line \(first.line): \(first.message)\(more)" : first.message + more
    }
}

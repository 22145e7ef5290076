// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText
import SpeechScript
import SpeechText
import Testing

struct DictionaryTests {
    private static func dictionary(_ text: String) throws -> PronunciationDictionary {
        try PronunciationDictionary(parsing: Array(text.utf8))
    }

    @Test(arguments: [
        // Words: in any case, or as they stand.
        ("gif = jif", "A gif, a GIF and gifs.", "A jif, a jif and gifs."),
        ("Polish = pole-ish", "Polish the Polish.", "pole-ish the pole-ish."),
        ("\"polish\" = x", "Polish and polish.", "Polish and x."),
        ("can't = cannot", "I can’t and can't.", "I cannot and cannot."),
        // Phrases, the longest first; they do not reach over the end of a clause.
        ("new york = Noo Yawk\nnew = gnu", "A new York in New York, new. York", "A Noo Yawk in Noo Yawk, gnu. York"),
        ("new york = Noo Yawk", "Something new, York is old; a new-york.", "Something new, York is old; a Noo Yawk."),
        // Patterns with groups.
        ("/(\\d+)fps/ = $1 frames per second", "It has 60fps now.", "It has 60 frames per second now."),
        ("/(a)(b)?c/ = [$1$2$9]", "abc ac", "ab a"), ("/FOO/i = bar", "foo Foo fob", "bar bar fob"),
        ("/a\\/b/ = a by b", "It is a/b here.", "It is a by b here."),
        // The last in the file of those that fit.
        ("cat = dog\ncat = cow", "The cat.", "The cow."),
        // Silence, and words with marks of their own.
        ("um =", "Well um yes.", "Well yes."),
        ("asap = as soon as possible!", "Do it asap.", "Do it as soon as possible!."),
        // Languages: only English ones hold here.
        (
            "[de]\ncat = Katze\n[en-GB]\ndog = hound\n[*]\nfish = haddock", "A cat, a dog, a fish.",
            "A cat, a hound, a haddock."
        ),
        // Remarks, blank lines, a byte order mark and another system's line ends.
        ("\u{FEFF}# a = b\r\n\r\n  gif   =   jif  \r\n", "The gif.", "The jif."),
        // The listener's word goes before what would be said else.
        ("dr = Drive\nkm = klicks", "Dr. Smith ran 5 km.", "Drive. Smith ran five klicks."),
    ])
    func `entries are said in place of what is written`(file: String, text: String, said: String) throws {
        let dictionary = try Self.dictionary(file)
        #expect(ReadingDocument(text).utterances(dictionary: dictionary).map(\.spoken).joined(separator: " ") == said)
    }

    @Test func `entries that are given go before those of the file`() throws {
        var dictionary = try Self.dictionary("gif = jif\nnew york = Noo Yawk")
        try dictionary.add(["gif = ghif", "\"York\"\n= Jork"])
        let spoken = ReadingDocument("A gif in New York and York.").utterances(dictionary: dictionary).map(\.spoken)
        #expect(spoken == ["A ghif in Noo Yawk and Jork."])
        #expect(dictionary.lines.map(\.number) == [1, 2, nil, nil])
        let error = #expect(throws: PronunciationDictionaryError.self) { try dictionary.add(["a = b", "gif jif"]) }
        #expect(error?.mistakes.map(\.line) == [2])
    }

    @Test func `a file with mistakes is listed as far as it is sound, with the mistakes`() throws {
        let file = "gif = jif\n/(/ = x\n[de]\n\t GIF = Gif\u{1B} \nodd\n"
        let (dictionary, mistakes) = PronunciationDictionary.examine(Array(file.utf8))
        #expect(dictionary.lines.map(\.number) == [1, 4])
        #expect(dictionary.lines.map(\.text) == ["gif = jif", "GIF = Gif "])
        #expect(dictionary.lines.map(\.language) == [nil, "de"])
        #expect(mistakes.map(\.line) == [2, 5])
        #expect(PronunciationDictionary.examine([0xFF]).mistakes.map(\.line) == [0])
    }

    @Test func `the entries that are applied are named, each once, with the words`() throws {
        var dictionary = try Self.dictionary("gif = jif\nunused = x\n/(\\d+)fps/ = $1 frames\n[en]\nbig = [[bIg]]")
        try dictionary.add(["Polish = pole-ish"])
        let document = ReadingDocument("A GIF at 60fps, a gif, 30fps. A big Polish one.")
        let applied = ScriptMaker(dictionary: dictionary).make(document) { _ in }.applied
        #expect(applied.map(\.written) == ["GIF", "60fps", "big", "Polish"])
        #expect(applied.map(\.entry.number) == [1, 3, 5, nil])
        let many = (0..<30).map { "word\($0) = said\n" }.joined()
        let words = (0..<30).map { "word\($0)" }.joined(separator: " ")
        let outcome = ScriptMaker(dictionary: try Self.dictionary(many)).make(ReadingDocument(words)) { _ in }
        #expect(outcome.applied.count == 20)
    }

    @Test func `sounds keep the written word and its place`() throws {
        let dictionary = try Self.dictionary("Rostrum = [[r'0str@m]]\nbig = large and wide")
        let text = "The Rostrum is big."
        let utterance = try #require(ReadingDocument(text).utterances(dictionary: dictionary).first)
        #expect(utterance.spoken == "The Rostrum is large and wide.")
        #expect(utterance.words.map(\.phonemes) == [nil, "r'0str@m", nil, nil, nil, nil])
        // Several words stand for the same text.
        #expect(utterance.words.map(\.range) == ["The", "Rostrum", "is", "big", "big", "big"].map { text.range($0) })
    }

    @Test(arguments: [
        ("gif jif", 1, "there is no \"=\""), ("ok = fine\n\n/a( = b", 3, "the pattern has no second slash"),
        ("/a(/ = b", 1, "no regular expression"),
        ("/x*/ = b", 1, "fits an empty text"), ("\"open = b", 1, "quotation mark is not closed"),
        (".. = dots", 1, "use /…/ for signs"),
        ("a = [[ab]", 1, "the sounds are not closed"), ("a = [[é]]", 1, "notation of sounds is ASCII"),
        ("[no tag!]", 1, "is no language tag"), ("[a\u{15}\u{1B}b]", 1, "\"a  b\" is no language tag"),
        ("a = b\n" + String(repeating: "x", count: 1001), 2, "longer than 1000 bytes"),
        ("a b c d e f g h i j k l m n o p q = x", 1, "one to 16 words"),
        ("\"a\" b = c", 1, "no \"=\" behind the written form"),
    ])
    func `a mistake is told with its line`(file: String, line: Int, message: String) {
        let error = #expect(throws: PronunciationDictionaryError.self) { try Self.dictionary(file) }
        #expect(error?.mistakes.first?.line == line)
        #expect(error?.message.hasPrefix("line \(line): ") == true)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `a file that is too large or in another encoding is refused as a whole`() {
        for bytes in [[UInt8](repeating: 0x0A, count: 1 << 20 | 1), [0x61, 0xE9, 0x3D, 0x62]] {
            let error = #expect(throws: PronunciationDictionaryError.self) {
                try PronunciationDictionary(parsing: bytes)
            }
            #expect(error?.mistakes.map(\.line) == [0])
        }
        let error = #expect(throws: PronunciationDictionaryError.self) {
            try Self.dictionary(String(repeating: "x\n", count: 5000))
        }
        #expect(error?.mistakes.count == 100)
        #expect(error?.message.hasSuffix("(and 99 more)") == true)
    }

    @Test(arguments: ["/(a+)+$b/ = x", "/(a|aa)+$c/ = x", "/(.*a){20}z/ = x"])
    func `a pattern that takes too long is left out with a warning`(file: String) throws {
        let dictionary = try Self.dictionary(file + "\nend = finish")
        let text =
            String(repeating: "a", count: 400) + "! The end.\n\n"
            + String(repeating: String(repeating: "a", count: 60) + "! The end.\n\n", count: 200)
        let document = ReadingDocument(text)
        var spoken: [String] = []
        let start = Self.now()
        let outcome = ScriptMaker(dictionary: dictionary).make(document) { spoken.append($0.spoken) }
        #expect(Self.now() - start < 5)
        #expect(outcome.isComplete)
        #expect(outcome.warnings == ["line 1 of the dictionary: the pattern takes too long and is left out"])
        #expect(spoken.last == "The finish.")
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `a dictionary of twenty thousand entries is read, and one more is refused`() throws {
        let lines = (0..<20_000).map { "word\($0) = said\($0)\n" }.joined()
        let dictionary = try Self.dictionary(lines)
        #expect(dictionary.count == 20_000)
        #expect(ReadingDocument("A word19999 here.").spoken(dictionary: dictionary).hasPrefix("A said"))
        #expect(throws: PronunciationDictionaryError.self) { try Self.dictionary(lines + "more = x") }
        #expect(throws: PronunciationDictionaryError.self) {
            try Self.dictionary(String(repeating: "/x/ = y\n", count: 201))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The words around a number that decide about its form.
struct NumberContext {
    /// The piece before, in lower case; empty at the start of the sentence.
    var previous = ""
    /// The piece behind, as it stands; empty at the end.
    var next = ""
    /// `true` if the next piece follows without a mark between.
    var isNextClose = false
    /// `true` if the day of a date is written before its month.
    var isDayFirst = true
}

/// The way in which one language says numbers.
protocol NumberLanguage: Sendable {
    var words: NumberWords { get }
    /// The rule sets of ICU for counting and for a number alone.
    var cardinalRules: String { get }
    var numberingRules: String { get }
    /// `true` if a day stands before its month in "3/5/2020" and nothing else tells.
    var dayIsFirst: Bool { get }

    func year(_ number: Int64, _ speller: NumberSpeller) -> String
    /// A whole number of four digits that may be a year.
    func mayBeYear(_ number: Int64, _ context: NumberContext) -> Bool
    /// An ordinal by its written ending, such as "th", "." or "e"; `nil` if that is none.
    func ordinal(_ number: Int64, ending: String, _ context: NumberContext, _ speller: NumberSpeller) -> String?
    /// A day with its month, and its year if there is one.
    func date(day: Int, month: Int, year: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String
    func time(_ hour: Int, _ minute: Int, _ second: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String
    /// A number before a noun, in the gender of the noun as far as its form tells.
    func counting(_ number: Int64, before noun: String, _ speller: NumberSpeller) -> String
    /// Returns what joins "million" and its like to what is counted: "d'" in "un million d'euros".
    func link(to noun: String) -> String
    /// A ruler's number behind a name.
    func regnal(_ number: Int, isFeminine: Bool, _ context: NumberContext, _ speller: NumberSpeller) -> String
}

extension NumberLanguage {
    func cardinal(_ number: Int64, _ speller: NumberSpeller) -> String { speller.words(number, numberingRules) }

    /// A number before a noun.
    func counting(_ number: Int64, _ speller: NumberSpeller) -> String { speller.words(number, cardinalRules) }

    func counting(_ number: Int64, before noun: String, _ speller: NumberSpeller) -> String {
        counting(number, speller)
    }

    func link(to noun: String) -> String { " " }

    func mayBeYear(_ number: Int64, _ context: NumberContext) -> Bool { false }

    func year(_ number: Int64, _ speller: NumberSpeller) -> String { cardinal(number, speller) }
}

/// The languages whose numbers are said here; those of others are left to the voice.
enum NumberLanguages {
    static func of(_ tag: String) -> (any NumberLanguage)? {
        let subtags = tag.lowercased().split { $0 == "-" || $0 == "_" }
        switch subtags.first {
        case "en": return English(dayIsFirst: subtags.dropFirst().contains { $0 != "us" && $0.count == 2 })
        case "de": return German()
        case "fr": return French()
        case "es": return Spanish()
        default: return nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The cases in which full stops do not end a sentence, in one language.
///
/// Words are in lower case and without their last full stop.
struct SentenceRules: Sendable {
    /// AbbreviationTable behind which a sentence goes on, whatever comes next, such as titles.
    var open: Set<String>
    /// AbbreviationTable that belong to a number behind them, such as "No." and "p."; without one they may be words.
    var beforeNumbers: Set<String>
    /// AbbreviationTable before names that can also end a sentence, such as "St." for saint and street.
    var beforeNames: Set<String>
    /// Words with which sentences begin and names do not; they tell the end of a sentence from an initial or an
    /// ordinal.
    var starters: Set<String>
    /// `true` if a number with a full stop is an ordinal, as "3." in German.
    var hasDottedOrdinals: Bool
    /// Single capital letters that are words: a sentence can end with "I" in English.
    var words: Set<String>

    init(
        open: String, beforeNumbers: String = "", beforeNames: String = "", starters: String = "",
        hasDottedOrdinals: Bool = false, words: String = ""
    ) {
        self.open = Self.set(open)
        self.beforeNumbers = Self.set(beforeNumbers)
        self.beforeNames = Self.set(beforeNames)
        self.starters = Self.set(starters)
        self.hasDottedOrdinals = hasDottedOrdinals
        self.words = Self.set(words)
    }

    private static func set(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The rules of a language by its primary subtag; those of English for others, as its abbreviations are met most.
    static func of(_ language: String) -> SentenceRules {
        switch language {
        case "de": german
        case "fr": french
        case "es": spanish
        case "it": italian
        case "nl": dutch
        case "pt", "gl": portuguese
        case "sv": swedish
        case "da", "nb", "no", "nn": danish
        case "pl": polish
        case "cs", "sk": czech
        case "ru", "uk", "be", "bg": russian
        default: english
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The words for which abbreviations stand, in one language.
///
/// A table has one entry a line: the written forms in lower case without their last full stop and separated by commas,
/// the spoken form, and the conditions under which the form is meant, separated by bars.
final class AbbreviationTable: Sendable {
    struct Entry: Sendable {
        var words: String
        /// Only with a full stop behind.
        var needsStop = true
        /// Only before a capital letter.
        var needsCapital = false
        /// Only where no capital letter follows.
        var refusesCapital = false
        /// Only before a digit or a Roman numeral.
        var needsNumber = false
        /// Only behind a digit.
        var followsNumber = false
    }

    private let entries: [String: [Entry]]
    /// The most tokens of a written form.
    private let longest: Int
    /// Forms of small letters that stand without a full stop, so that other short words pass without a closer look.
    private let shortForms: Set<UInt32>
    /// Ends of words that are abbreviated.
    private let endings: [(short: String, long: String)]

    /// Conditions: `.` the full stop may be missing, `^` before a capital, `!` not before one, `#` before a number, `<`
    /// behind a number.
    init(_ table: String, endings: [(short: String, long: String)] = []) {
        self.endings = endings
        var entries: [String: [Entry]] = [:]
        var longest = 1
        var shortForms: Set<UInt32> = []
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count >= 2 else { continue }
            let conditions = fields.count > 2 ? String(fields[2]) : ""
            let entry = Entry(
                words: String(fields[1]), needsStop: !conditions.contains("."), needsCapital: conditions.contains("^"),
                refusesCapital: conditions.contains("!"),
                needsNumber: conditions.contains("#"), followsNumber: conditions.contains("<"))
            for form in fields[0].split(separator: ",") {
                entries[String(form), default: []].append(entry)
                let parts = form.split(separator: " ")
                longest = max(longest, parts.count)
                guard !entry.needsStop || parts.count > 1, let key = parts.first.flatMap({ Self.key($0.utf8) }) else {
                    continue
                }
                shortForms.insert(key)
            }
        }
        self.entries = entries
        self.longest = longest
        self.shortForms = shortForms
    }

    /// Returns `true` if a word of at most four small letters without a full stop can be an abbreviation.
    func mayRead(_ word: ArraySlice<UInt8>) -> Bool { Self.key(word).map(shortForms.contains) ?? true }

    /// Four bytes as one number.
    private static func key(_ word: some Collection<UInt8>) -> UInt32? {
        guard word.count <= 4 else { return nil }
        return word.reduce(0) { $0 << 8 | UInt32($1) }
    }

    func read(_ view: TokenView, _ index: Int) -> Reading? { readWhole(view, index) ?? readEnding(view, index) }

    /// Reads a word whose end is abbreviated, such as "Hauptstr." in German.
    private func readEnding(_ view: TokenView, _ index: Int) -> Reading? {
        let token = view.tokens[index]
        guard !endings.isEmpty, token.traits.contains(.stop), token.core.count <= 40 else { return nil }
        let core = view.core(index)
        guard let (short, long) = endings.first(where: { core.hasSuffix($0.short) && core.count > $0.short.count })
        else { return nil }
        return Reading(words: core.dropLast(short.count) + long, takesStop: index + 1 < view.tokens.count)
    }

    private func readWhole(_ view: TokenView, _ index: Int) -> Reading? {
        var key = ""
        var best: Reading?
        for count in 1...longest {
            let last = index + count - 1
            guard last < view.tokens.count, !view.isIsland(last), view.tokens[last].core.count <= 16 else { break }
            if count > 1, !view.followsClosely(last, afterStop: true) { break }
            key +=
                (count > 1 ? (view.tokens[last - 1].traits.contains(.stop) ? ". " : " ") : "")
                + view.core(last).lowercased()
            guard let found = entries[key]?.first(where: { fits($0, view, index, last) }) else { continue }
            // A full stop at the end of the sentence ends it as well.
            let isLast = last + 1 >= view.tokens.count
            best = Reading(
                words: found.words, count: count, takesStop: view.tokens[last].traits.contains(.stop) && !isLast)
        }
        return best
    }

    private func fits(_ entry: Entry, _ view: TokenView, _ first: Int, _ last: Int) -> Bool {
        if entry.needsStop, !view.tokens[last].traits.contains(.stop) { return false }
        if entry.needsCapital, !view.isCapitalised(last + 1) { return false }
        if entry.refusesCapital, view.isCapitalised(last + 1) { return false }
        if entry.needsNumber {
            guard last + 1 < view.tokens.count else { return false }
            let isNumber = view.tokens[last + 1].traits.contains(.digit) || RomanNumeral(view.core(last + 1)) != nil
            if !isNumber { return false }
        }
        if entry.followsNumber, first == 0 || !view.tokens[first - 1].traits.contains(.digit) { return false }
        return true
    }

    static func of(_ language: String) -> AbbreviationTable? {
        switch language {
        case "en": english
        case "de": german
        case "fr": french
        case "es": spanish
        default: nil
        }
    }
}

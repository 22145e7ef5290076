// SPDX-License-Identifier: Apache-2.0

extension NumberReader {
    /// A number with its sign, its currency, its unit or its ending.
    func quantity(_ view: TokenView, _ index: Int, _ runs: NumberRuns) -> Reading? {
        var rest = runs.runs[...]
        var currency = currency(&rest)
        var prefix: [String] = []
        if case .sign(let sign)? = rest.first {
            switch sign {
            case "-", "−", "–": prefix = [words.minus]
            case "+": prefix = [words.plus]
            case "±": prefix = [words.plus, words.minus]
            case "#", "№": prefix = [words.number]
            case "§": prefix = [words.section]
            // ".5"
            case ".":
                guard case .integer(let digits)? = rest.dropFirst().first else { return nil }
                rest = [.decimal("", fraction: digits)] + rest.dropFirst(2)
            default: break
            }
            if !prefix.isEmpty { rest = rest.dropFirst() }
            if currency == nil { currency = self.currency(&rest) }
        }
        let context = view.context(index)
        if currency == nil, prefix.isEmpty, let reading = ordinal(view, index, rest, context) { return reading }
        guard let value = number(&rest, context, isCount: currency != nil || runs.isGrouped) else { return nil }
        let sign = prefix.isEmpty ? "" : prefix.joined(separator: " ") + " "
        if let currency { return money(view, index, sign, value, currency, rest) }
        return suffixed(view, index, sign, value, rest)
    }

    // MARK: - The number itself

    private func currency(_ rest: inout ArraySlice<NumberRuns.Run>) -> NumberWords.Currency? {
        guard rest.count > 1 else { return nil }
        switch rest.first {
        case .sign(let sign)?:
            guard let currency = words.currencies[String(sign)] else { return nil }
            rest = rest.dropFirst()
            return currency
        case .letters(let letters)?:
            if case .sign("$")? = rest.dropFirst().first, letters.count <= 3, rest.count > 2 {
                rest = rest.dropFirst(2)
                return words.currencies["$"]
            }
            guard letters.count == 3, let currency = words.currencies[letters] else { return nil }
            rest = rest.dropFirst()
            return currency
        default: return nil
        }
    }

    /// Takes a number, a fraction or a range.
    private func number(
        _ rest: inout ArraySlice<NumberRuns.Run>, _ context: NumberContext, isCount: Bool
    ) -> Amount? {
        guard var amount = simple(&rest, context, mayBeYear: !isCount && rest.count <= 3) else { return nil }
        if case .sign(let dash)? = rest.first, dash == "-" || dash == "–" || dash == "‑" {
            var behind = rest.dropFirst()
            if isCount { _ = currency(&behind) }
            // "5-10", "1914–18", but not "9-to-5".
            if let end = simple(&behind, context, mayBeYear: !isCount && behind.count == 1) {
                amount = Amount(words: amount.words + " " + words.to + " " + end.words, integer: nil, cents: nil)
                rest = behind
            }
        }
        return amount
    }

    /// A number as it is said, with its parts if it can be an amount of money.
    struct Amount {
        var words: String
        var integer: Int64?
        var cents: Int?
        var isDecimal = false
    }

    private func simple(_ rest: inout ArraySlice<NumberRuns.Run>, _ context: NumberContext, mayBeYear: Bool) -> Amount?
    {
        switch rest.first {
        case .integer(let digits)?:
            rest = rest.dropFirst()
            if case .sign("/")? = rest.first, case .integer(let lower)? = rest.dropFirst().first, rest.count == 2 {
                rest = rest.dropFirst(2)
                return fraction(digits, lower)
            }
            if case .sign(let sign)? = rest.first, let (upper, lower) = Self.vulgar(sign) {
                rest = rest.dropFirst()
                let part = fraction(String(upper), String(lower), isMixed: true)
                return Amount(words: integer(digits) + " " + words.and + " " + part.words)
            }
            let isAlone = rest.isEmpty
            var context = context
            if !isAlone { context.isNextClose = false }
            let said = integer(digits, context, mayBeYear: mayBeYear)
            return Amount(words: said, integer: digits.count <= 15 ? Int64(digits) : nil)
        case .decimal(let whole, let fraction)?:
            rest = rest.dropFirst()
            let cents = fraction.count == 2 ? Int(fraction) : nil
            return Amount(
                words: decimal(whole, fraction), integer: whole.count <= 15 ? Int64(whole) : nil, cents: cents,
                isDecimal: true)
        case .sign(let sign)?:
            guard let (upper, lower) = Self.vulgar(sign) else { return nil }
            rest = rest.dropFirst()
            return fraction(String(upper), String(lower))
        default: return nil
        }
    }

    private static func vulgar(_ character: Character) -> (Int, Int)? {
        switch character {
        case "½": (1, 2)
        case "⅓": (1, 3)
        case "⅔": (2, 3)
        case "¼": (1, 4)
        case "¾": (3, 4)
        case "⅕": (1, 5)
        case "⅖": (2, 5)
        case "⅗": (3, 5)
        case "⅘": (4, 5)
        case "⅙": (1, 6)
        case "⅚": (5, 6)
        case "⅛": (1, 8)
        case "⅜": (3, 8)
        case "⅝": (5, 8)
        case "⅞": (7, 8)
        default: nil
        }
    }

    /// "3/4" in parts; "24/7" and others as two numbers.
    func fraction(_ upper: String, _ lower: String, isMixed: Bool = false) -> Amount {
        guard let one = Int64(upper), let other = Int(lower), one > 0, one < other, let forms = words.parts[other]
        else {
            let isPair = upper.count <= 2 && lower.count == 1
            return Amount(words: integer(upper) + (isPair ? " " : " " + words.slash + " ") + integer(lower))
        }
        if isMixed, one == 1, other == 2, language is English { return Amount(words: "a half") }
        if one == 1, other == 2, !(language is English) {
            return Amount(words: language is German ? "ein halb" : "un " + forms.one)
        }
        let count = one == 1 ? language.counting(one, speller) : language.cardinal(one, speller)
        return Amount(words: count + " " + (one == 1 ? forms.one : forms.many))
    }

    // MARK: - What follows it

    private func money(
        _ view: TokenView, _ index: Int, _ sign: String, _ amount: Amount, _ currency: NumberWords.Currency,
        _ rest: ArraySlice<NumberRuns.Run>
    ) -> Reading? {
        let isAlone = rest.isEmpty
        var count = 1
        var magnitude: String?
        if case .letters(let letters)? = rest.first, rest.count == 1 {
            magnitude = letters
        } else if isAlone {
            let next = view.next(after: index)
            if next.count > 1, words.magnitudes[next] != nil || words.magnitudes[next.lowercased()] != nil {
                magnitude = next
                count = 2
            }
        } else {
            return nil
        }
        if let magnitude {
            guard let forms = words.magnitudes[magnitude] ?? words.magnitudes[magnitude.lowercased()] else {
                return nil
            }
            let isLinked = magnitude.count > 1 && forms.many != forms.one
            let link = isLinked ? language.link(to: currency.unit.many) : " "
            return Reading(words: sign + amount.words + " " + forms.many + link + currency.unit.many, count: count)
        }
        return Reading(words: sign + said(amount, currency))
    }

    private func said(_ amount: Amount, _ currency: NumberWords.Currency) -> String {
        guard let whole = amount.integer, let cents = amount.cents, let cent = currency.cent else {
            return with(amount, currency.unit)
        }
        let units = with(Amount(words: language.cardinal(whole, speller), integer: whole), currency.unit)
        guard cents > 0 else { return units }
        let parts = with(Amount(words: language.cardinal(Int64(cents), speller), integer: Int64(cents)), cent)
        guard whole > 0 else { return parts }
        switch language {
        case is English: return units + " and " + parts
        case is Spanish: return units + " con " + parts
        // "fünf Euro fünfzig"
        default: return units + " " + language.cardinal(Int64(cents), speller)
        }
    }

    private func with(_ amount: Amount, _ forms: NumberWords.Forms) -> String {
        if amount.integer == 1, !amount.isDecimal { return forms.one }
        guard let value = amount.integer, !amount.isDecimal else { return amount.words + " " + forms.many }
        return language.counting(value, speller) + " " + forms.many
    }

    private func suffixed(
        _ view: TokenView, _ index: Int, _ sign: String, _ amount: Amount, _ rest: ArraySlice<NumberRuns.Run>
    ) -> Reading? {
        let written = rest.map(Self.text).joined()
        if written.isEmpty { return withNext(view, index, sign, amount) }
        if let said = suffix(amount, written) { return Reading(words: sign + said) }
        if written == "s", let integer = amount.integer, let decade = decade(integer, view, index) {
            return Reading(words: decade)
        }
        if let forms = words.units[written] { return Reading(words: sign + with(amount, forms)) }
        if written == "er", language is German, let value = amount.integer {
            return Reading(words: language.year(value, speller) + "er")
        }
        // "+5" has no more to it, "5th-century" and the like are read in pieces.
        return nil
    }

    /// A percentage or a currency behind the number, or one number on another.
    private func suffix(_ amount: Amount, _ written: String) -> String? {
        switch written {
        case "%": return amount.words + " " + words.percent
        case "‰": return amount.words + " " + words.perMille
        case "+": return amount.words + " " + words.plus
        default:
            guard let currency = words.currencies[written] else { return nil }
            return said(amount, currency)
        }
    }

    private func withNext(_ view: TokenView, _ index: Int, _ sign: String, _ amount: Amount) -> Reading {
        var next = view.next(after: index)
        // A full stop belongs to an abbreviated unit only if the sentence goes on.
        let isLast = index + 2 >= view.tokens.count
        let hasStop =
            view.tokens.indices.contains(index + 1) && view.tokens[index + 1].traits.contains(.stop) && !isLast
        if let forms = words.magnitudes[next], next.count > 1, !(language is English) {
            let magnitude = amount.integer == 1 && !amount.isDecimal ? forms.one : amount.words + " " + forms.many
            let following = view.next(after: index + 1, afterStop: true)
            if let currency = words.currencies[following] {
                let link = forms.many == forms.one ? " " : language.link(to: currency.unit.many)
                return Reading(words: sign + magnitude + link + currency.unit.many, count: 3)
            }
            return Reading(words: sign + magnitude, count: 2, takesStop: hasStop)
        }
        if next == "°", view.followsClosely(index + 2), ["C", "F"].contains(view.core(index + 2)) {
            next += view.core(index + 2)
            if let forms = words.units[next] { return Reading(words: sign + with(amount, forms), count: 3) }
        }
        if !next.isEmpty, let said = suffix(amount, next), next != "+", next != "Fr", next != "F" {
            return Reading(words: sign + said, count: 2)
        }
        if let forms = words.units[next], next.count > 1 || "mglhst°".contains(next) {
            return Reading(words: sign + with(amount, forms), count: 2, takesStop: hasStop)
        }
        if let mixed = mixed(view, index, amount) { return mixed }
        return Reading(words: sign + amount.words)
    }

    /// "2 1/2", "2 ½".
    private func mixed(_ view: TokenView, _ index: Int, _ amount: Amount) -> Reading? {
        guard amount.integer != nil, !amount.isDecimal, view.followsClosely(index + 1) else { return nil }
        let runs = NumberRuns(view.core(index + 1), group: words.group, decimal: words.decimal).runs
        var part: Amount?
        if runs.count == 3, case .integer(let upper) = runs[0], runs[1] == .sign("/"),
            case .integer(let lower) = runs[2],
            let one = Int(upper), let other = Int(lower), one < other, words.parts[other] != nil
        {
            part = fraction(upper, lower, isMixed: true)
        } else if runs.count == 1, case .sign(let sign) = runs[0], let (upper, lower) = Self.vulgar(sign) {
            part = fraction(String(upper), String(lower), isMixed: true)
        }
        return part.map { Reading(words: amount.words + " " + words.and + " " + $0.words, count: 2) }
    }

    /// "1990s", and "the 80s" where it can be no number of seconds.
    func decade(_ number: Int64, _ view: TokenView, _ index: Int) -> String? {
        guard language is English, number % 10 == 0, number >= 20 else { return nil }
        let before = view.context(index).previous
        guard
            number >= 1000 || ["the", "mid", "early", "late", "his", "her", "their", "my"].contains(before)
                || view.hasLead(index)
        else { return nil }
        let said = number >= 1000 ? language.year(number, speller) : language.cardinal(number, speller)
        return said.hasSuffix("y") ? said.dropLast() + "ies" : said + "s"
    }

    private func ordinal(
        _ view: TokenView, _ index: Int, _ rest: ArraySlice<NumberRuns.Run>, _ context: NumberContext
    ) -> Reading? {
        guard case .integer(let digits)? = rest.first, digits.count <= 9, let value = Int64(digits) else { return nil }
        let ending = rest.dropFirst().map(Self.text).joined()
        if !ending.isEmpty {
            return language.ordinal(value, ending: ending, context, speller).map { Reading(words: $0) }
        }
        // A full stop within the sentence makes an ordinal.
        guard view.tokens[index].traits.contains(.stop), index + 1 < view.tokens.count, digits.count <= 3,
            view.followsClosely(index + 1, afterStop: true), index > 0 || context.next.isEmpty == false,
            let said = language.ordinal(value, ending: ".", context, speller)
        else { return nil }
        return Reading(words: said, takesStop: true)
    }

    static func text(_ run: NumberRuns.Run) -> String {
        switch run {
        case .integer(let digits): digits
        case .decimal(let whole, let fraction): whole + "." + fraction
        case .letters(let letters): letters
        case .sign(let sign): String(sign)
        }
    }
}

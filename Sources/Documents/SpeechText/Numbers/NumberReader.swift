// SPDX-License-Identifier: Apache-2.0

/// Says expressions with numbers in words.
///
/// A class, as its tables would be counted one by one whenever it is handed on.
final class NumberReader {
    let language: any NumberLanguage
    let speller: NumberSpeller
    let words: NumberWords

    init(language: any NumberLanguage, speller: NumberSpeller) {
        self.language = language
        self.speller = speller
        words = language.words
    }

    /// The words of the tokens from an index that has digits.
    func read(_ view: TokenView, _ index: Int) -> Reading? {
        let core = view.core(index)
        let runs = NumberRuns(core, group: words.group, decimal: words.decimal)
        if let reading = phone(view, index, runs) { return reading }
        if let reading = moment(view, index, runs) { return reading }
        if let reading = quantity(view, index, runs) { return reading }
        return Reading(words: compound(view, index, runs) ?? pieces(runs))
    }

    // MARK: - Numbers

    func digits(_ digits: String) -> String {
        digits.compactMap { $0.wholeNumberValue.map { language.cardinal(Int64($0), speller) } }.joined(separator: " ")
    }

    /// A whole number; one with leading zeros or too many digits is said digit by digit.
    func integer(_ digits: String, _ context: NumberContext? = nil, mayBeYear: Bool = true) -> String {
        guard digits.count <= 15, let value = Int64(digits), digits.count == 1 || !digits.hasPrefix("0") else {
            return self.digits(digits)
        }
        if let context {
            if mayBeYear, digits.count == 4, language.mayBeYear(value, context) { return language.year(value, speller) }
            if context.isNextClose, let first = context.next.unicodeScalars.first, first.isLower || first.isUpper,
                !["de", "à", "a", "et", "y", "und", "bis"].contains(context.next)
            {
                return language.counting(value, before: context.next, speller)
            }
        }
        return language.cardinal(value, speller)
    }

    func decimal(_ integer: String, _ fraction: String) -> String {
        let whole = integer.isEmpty ? language.cardinal(0, speller) : self.integer(integer)
        // A hundred decimals are read as far as anybody listens.
        return whole + " " + words.point + " " + digits(String(fraction.prefix(20)))
    }

    // MARK: - What no pattern fits

    /// A number with an ending and words joined to it: "20th-century", "1960s-era".
    private func compound(_ view: TokenView, _ index: Int, _ runs: NumberRuns) -> String? {
        guard runs.shape.hasPrefix("na-"), case .integer(let digits) = runs.runs[0], digits.count <= 9,
            case .letters(let ending) = runs.runs[1], let value = Int64(digits)
        else { return nil }
        let said =
            language.ordinal(value, ending: ending, NumberContext(), speller)
            ?? (ending == "s" ? decade(value, view, index) : nil)
            ?? words.units[ending].map { language.cardinal(value, speller) + " " + $0.many }
        return said.map { $0 + " " + pieces(NumberRuns(runs.runs.dropFirst(3))) }
    }

    /// Letters, numbers and signs one after another: "B52", "1.2.3", "192.168.0.1".
    func pieces(_ runs: NumberRuns) -> String {
        var said: [String] = []
        let all = runs.runs
        for (index, run) in all.enumerated() {
            switch run {
            case .integer(let digits):
                let isAlone = all.count == 1
                said.append(
                    digits.count > 4 && !isAlone
                        ? self.digits(digits) : integer(digits, isAlone ? NumberContext() : nil))
            case .decimal(let whole, let fraction): said.append(decimal(whole, fraction))
            case .letters(let letters): said.append(letters)
            case .sign(let sign):
                let isInside = index > 0 && index < all.count - 1
                said.append(
                    contentsOf: Self.isNumber(all, index - 1) || Self.isNumber(all, index + 1)
                        ? word(for: sign, isInside) : [])
            }
        }
        return said.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func isNumber(_ runs: [NumberRuns.Run], _ index: Int) -> Bool {
        guard runs.indices.contains(index) else { return false }
        switch runs[index] {
        case .integer, .decimal: return true
        case .letters, .sign: return false
        }
    }

    func word(for sign: Character, _ isInside: Bool) -> [String] {
        switch sign {
        case ".": isInside ? [words.dot == "dot" ? words.point : words.dot] : []
        case "/": isInside ? [words.slash] : []
        case "%": [words.percent]
        case "‰": [words.perMille]
        case "+": [words.plus]
        case "−": [words.minus]
        case "×", "*": isInside ? [words.times] : []
        case "=": [words.equals]
        case "&": [words.and]
        case "@": [words.at]
        case "§": [words.section]
        case "#", "№": [words.number]
        default:
            if let forms = words.units[String(sign)] {
                [forms.many]
            } else {
                words.currencies[String(sign)].map { [$0.unit.many] } ?? []
            }
        }
    }
}

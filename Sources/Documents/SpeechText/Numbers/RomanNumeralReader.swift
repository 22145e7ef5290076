// SPDX-License-Identifier: Apache-2.0

/// Says Roman numerals where they are certain: behind a word such as "Chapter", or behind the name of a ruler.
final class RomanNumeralReader {
    struct Words: Sendable {
        /// Words before a numeral that counts, in lower case.
        var parts: Set<String>
        /// Names of rulers, in lower case.
        var kings: Set<String>
        var queens: Set<String>
        /// Words before the number of a century.
        var centuries: Set<String>
    }

    let reader: NumberReader
    let words: Words

    init?(reader: NumberReader) {
        self.reader = reader
        switch reader.language {
        case is English: words = Self.english
        case is German: words = Self.german
        case is French: words = Self.french
        case is Spanish: words = Self.spanish
        default: return nil
        }
    }

    /// - Parameter isTitle: Whether the sentence is a heading, so that a numeral at its start is its number.
    func read(_ view: TokenView, _ index: Int, isTitle: Bool) -> Reading? {
        let core = view.core(index)
        let before = index > 0 && view.followsClosely(index, afterStop: true) ? view.core(index - 1) : ""
        if let century = frenchCentury(view, index, core) { return century }
        guard let numeral = RomanNumeral(core) else { return nil }
        let isUpper = core.utf8.first.map { $0 < 0x61 } ?? false
        let cardinal = reader.language.cardinal(Int64(numeral.value), reader.speller)
        let previous = before.lowercased()
        if isUpper, words.kings.contains(previous) || words.queens.contains(previous), view.isCapitalised(index - 1) {
            // "Friedrich II." within a sentence.
            let hasStop = reader.language is German && view.tokens[index].traits.contains(.stop)
            let said = reader.language.regnal(
                numeral.value, isFeminine: words.queens.contains(previous), view.context(index), reader.speller)
            return Reading(words: said, takesStop: hasStop && index + 1 < view.tokens.count)
        }
        if words.centuries.contains(previous), isUpper { return Reading(words: cardinal) }
        if words.parts.contains(previous) {
            // "Book I" but "the book I read", and no word in small letters such as "part mix".
            let isCertain =
                isUpper ? core.count > 1 || view.isCapitalised(index - 1) : core.count > 1 && numeral.value < 40
            return isCertain ? Reading(words: cardinal) : nil
        }
        let isAlone = view.tokens.count == 1
        if isTitle, index == 0, isUpper, isAlone || view.tokens[0].traits.contains(.stop) {
            return Reading(words: cardinal)
        }
        return nil
    }

    /// "XIXe siècle".
    private func frenchCentury(_ view: TokenView, _ index: Int, _ core: String) -> Reading? {
        guard reader.language is French else { return nil }
        for ending in ["ème", "ᵉ", "er", "e"] where core.hasSuffix(ending) {
            let digits = String(core.dropLast(ending.count))
            // "Le", "De", "Ce" and "Me" are words.
            guard let numeral = RomanNumeral(digits), core.first?.isUppercase == true,
                digits.count > 1 || numeral.value <= 10 || ending != "e"
            else { continue }
            return reader.language.ordinal(Int64(numeral.value), ending: ending, NumberContext(), reader.speller).map {
                Reading(words: $0)
            }
        }
        return nil
    }

    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }

    private static let english = Words(
        parts: set(
            "chapter part book volume act scene section canto article appendix war phase type stage title psalm "
                + "figure table plate "
                + "lecture letter unit class level division bowl episode ch chap vol pt bk fig sec art"),
        kings: set(
            "henry edward george william richard james charles louis philip francis leopold frederick wilhelm "
                + "pius leo gregory john "
                + "paul benedict innocent clement urban boniface alexander nicholas ivan peter ferdinand "
                + "alfonso pedro napoleon "
                + "ptolemy ramses ramesses darius xerxes christian gustav otto robert david malcolm baldwin "
                + "albert haakon olav"
        ),
        queens: set("elizabeth mary catherine isabella margaret anne victoria cleopatra"), centuries: [])

    private static let german = Words(
        parts: set(
            "kapitel teil buch band akt szene abschnitt artikel anhang weltkrieg gesang klasse stufe bd kap abb abs art"
        ),
        kings: set(
            "heinrich friedrich wilhelm karl ludwig otto konrad leopold franz joseph ferdinand maximilian pius "
                + "leo gregor johannes "
                + "paul benedikt innozenz clemens alexander nikolaus iwan peter napoleon philipp georg eduard "
                + "august gustav christian"
        ),
        queens: set("elisabeth katharina maria margarethe isabella"), centuries: [])

    private static let french = Words(
        parts: set(
            "chapitre partie livre tome volume acte scène section article annexe chant titre guerre mondiale "
                + "chap vol t art fig"
        ),
        kings: set(
            "louis charles henri philippe françois napoléon jean paul pie léon grégoire benoît innocent clément "
                + "alexandre nicolas "
                + "pierre frédéric guillaume édouard georges léopold ferdinand alphonse otton robert hugues"),
        queens: set("élisabeth catherine marie isabelle marguerite"), centuries: set("siècle"))

    private static let spanish = Words(
        parts: set(
            "capítulo parte libro tomo volumen acto escena sección artículo apéndice canto título mundial cap "
                + "vol t art fig"
        ),
        kings: set(
            "felipe carlos fernando alfonso juan enrique pedro sancho luis pablo pío león gregorio benedicto "
                + "inocencio clemente "
                + "alejandro nicolás napoleón jorge eduardo guillermo francisco jaime ramiro"),
        queens: set("isabel catalina maría juana margarita"), centuries: set("siglo siglos"))
}

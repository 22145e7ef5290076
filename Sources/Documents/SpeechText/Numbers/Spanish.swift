// SPDX-License-Identifier: Apache-2.0

/// The way in which Spanish says numbers.
struct Spanish: NumberLanguage {
    var dayIsFirst: Bool { true }
    var words: NumberWords { Self.words }
    var cardinalRules: String { "%spellout-cardinal-masculine" }
    var numberingRules: String { "%spellout-numbering" }

    func counting(_ number: Int64, before noun: String, _ speller: NumberSpeller) -> String {
        let isFeminine =
            !Self.masculine.contains { noun.hasPrefix($0) }
            && ["a", "as", "ción", "ciones", "dad", "dades"].contains { noun.hasSuffix($0) }
        return isFeminine ? speller.words(number, "%spellout-cardinal-feminine") : counting(number, speller)
    }

    /// Nouns that look feminine.
    private static let masculine = [
        "día", "problem", "sistem", "tem", "program", "idiom", "planet", "map", "poet", "gram", "kilogram",
    ]

    func link(to noun: String) -> String { " de " }

    func ordinal(_ number: Int64, ending: String, _ context: NumberContext, _ speller: NumberSpeller) -> String? {
        switch ending {
        // "tercer piso"
        case "º", ".º", "°", "o":
            speller.words(
                number,
                context.isNextClose && context.next.unicodeScalars.first?.isLower == true
                    ? "%spellout-ordinal-masculine-adjective" : "%spellout-ordinal-masculine")
        case "ª", ".ª", "a": speller.words(number, "%spellout-ordinal-feminine")
        case "er", ".er": speller.words(number, "%spellout-ordinal-masculine-adjective")
        default: nil
        }
    }

    func date(day: Int, month: Int, year: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String {
        let number = day == 1 ? "primero" : cardinal(Int64(day), speller)
        let ending = year.map { " de " + cardinal(Int64($0), speller) } ?? ""
        return "\(number) de \(words.monthNames[month - 1])\(ending)"
    }

    func time(_ hour: Int, _ minute: Int, _ second: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String
    {
        var said = speller.words(Int64(hour), "%spellout-cardinal-feminine")
        if minute > 0 || second != nil { said += (minute < 10 ? " y " : " ") + cardinal(Int64(minute), speller) }
        if minute == 0, second == nil { said += " en punto" }
        if let second { said += " y " + counting(Int64(second), speller) + (second == 1 ? " segundo" : " segundos") }
        return said
    }

    /// Rulers are counted by ordinals up to ten.
    func regnal(_ number: Int, isFeminine: Bool, _ context: NumberContext, _ speller: NumberSpeller) -> String {
        guard number <= 10 else { return cardinal(Int64(number), speller) }
        return speller.words(Int64(number), isFeminine ? "%spellout-ordinal-feminine" : "%spellout-ordinal-masculine")
    }

    private static let months = NumberWords.months(
        """
        enero ene
        febrero feb
        marzo
        abril abr
        mayo
        junio jun
        julio jul
        agosto ago
        septiembre setiembre sept sep
        octubre oct
        noviembre nov
        diciembre dic
        """)

    private static let words = NumberWords(
        group: ".", decimal: ",", point: "coma", minus: "menos", plus: "más", percent: "por ciento",
        perMille: "por mil", to: "a",
        and: "y", times: "por", equals: "igual a", slash: "barra", dash: "guion", dot: "punto", at: "arroba",
        underscore: "guion bajo", number: "número", section: "sección",
        units: NumberWords.table(
            """
            km|un kilómetro|kilómetros
            m|un metro|metros
            cm|un centímetro|centímetros
            mm|un milímetro|milímetros
            km² km2|un kilómetro cuadrado|kilómetros cuadrados
            m² m2|un metro cuadrado|metros cuadrados
            m³ m3|un metro cúbico|metros cúbicos
            ha|una hectárea|hectáreas
            km/h|un kilómetro por hora|kilómetros por hora
            m/s|un metro por segundo|metros por segundo
            t|una tonelada|toneladas
            kg|un kilogramo|kilogramos
            g|un gramo|gramos
            mg|un miligramo|miligramos
            l L|un litro|litros
            ml|un mililitro|mililitros
            s|un segundo|segundos
            ms|un milisegundo|milisegundos
            min|un minuto|minutos
            h|una hora|horas
            °|un grado|grados
            °C ℃|un grado Celsius|grados Celsius
            Hz|un hercio|hercios
            kHz|un kilohercio|kilohercios
            MHz|un megahercio|megahercios
            GHz|un gigahercio|gigahercios
            KB kB|un kilobyte|kilobytes
            MB|un megabyte|megabytes
            GB|un gigabyte|gigabytes
            TB|un terabyte|terabytes
            W|un vatio|vatios
            kW|un kilovatio|kilovatios
            kWh|un kilovatio hora|kilovatios hora
            V|un voltio|voltios
            dB|un decibelio|decibelios
            """),
        currencies: NumberWords.currencies(
            """
            € EUR|un euro|euros|un céntimo|céntimos
            $ US$ USD|un dólar|dólares|un centavo|centavos
            £ GBP|una libra|libras|un penique|peniques
            ¥ JPY|un yen|yenes
            """),
        magnitudes: NumberWords.table(
            """
            mil|mil|mil
            millón millones M|un millón|millones
            """),
        parts: NumberWords.parts(
            """
            2|medio|medios
            3|tercio|tercios
            4|cuarto|cuartos
            5|quinto|quintos
            6|sexto|sextos
            7|séptimo|séptimos
            8|octavo|octavos
            9|noveno|novenos
            10|décimo|décimos
            100|centésimo|centésimos
            """),
        months: months.numbers, monthNames: months.names)
}

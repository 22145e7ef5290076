// SPDX-License-Identifier: Apache-2.0

/// The way in which German says numbers.
struct German: NumberLanguage {
    var dayIsFirst: Bool { true }
    var words: NumberWords { Self.words }
    var cardinalRules: String { "%spellout-cardinal-masculine" }
    var numberingRules: String { "%spellout-numbering" }

    func year(_ number: Int64, _ speller: NumberSpeller) -> String { speller.words(number, "%spellout-numbering-year") }

    func mayBeYear(_ number: Int64, _ context: NumberContext) -> Bool { number >= 1100 && number < 2000 }

    func counting(_ number: Int64, before noun: String, _ speller: NumberSpeller) -> String {
        let isFeminine = Self.feminine.contains(noun) || Self.feminineEndings.contains { noun.hasSuffix($0) }
        return number == 1 && isFeminine ? "eine" : counting(number, speller)
    }

    private static let feminine: Set<String> = [
        "Stunde", "Minute", "Sekunde", "Woche", "Tonne", "Seite", "Mark", "Frau", "Tochter", "Nacht", "Meile", "Stadt",
        "Flasche",
    ]
    private static let feminineEndings = ["ung", "heit", "keit", "schaft", "ion", "tät", "erin", "arde"]

    func ordinal(_ number: Int64, ending: String, _ context: NumberContext, _ speller: NumberSpeller) -> String? {
        switch ending {
        case ".": speller.words(number, Self.rules(after: context.previous))
        case "te": speller.words(number, "%spellout-ordinal")
        case "ten": speller.words(number, "%spellout-ordinal-n")
        case "ter": speller.words(number, "%spellout-ordinal-r")
        case "tes": speller.words(number, "%spellout-ordinal-s")
        default: nil
        }
    }

    /// The ending of an ordinal follows the word before it: "am dritten", "die dritte", "ein dritter".
    private static func rules(after word: String) -> String {
        switch word {
        case "am", "im", "vom", "zum", "zur", "beim", "dem", "den", "des", "einem", "einen", "einer", "eines", "seinem",
            "ihrem",
            "seinen", "ihren", "seiner", "ihrer", "diesem", "diesen", "jedem", "jeden", "ab", "seit", "bis", "vor",
            "nach":
            "%spellout-ordinal-n"
        case "der", "die", "das", "diese", "dieser", "dieses", "jede", "jeder", "jedes", "eine", "seine", "ihre",
            "meine":
            "%spellout-ordinal"
        case "ein", "kein", "sein", "ihr", "mein": "%spellout-ordinal-r"
        default: "%spellout-ordinal-r"
        }
    }

    func date(day: Int, month: Int, year: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String {
        let ordinal = speller.words(Int64(day), Self.rules(after: context.previous))
        let ending = year.map { " " + self.year(Int64($0), speller) } ?? ""
        return "\(ordinal) \(words.monthNames[month - 1])\(ending)"
    }

    func time(_ hour: Int, _ minute: Int, _ second: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String
    {
        var said = (hour == 1 ? "ein" : cardinal(Int64(hour), speller)) + " Uhr"
        if minute > 0 || second != nil { said += " " + cardinal(Int64(minute), speller) }
        if let second { said += " und " + counting(Int64(second), speller) + (second == 1 ? "e Sekunde" : " Sekunden") }
        return said
    }

    func regnal(_ number: Int, isFeminine: Bool, _ context: NumberContext, _ speller: NumberSpeller) -> String {
        let ordinal = speller.words(Int64(number), "%spellout-ordinal")
        return (isFeminine ? "die " : "der ") + ordinal
    }

    private static let months = NumberWords.months(
        """
        Januar Jänner Jan
        Februar Feber Feb Febr
        März Mär Mrz
        April Apr
        Mai
        Juni Jun
        Juli Jul
        August Aug
        September Sept Sep
        Oktober Okt
        November Nov
        Dezember Dez
        """)

    private static let words = NumberWords(
        group: ".", decimal: ",", point: "Komma", minus: "minus", plus: "plus", percent: "Prozent",
        perMille: "Promille",
        to: "bis", and: "und", times: "mal", equals: "gleich", slash: "Schrägstrich", dash: "Strich", dot: "Punkt",
        at: "ät",
        underscore: "Unterstrich", number: "Nummer", section: "Paragraf",
        units: NumberWords.table(
            """
            km|ein Kilometer|Kilometer
            m|ein Meter|Meter
            cm|ein Zentimeter|Zentimeter
            mm|ein Millimeter|Millimeter
            km² km2 qkm|ein Quadratkilometer|Quadratkilometer
            m² m2 qm|ein Quadratmeter|Quadratmeter
            m³ m3|ein Kubikmeter|Kubikmeter
            ha|ein Hektar|Hektar
            km/h kmh|ein Kilometer pro Stunde|Kilometer pro Stunde
            m/s|ein Meter pro Sekunde|Meter pro Sekunde
            t|eine Tonne|Tonnen
            kg|ein Kilogramm|Kilogramm
            g|ein Gramm|Gramm
            mg|ein Milligramm|Milligramm
            l L|ein Liter|Liter
            ml|ein Milliliter|Milliliter
            cl|ein Zentiliter|Zentiliter
            s Sek|eine Sekunde|Sekunden
            ms|eine Millisekunde|Millisekunden
            min Min|eine Minute|Minuten
            h Std|eine Stunde|Stunden
            °|ein Grad|Grad
            °C ℃|ein Grad Celsius|Grad Celsius
            °F ℉|ein Grad Fahrenheit|Grad Fahrenheit
            Hz|ein Hertz|Hertz
            kHz|ein Kilohertz|Kilohertz
            MHz|ein Megahertz|Megahertz
            GHz|ein Gigahertz|Gigahertz
            kB KB|ein Kilobyte|Kilobyte
            MB|ein Megabyte|Megabyte
            GB|ein Gigabyte|Gigabyte
            TB|ein Terabyte|Terabyte
            W|ein Watt|Watt
            kW|ein Kilowatt|Kilowatt
            MW|ein Megawatt|Megawatt
            kWh|eine Kilowattstunde|Kilowattstunden
            V|ein Volt|Volt
            PS|ein P S|P S
            Pa|ein Pascal|Pascal
            hPa|ein Hektopascal|Hektopascal
            dB|ein Dezibel|Dezibel
            kcal|eine Kilokalorie|Kilokalorien
            """),
        currencies: NumberWords.currencies(
            """
            € EUR|ein Euro|Euro|ein Cent|Cent
            $ US$ USD|ein Dollar|Dollar|ein Cent|Cent
            £ GBP|ein Pfund|Pfund|ein Penny|Pence
            ¥ JPY|ein Yen|Yen
            CHF Fr|ein Franken|Franken|ein Rappen|Rappen
            DM|eine D-Mark|D-Mark|ein Pfennig|Pfennig
            """),
        magnitudes: NumberWords.table(
            """
            Tsd tausend|eintausend|tausend
            Mio Million Millionen|eine Million|Millionen
            Mrd Milliarde Milliarden|eine Milliarde|Milliarden
            Bio Billion Billionen|eine Billion|Billionen
            """),
        parts: NumberWords.parts(
            """
            2|halb|Halbe
            3|Drittel|Drittel
            4|Viertel|Viertel
            5|Fünftel|Fünftel
            6|Sechstel|Sechstel
            7|Siebtel|Siebtel
            8|Achtel|Achtel
            9|Neuntel|Neuntel
            10|Zehntel|Zehntel
            100|Hundertstel|Hundertstel
            """),
        months: months.numbers, monthNames: months.names)
}

// SPDX-License-Identifier: Apache-2.0

/// The way in which French says numbers.
struct French: NumberLanguage {
    var dayIsFirst: Bool { true }
    var words: NumberWords { Self.words }
    var cardinalRules: String { "%spellout-cardinal-masculine" }
    var numberingRules: String { "%spellout-numbering" }

    func counting(_ number: Int64, before noun: String, _ speller: NumberSpeller) -> String {
        let isFeminine =
            Self.feminine.contains { noun == $0 || noun == $0 + "s" } || noun.hasSuffix("tion") || noun.hasSuffix("té")
        return isFeminine ? speller.words(number, "%spellout-cardinal-feminine") : counting(number, speller)
    }

    private static let feminine: Set<String> = [
        "heure", "minute", "seconde", "journée", "semaine", "année", "page", "personne", "femme", "fille", "tonne",
        "ville",
        "maison", "voiture", "lettre", "pièce", "ligne",
    ]

    func link(to noun: String) -> String {
        guard let first = noun.first else { return " " }
        return "aeiouyéèêh".contains(first) ? " d'" : " de "
    }

    func ordinal(_ number: Int64, ending: String, _ context: NumberContext, _ speller: NumberSpeller) -> String? {
        switch ending {
        case "er", "ᵉʳ": number == 1 ? "premier" : nil
        case "re", "ère", "ʳᵉ": number == 1 ? "première" : nil
        case "e", "ème", "ième", "nd", "nde", "è", "ᵉ":
            if number == 2, ending == "nd" || ending == "nde" {
                ending == "nd" ? "second" : "seconde"
            } else {
                speller.words(number, "%spellout-ordinal-masculine")
            }
        default: nil
        }
    }

    func date(day: Int, month: Int, year: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String {
        let number = day == 1 ? "premier" : cardinal(Int64(day), speller)
        let ending = year.map { " " + cardinal(Int64($0), speller) } ?? ""
        return "\(number) \(words.monthNames[month - 1])\(ending)"
    }

    func time(_ hour: Int, _ minute: Int, _ second: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String
    {
        var said = speller.words(Int64(hour), "%spellout-cardinal-feminine") + (hour < 2 ? " heure" : " heures")
        if minute > 0 || second != nil { said += " " + speller.words(Int64(minute), "%spellout-cardinal-feminine") }
        if let second {
            said += " et " + speller.words(Int64(second), "%spellout-cardinal-feminine")
            said += second < 2 ? " seconde" : " secondes"
        }
        return said
    }

    func regnal(_ number: Int, isFeminine: Bool, _ context: NumberContext, _ speller: NumberSpeller) -> String {
        number == 1 ? (isFeminine ? "première" : "premier") : cardinal(Int64(number), speller)
    }

    private static let months = NumberWords.months(
        """
        janvier janv
        février févr
        mars
        avril avr
        mai
        juin
        juillet juil
        août
        septembre sept
        octobre oct
        novembre nov
        décembre déc
        """)

    private static let words = NumberWords(
        group: " ", decimal: ",", point: "virgule", minus: "moins", plus: "plus", percent: "pour cent",
        perMille: "pour mille",
        to: "à", and: "et", times: "fois", equals: "égale", slash: "barre oblique", dash: "tiret", dot: "point",
        at: "arobase",
        underscore: "tiret bas", number: "numéro", section: "paragraphe",
        units: NumberWords.table(
            """
            km|un kilomètre|kilomètres
            m|un mètre|mètres
            cm|un centimètre|centimètres
            mm|un millimètre|millimètres
            km² km2|un kilomètre carré|kilomètres carrés
            m² m2|un mètre carré|mètres carrés
            m³ m3|un mètre cube|mètres cubes
            ha|un hectare|hectares
            km/h|un kilomètre par heure|kilomètres par heure
            m/s|un mètre par seconde|mètres par seconde
            t|une tonne|tonnes
            kg|un kilogramme|kilogrammes
            g|un gramme|grammes
            mg|un milligramme|milligrammes
            l L|un litre|litres
            ml|un millilitre|millilitres
            cl|un centilitre|centilitres
            s|une seconde|secondes
            ms|une milliseconde|millisecondes
            min|une minute|minutes
            h|une heure|heures
            °|un degré|degrés
            °C ℃|un degré Celsius|degrés Celsius
            Hz|un hertz|hertz
            kHz|un kilohertz|kilohertz
            MHz|un mégahertz|mégahertz
            GHz|un gigahertz|gigahertz
            Ko ko|un kilooctet|kilooctets
            Mo|un mégaoctet|mégaoctets
            Go|un gigaoctet|gigaoctets
            To|un téraoctet|téraoctets
            W|un watt|watts
            kW|un kilowatt|kilowatts
            kWh|un kilowattheure|kilowattheures
            V|un volt|volts
            dB|un décibel|décibels
            """),
        currencies: NumberWords.currencies(
            """
            € EUR|un euro|euros|un centime|centimes
            $ US$ USD|un dollar|dollars|un cent|cents
            £ GBP|une livre|livres|un penny|pence
            ¥ JPY|un yen|yens
            CHF|un franc suisse|francs suisses|un centime|centimes
            F FF|un franc|francs|un centime|centimes
            """),
        magnitudes: NumberWords.table(
            """
            mille|mille|mille
            million millions M|un million|millions
            milliard milliards Md Mds|un milliard|milliards
            """),
        parts: NumberWords.parts(
            """
            2|demi|demis
            3|tiers|tiers
            4|quart|quarts
            5|cinquième|cinquièmes
            6|sixième|sixièmes
            7|septième|septièmes
            8|huitième|huitièmes
            9|neuvième|neuvièmes
            10|dixième|dixièmes
            100|centième|centièmes
            """),
        months: months.numbers, monthNames: months.names)
}

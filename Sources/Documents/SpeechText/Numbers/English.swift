// SPDX-License-Identifier: Apache-2.0

/// The way in which English says numbers.
struct English: NumberLanguage {
    let dayIsFirst: Bool
    var words: NumberWords { Self.words }
    var cardinalRules: String { "%spellout-cardinal" }
    var numberingRules: String { "%spellout-numbering" }

    func year(_ number: Int64, _ speller: NumberSpeller) -> String {
        guard number >= 1000, number < 10_000 else { return cardinal(number, speller) }
        let (century, rest) = (number / 100, number % 100)
        if number % 1000 < 10 { return cardinal(number, speller) }
        if rest == 0 { return cardinal(century, speller) + " hundred" }
        return cardinal(century, speller) + (rest < 10 ? " oh " : " ") + cardinal(rest, speller)
    }

    /// Also "1500 people" is said as a year is; later ones only where a count is unlikely.
    func mayBeYear(_ number: Int64, _ context: NumberContext) -> Bool { number >= 1100 && number < 2100 }

    func ordinal(_ number: Int64, ending: String, _ context: NumberContext, _ speller: NumberSpeller) -> String? {
        switch ending.lowercased() {
        case "st", "nd", "rd", "th": speller.words(number, "%spellout-ordinal")
        default: nil
        }
    }

    func date(day: Int, month: Int, year: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String {
        let name = words.monthNames[month - 1]
        let ordinal = speller.words(Int64(day), "%spellout-ordinal")
        let ending = year.map { " " + self.year(Int64($0), speller) } ?? ""
        if context.isDayFirst {
            let article = context.previous == "the" ? "" : "the "
            return "\(article)\(ordinal) of \(name)\(ending)"
        }
        return "\(name) \(ordinal)\(ending.isEmpty ? "" : ",")\(ending)"
    }

    func time(_ hour: Int, _ minute: Int, _ second: Int?, _ context: NumberContext, _ speller: NumberSpeller) -> String
    {
        let hours = cardinal(Int64(hour), speller)
        let next = context.next.lowercased()
        let isHalfDay = ["am", "pm", "a.m", "p.m"].contains(next)
        var said = hours
        if minute > 0 || second != nil {
            said += (minute < 10 ? " oh " : " ") + cardinal(Int64(minute), speller)
        } else if !isHalfDay {
            said += hour >= 1 && hour <= 12 ? " o'clock" : " hundred"
        }
        if let second { said += " and " + cardinal(Int64(second), speller) + (second == 1 ? " second" : " seconds") }
        return said
    }

    func regnal(_ number: Int, isFeminine: Bool, _ context: NumberContext, _ speller: NumberSpeller) -> String {
        "the " + speller.words(Int64(number), "%spellout-ordinal")
    }

    private static let months = NumberWords.months(
        """
        January Jan
        February Feb
        March Mar
        April Apr
        May
        June Jun
        July Jul
        August Aug
        September Sept Sep
        October Oct
        November Nov
        December Dec
        """)

    private static let words = NumberWords(
        group: ",", decimal: ".", point: "point", minus: "minus", plus: "plus", percent: "percent",
        perMille: "per mille", to: "to", and: "and", times: "times", equals: "equals", slash: "slash", dash: "dash",
        dot: "dot", at: "at", underscore: "underscore", number: "number", section: "section",
        units: NumberWords.table(
            """
            km|one kilometre|kilometres
            m|one metre|metres
            cm|one centimetre|centimetres
            mm|one millimetre|millimetres
            µm|one micrometre|micrometres
            nm|one nanometre|nanometres
            km² km2|one square kilometre|square kilometres
            m² m2|one square metre|square metres
            m³ m3|one cubic metre|cubic metres
            ha|one hectare|hectares
            ft|one foot|feet
            ′|one foot|feet
            ″|one inch|inches
            yd yds|one yard|yards
            mi|one mile|miles
            mph|one mile per hour|miles per hour
            km/h kph kmh|one kilometre per hour|kilometres per hour
            m/s|one metre per second|metres per second
            kg|one kilogram|kilograms
            g|one gram|grams
            mg|one milligram|milligrams
            µg|one microgram|micrograms
            lb lbs|one pound|pounds
            oz|one ounce|ounces
            l L|one litre|litres
            ml mL|one millilitre|millilitres
            cl|one centilitre|centilitres
            s sec secs|one second|seconds
            ms|one millisecond|milliseconds
            min mins|one minute|minutes
            h hr hrs|one hour|hours
            yr yrs|one year|years
            °|one degree|degrees
            °C ℃|one degree Celsius|degrees Celsius
            °F ℉|one degree Fahrenheit|degrees Fahrenheit
            Hz|one hertz|hertz
            kHz|one kilohertz|kilohertz
            MHz|one megahertz|megahertz
            GHz|one gigahertz|gigahertz
            kB KB|one kilobyte|kilobytes
            MB|one megabyte|megabytes
            GB|one gigabyte|gigabytes
            TB|one terabyte|terabytes
            KiB|one kibibyte|kibibytes
            MiB|one mebibyte|mebibytes
            GiB|one gibibyte|gibibytes
            kbps kbit/s|one kilobit per second|kilobits per second
            Mbps Mbit/s|one megabit per second|megabits per second
            W|one watt|watts
            kW|one kilowatt|kilowatts
            MW|one megawatt|megawatts
            kWh|one kilowatt hour|kilowatt hours
            V|one volt|volts
            kV|one kilovolt|kilovolts
            mA|one milliampere|milliamperes
            Pa|one pascal|pascals
            hPa|one hectopascal|hectopascals
            kPa|one kilopascal|kilopascals
            dB|one decibel|decibels
            px|one pixel|pixels
            pt|one point|points
            kcal|one kilocalorie|kilocalories
            kJ|one kilojoule|kilojoules
            """),
        currencies: NumberWords.currencies(
            """
            $ US$ USD|one dollar|dollars|one cent|cents
            £ GBP|one pound|pounds|one penny|pence
            € EUR|one euro|euros|one cent|cents
            ¥ JPY|one yen|yen
            ₹ INR|one rupee|rupees|one paisa|paise
            ₽ RUB|one rouble|roubles|one kopek|kopeks
            ₩ KRW|one won|won
            CHF|one Swiss franc|Swiss francs|one centime|centimes
            SEK|one Swedish krona|Swedish kronor
            ¢|one cent|cents
            """),
        magnitudes: NumberWords.table(
            """
            thousand k K|one thousand|thousand
            million m M mn|one million|million
            billion b B bn|one billion|billion
            trillion tn|one trillion|trillion
            """),
        parts: NumberWords.parts(
            """
            2|half|halves
            3|third|thirds
            4|quarter|quarters
            5|fifth|fifths
            6|sixth|sixths
            7|seventh|sevenths
            8|eighth|eighths
            9|ninth|ninths
            10|tenth|tenths
            12|twelfth|twelfths
            16|sixteenth|sixteenths
            20|twentieth|twentieths
            32|thirty-second|thirty-seconds
            100|hundredth|hundredths
            """),
        months: months.numbers, monthNames: months.names)
}

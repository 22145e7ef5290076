// SPDX-License-Identifier: Apache-2.0

/// The names that a language has for the things that are counted and the signs between numbers.
///
/// Tables are text, one entry a line: the written form, then the form for one and that for several, separated by bars.
struct NumberWords: Sendable {
    struct Forms: Sendable, Hashable {
        /// The form for one, with its number: "one kilometre", "eine Stunde".
        var one: String
        var many: String
    }

    struct Currency: Sendable, Hashable {
        var unit: Forms
        var cent: Forms?
    }

    /// The marks between groups of digits and before decimals.
    var group: Character
    var decimal: Character
    var point: String
    var minus: String
    var plus: String
    var percent: String
    var perMille: String
    /// The word between the ends of a range.
    var to: String
    /// The word between a whole number and a fraction.
    var and: String
    var times: String
    var equals: String
    var slash: String
    var dash: String
    var dot: String
    var at: String
    var underscore: String
    var number: String
    var section: String
    /// Written forms of units, in the case in which they are written.
    var units: [String: Forms]
    /// Currencies by sign and by code.
    var currencies: [String: Currency]
    /// "million" and its like, behind a number and its currency.
    var magnitudes: [String: Forms]
    /// Denominators with the words for one such part and several.
    var parts: [Int: Forms]
    /// Written names of months in lower case, with their number from 1.
    var months: [String: Int]
    var monthNames: [String]

    static func table(_ lines: String) -> [String: Forms] {
        var table: [String: Forms] = [:]
        for line in lines.split(separator: "\n") {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 3 else { continue }
            for key in fields[0].split(separator: " ") { table[String(key)] = Forms(one: fields[1], many: fields[2]) }
        }
        return table
    }

    /// Lines of written forms, unit and cent: "$ USD|one dollar|dollars|one cent|cents".
    static func currencies(_ lines: String) -> [String: Currency] {
        var table: [String: Currency] = [:]
        for line in lines.split(separator: "\n") {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 3 else { continue }
            let cent = fields.count >= 5 ? Forms(one: fields[3], many: fields[4]) : nil
            for key in fields[0].split(separator: " ") {
                table[String(key)] = Currency(unit: Forms(one: fields[1], many: fields[2]), cent: cent)
            }
        }
        return table
    }

    static func parts(_ lines: String) -> [Int: Forms] {
        var parts: [Int: Forms] = [:]
        for (key, forms) in table(lines) { if let number = Int(key) { parts[number] = forms } }
        return parts
    }

    /// Twelve lines of a name and its abbreviations.
    static func months(_ lines: String) -> (names: [String], numbers: [String: Int]) {
        var names: [String] = []
        var numbers: [String: Int] = [:]
        for line in lines.split(separator: "\n") {
            let forms = line.split(separator: " ").map(String.init)
            guard let name = forms.first else { continue }
            names.append(name)
            for form in forms { numbers[form.lowercased()] = names.count }
        }
        return (names, numbers)
    }
}

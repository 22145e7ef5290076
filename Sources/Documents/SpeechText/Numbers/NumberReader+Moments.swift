// SPDX-License-Identifier: Apache-2.0

extension NumberReader {
    /// A date or a time of day.
    func moment(_ view: TokenView, _ index: Int, _ runs: NumberRuns) -> Reading? {
        let numbers = runs.runs.map { run -> Int? in
            guard case .integer(let digits) = run, digits.count <= 4 else { return nil }
            return Int(digits)
        }
        switch runs.shape {
        case "n/n/n", "n.n.n", "n-n-n": return numericDate(view, index, runs, numbers)
        case "n.n":
            if view.next(after: index) == "Uhr", let time = time(view, index, runs, numbers[0], numbers[2]) {
                return Reading(words: time, count: 2)
            }
            return dottedDay(view, index, numbers)
        case "f":
            guard view.next(after: index) == "Uhr", case .decimal(let hour, let minute)? = runs.runs.first else {
                return nil
            }
            guard minute.count == 2, let time = time(view, index, runs, Int(hour), Int(minute)) else { return nil }
            return Reading(words: time, count: 2)
        case "n:n", "n:na":
            guard case .integer(let minute)? = runs.runs.dropFirst(2).first, minute.count == 2 else {
                return ratio(runs)
            }
            return clock(view, index, runs, numbers[0], numbers[2])
        case "n:n:n":
            guard let hour = numbers[0], let minute = numbers[2], let second = numbers[4], hour < 25, minute < 60,
                second < 60
            else { return nil }
            return Reading(words: language.time(hour, minute, second, view.context(index), speller))
        case "nan", "na":
            guard case .letters("h") = runs.runs[1], language is French, runs.shape == "nan" else { return nil }
            return time(view, index, runs, numbers[0], numbers[2]).map { Reading(words: $0) }
        case "n": return dayWithMonth(view, index, runs, numbers[0]) ?? spacedTime(view, index, numbers[0])
        case "na." where language is English, "na" where language is English: return nil
        default: return nil
        }
    }

    private func time(_ view: TokenView, _ index: Int, _ runs: NumberRuns, _ hour: Int?, _ minute: Int?) -> String? {
        guard let hour, let minute, hour < 25, minute < 60 else { return nil }
        return language.time(hour, minute, nil, view.context(index), speller)
    }

    private func clock(_ view: TokenView, _ index: Int, _ runs: NumberRuns, _ hour: Int?, _ minute: Int?) -> Reading? {
        guard let hour, let minute, hour < 25, minute < 60 else { return nil }
        var context = view.context(index)
        var ending = ""
        if case .letters(let letters)? = runs.runs.last {
            guard ["am", "pm"].contains(letters.lowercased()) else { return nil }
            context.next = letters
            ending = " " + letters.lowercased().map(String.init).joined(separator: " ")
        }
        let said = language.time(hour, minute, nil, context, speller) + ending
        // The word for "o'clock" is said already.
        let isSaid = ["Uhr", "h", "hrs"].contains(view.next(after: index))
        return Reading(words: said, count: isSaid ? 2 : 1)
    }

    private func ratio(_ runs: NumberRuns) -> Reading? {
        guard case .integer(let first) = runs.runs[0], case .integer(let second) = runs.runs[2], runs.shape == "n:n"
        else {
            return nil
        }
        return Reading(words: integer(first) + " " + (language is German ? "zu" : words.to) + " " + integer(second))
    }

    /// "14 h 30" in French.
    private func spacedTime(_ view: TokenView, _ index: Int, _ hour: Int?) -> Reading? {
        guard language is French, view.next(after: index) == "h", view.followsClosely(index + 2), let hour, hour < 25
        else { return nil }
        let minutes = view.core(index + 2)
        guard minutes.count == 2, let minute = Int(minutes), minute < 60 else { return nil }
        return Reading(words: language.time(hour, minute, nil, view.context(index + 2), speller), count: 3)
    }

    private func numericDate(_ view: TokenView, _ index: Int, _ runs: NumberRuns, _ numbers: [Int?]) -> Reading? {
        guard let first = numbers[0], let second = numbers[2], var last = numbers[4],
            case .integer(let firstDigits) = runs.runs[0], case .integer(let lastDigits) = runs.runs[4]
        else { return nil }
        var context = view.context(index)
        if firstDigits.count == 4 {
            guard runs.shape != "n.n.n" || language.dayIsFirst, isDay(last, month: second) else { return nil }
            context.isDayFirst = language.dayIsFirst
            return Reading(words: language.date(day: last, month: second, year: first, context, speller))
        }
        guard lastDigits.count == 4 || lastDigits.count == 2, runs.shape != "n-n-n" || lastDigits.count == 4 else {
            return nil
        }
        if lastDigits.count == 2 { last += last < 70 ? 2000 : 1900 }
        // A number above twelve is the day, wherever it stands.
        let dayIsFirst = first > 12 || (second <= 12 && (language.dayIsFirst || runs.shape == "n.n.n"))
        let (day, month) = dayIsFirst ? (first, second) : (second, first)
        guard isDay(day, month: month) else { return nil }
        context.isDayFirst = language.dayIsFirst
        return Reading(words: language.date(day: day, month: month, year: last, context, speller))
    }

    private func isDay(_ day: Int, month: Int) -> Bool { day >= 1 && day <= 31 && month >= 1 && month <= 12 }

    /// "3.5." in German.
    private func dottedDay(_ view: TokenView, _ index: Int, _ numbers: [Int?]) -> Reading? {
        // At the end of a sentence "3.5." may be a version.
        let isLast = index + 1 >= view.tokens.count
        guard language is German, view.tokens[index].traits.contains(.stop),
            !isLast || view.tokens[index].core.count == 5,
            let day = numbers[0], let month = numbers[2], isDay(day, month: month)
        else { return nil }
        return Reading(
            words: language.date(day: day, month: month, year: nil, view.context(index), speller), takesStop: !isLast)
    }

    /// Reads a day with the name of its month: "5 May 2020".
    ///
    /// The number of a German day has a full stop: "3. Mai 2020".
    private func dayWithMonth(_ view: TokenView, _ index: Int, _ runs: NumberRuns, _ day: Int?) -> Reading? {
        guard let day, day >= 1, day <= 31 else { return nil }
        if language is Spanish { return spanishDay(view, index, day) }
        let name = view.next(after: index, afterStop: language is German)
        guard let first = name.unicodeScalars.first, first.isUpper || !(language is English || language is German),
            let month = words.months[name.lowercased()]
        else { return nil }
        var count = 2
        let isAbbreviated =
            view.tokens[index + 1].traits.contains(.stop)
            && name.lowercased() != words.monthNames[month - 1].lowercased()
        let year = year(view, index + 2, afterStop: isAbbreviated)
        if year != nil { count = 3 }
        let context = view.context(index)
        return Reading(
            words: language.date(day: day, month: month, year: year, context, speller), count: count,
            takesStop: isAbbreviated && year == nil && index + 2 < view.tokens.count)
    }

    /// "5 de mayo de 2020".
    private func spanishDay(_ view: TokenView, _ index: Int, _ day: Int) -> Reading? {
        guard view.next(after: index).lowercased() == "de",
            let month = words.months[view.next(after: index + 1).lowercased()]
        else {
            return nil
        }
        let joins = ["de", "del"].contains(view.next(after: index + 2).lowercased())
        let year = joins ? year(view, index + 4, afterStop: false) : nil
        return Reading(
            words: language.date(day: day, month: month, year: year, view.context(index), speller),
            count: year == nil ? 3 : 5)
    }

    /// "May 5, 2020" and "May 5th" from the month on.
    func monthWithDay(_ view: TokenView, _ index: Int) -> Reading? {
        guard language is English, view.isCapitalised(index), let month = words.months[view.core(index).lowercased()],
            view.followsClosely(index + 1, afterStop: true)
        else { return nil }
        let digits = view.core(index + 1).prefix(while: \.isNumberDigit)
        let ending = view.core(index + 1).dropFirst(digits.count)
        guard digits.count <= 2, let day = Int(digits), isDay(day, month: month),
            ending.isEmpty || ["st", "nd", "rd", "th"].contains(ending)
        else {
            // "Jan. 1990": the year alone.
            guard let year = year(view, index + 1, afterStop: true) else { return nil }
            return Reading(words: words.monthNames[month - 1] + " " + language.year(Int64(year), speller), count: 2)
        }
        var context = view.context(index)
        context.isDayFirst = false
        let isFollowed = view.followsClosely(index + 2) || endsWithComma(view, index + 1)
        let year = isFollowed ? year(view, index + 2, afterStop: true, afterComma: true) : nil
        return Reading(
            words: language.date(day: day, month: month, year: year, context, speller), count: year == nil ? 2 : 3)
    }

    private func endsWithComma(_ view: TokenView, _ index: Int) -> Bool {
        let token = view.tokens[index]
        return token.end == token.core.upperBound + 1 && view.text.bytes[token.core.upperBound] == 0x2C
    }

    private func year(_ view: TokenView, _ index: Int, afterStop: Bool, afterComma: Bool = false) -> Int? {
        guard
            view.followsClosely(index, afterStop: afterStop)
                || (afterComma && index < view.tokens.count && !view.hasLead(index))
        else {
            return nil
        }
        let core = view.core(index)
        guard core.count == 4, core.allSatisfy(\.isNumberDigit), let year = Int(core), year >= 1000 else { return nil }
        return year
    }

    // MARK: - Telephone numbers

    /// Groups of digits that no date or range has: "555-1234", "+1 212 555 1234", "(212) 555-1234".
    func phone(_ view: TokenView, _ index: Int, _ runs: NumberRuns) -> Reading? {
        guard var groups = Self.groups(runs) else { return nil }
        let isInternational = runs.shape.hasPrefix("+")
        let isAreaCode = groups.count == 1 && groups[0].count == 3 && isInBrackets(view, index)
        var count = 1
        if isInternational || isAreaCode {
            while groups.count < 8, index + count < view.tokens.count, count < 6,
                view.followsClosely(index + count) || (count == 1 && isAreaCode) || isInBrackets(view, index + count),
                view.tokens[index + count].traits.isDisjoint(with: [.upper, .lower, .letter, .island]),
                let more = Self.groups(NumberRuns(view.core(index + count), group: "\0", decimal: "\0"))
            {
                groups += more
                count += 1
            }
        }
        let total = groups.reduce(0) { $0 + $1.count }
        let isLocal =
            groups.count == 2 && groups[0].count == 3 && groups[1].count == 4 && count == 1 && runs.shape == "n-n"
        let isLong = groups.count > 2 && total >= 9 && total <= 20 && groups.allSatisfy { $0.count >= 1 }
        guard
            isLocal || (isInternational && total >= 7) || (isAreaCode && total == 10)
                || (isLong && runs.shape.contains("-"))
                || (isLong && runs.shape == "n.n.n" && groups[0].count == 3 && groups[2].count == 4)
        else { return nil }
        let plus = isInternational ? words.plus + " " : ""
        return Reading(words: plus + groups.map { digits($0) }.joined(separator: ", "), count: count)
    }

    private func isInBrackets(_ view: TokenView, _ index: Int) -> Bool {
        guard view.tokens.indices.contains(index) else { return false }
        let token = view.tokens[index]
        return token.end == token.core.upperBound + 1 && token.start == token.core.lowerBound - 1
            && view.text.bytes[token.start] == 0x28 && view.text.bytes[token.core.upperBound] == 0x29
    }

    /// The groups of digits between hyphens or full stops, if there is nothing else.
    private static func groups(_ runs: NumberRuns) -> [String]? {
        var groups: [String] = []
        for (index, run) in runs.runs.enumerated() {
            switch run {
            case .integer(let digits): groups.append(digits)
            case .sign("+") where index == 0: continue
            case .sign("-"), .sign("."), .sign("–"): continue
            case .decimal(let whole, let fraction): groups += [whole, fraction]
            case .letters, .sign: return nil
            }
        }
        return groups.isEmpty ? nil : groups
    }
}

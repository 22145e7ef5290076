// SPDX-License-Identifier: Apache-2.0

/// The chapters of a recording among the sections of its text, found by their titles.
public enum ChapterAnchors {
    /// The most titles that are compared on either side.
    private static let most = 1000
    /// The share of words that two titles of one chapter have in common at least.
    private static let likeness = 0.5

    /// Returns pairs of a chapter and a section, in ascending order of both.
    ///
    /// Titles that share most of their words belong together; numbers count in figures, Roman figures and words. If no title has
    /// a word of another, and there are as many chapters as sections, they belong together one by one.
    public static func pairs(chapters: [String], sections: [String]) -> [(chapter: Int, section: Int)] {
        let chapters = chapters.prefix(most).map(words)
        let sections = sections.prefix(most).map(words)
        guard !chapters.isEmpty, !sections.isEmpty else { return [] }
        let found = best(chapters, sections)
        let common = chapters.reduce(into: Set<String>()) { $0.formUnion($1) }
        if found.isEmpty, chapters.count == sections.count, sections.allSatisfy(common.isDisjoint) {
            return chapters.indices.map { ($0, $0) }
        }
        return found
    }

    /// Finds the pairs with the greatest sum of likenesses that keep the order.
    private static func best(
        _ chapters: [Set<String>], _ sections: [Set<String>]
    ) -> [(chapter: Int, section: Int)] {
        let width = sections.count + 1
        var sums = [Double](repeating: 0, count: (chapters.count + 1) * width)
        var likenesses = [Double](repeating: 0, count: chapters.count * sections.count)
        for chapter in chapters.indices.reversed() {
            for section in sections.indices.reversed() {
                let same = likeness(of: chapters[chapter], sections[section])
                likenesses[chapter * sections.count + section] = same
                var sum = max(sums[(chapter + 1) * width + section], sums[chapter * width + section + 1])
                if same >= likeness { sum = max(sum, same + sums[(chapter + 1) * width + section + 1]) }
                sums[chapter * width + section] = sum
            }
        }
        var pairs: [(chapter: Int, section: Int)] = []
        var (chapter, section) = (0, 0)
        while chapter < chapters.count, section < sections.count {
            let same = likenesses[chapter * sections.count + section]
            let sum = sums[chapter * width + section]
            if same >= likeness, sum == same + sums[(chapter + 1) * width + section + 1] {
                pairs.append((chapter, section))
                (chapter, section) = (chapter + 1, section + 1)
            } else if sum == sums[(chapter + 1) * width + section] {
                chapter += 1
            } else {
                section += 1
            }
        }
        return pairs
    }

    private static func likeness(of a: Set<String>, _ b: Set<String>) -> Double {
        guard !a.isEmpty, !b.isEmpty else { return 0 }
        return Double(a.intersection(b).count) / Double(a.union(b).count)
    }

    /// Returns the words of a title that tell it from others.
    static func words(of title: String) -> Set<String> {
        let parts = title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let kept = parts.filter { !common.contains($0) }
        return Set(kept.map { figure($0) ?? $0 })
    }

    private static let common: Set<String> = [
        "chapter", "chapitre", "kapitel", "capitulo", "capítulo", "capitolo", "track", "the", "a", "of",
        "librivox", "section", "disc", "cd",
    ]

    /// Returns a number in figures; `nil` for any other word.
    private static func figure(_ word: String) -> String? {
        if word.allSatisfy(\.isNumber) {
            let figures = word.drop { $0 == "0" }
            return figures.isEmpty ? "0" : String(figures)
        }
        if let number = numbers[word] { return String(number) }
        return roman(word).map(String.init)
    }

    private static let numbers: [String: Int] = Dictionary(
        uniqueKeysWithValues: [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen",
            "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        ].enumerated().map { ($1, $0 + 1) })

    /// Returns the value of Roman figures below 200 in their usual form.
    private static func roman(_ word: String) -> Int? {
        guard word.utf8.count <= 9 else { return nil }
        let values: [Character: Int] = ["i": 1, "v": 5, "x": 10, "l": 50, "c": 100]
        var (sum, last) = (0, Int.max)
        var written: [Int] = []
        for letter in word {
            guard let value = values[letter] else { return nil }
            written.append(value)
        }
        for value in written {
            sum += value > last ? value - 2 * last : value
            last = value
        }
        return sum > 0 && sum < 200 && numeral(sum) == word ? sum : nil
    }

    private static func numeral(_ value: Int) -> String {
        var (rest, text) = (value, "")
        for (worth, letters) in [
            (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
        ] {
            while rest >= worth {
                text += letters
                rest -= worth
            }
        }
        return text
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Heads and feet that come again on page after page, and page numbers.
enum PDFRunningLines {
    /// The part of a page at its top and its bottom where they stand.
    private static let margin = 0.13
    /// Lines at each end of a page that are looked at.
    private static let depth = 3
    /// The number of pages on which the same line is a running one.
    private static let repeats = 3

    private struct Key: Hashable {
        var text: String
        var isTop: Bool
        var place: Int
    }

    /// Removes them from the lines of all pages.
    static func drop(_ lines: inout [PDFLine], _ pages: [PDFPage]) {
        let bodySize = bodySize(lines)
        var keys: [Int: Key] = [:]
        var counts: [Key: Set<Int>] = [:]
        var numbers: [Int: Int] = [:]
        var offsets: [Int: Set<Int>] = [:]
        for index in candidates(lines, pages) {
            let line = lines[index]
            guard line.size <= bodySize * 1.15 + 0.25 else { continue }
            let text = line.text(pages[line.page])
            guard text.utf8.count <= 200 else { continue }
            let height = pages[line.page].height
            let isTop = line.top < height / 2
            // A place of 10 points, so that rounding does not part them; the page's number is none of the text.
            let key = Key(text: masked(text), isTop: isTop, place: Int(line.top / 10))
            keys[index] = key
            for place in [key.place - 1, key.place, key.place + 1] {
                counts[Key(text: key.text, isTop: isTop, place: place), default: []].insert(line.page)
            }
            if let number = pageNumber(text) {
                numbers[index] = number - line.page
                offsets[number - line.page, default: []].insert(line.page)
            }
        }
        lines = lines.enumerated().filter { index, _ in
            if let key = keys[index], let seen = counts[key], seen.count >= repeats { return false }
            if let offset = numbers[index], let seen = offsets[offset], seen.count >= 2 { return false }
            return true
        }.map(\.element)
    }

    /// Returns the indices of the lines at the ends of pages.
    private static func candidates(_ lines: [PDFLine], _ pages: [PDFPage]) -> [Int] {
        var result: [Int] = []
        var start = 0
        while start < lines.count {
            var end = start + 1
            while end < lines.count, lines[end].page == lines[start].page { end += 1 }
            let height = pages[lines[start].page].height
            let order = (start..<end).sorted { lines[$0].top < lines[$1].top }
            let top = order.prefix(depth).filter { lines[$0].bottom < height * margin }
            let bottom = order.suffix(depth).filter { lines[$0].top > height * (1 - margin) }
            result += top + bottom.filter { !top.contains($0) }
            start = end
        }
        return result
    }

    private static func bodySize(_ lines: [PDFLine]) -> Double {
        var counts: [Int: Int] = [:]
        for line in lines { counts[Int(line.size * 2 + 0.5), default: 0] += line.words.count }
        return Double(counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0) / 2
    }

    /// Returns a line with its numbers made equal.
    private static func masked(_ text: String) -> String {
        var result = ""
        for character in text.lowercased() where !character.isWhitespace {
            if character.isNumber {
                if result.last != "#" { result.append("#") }
            } else {
                result.append(character)
            }
        }
        return Numeral(result[...])?.isRoman == true ? "#" : result
    }

    /// Reads `12`, `- 12 -`, `Page 12 of 20`, `xii`.
    private static func pageNumber(_ text: String) -> Int? {
        let words = text.split { $0.isWhitespace || $0 == "/" }.map { $0.trimmingPunctuation() }.filter { !$0.isEmpty }
        if words.count == 1, let number = Numeral(words[0]) { return number.value }
        guard words.count >= 2, words.count <= 4,
            ["page", "seite", "p", "pág", "página", "pagina"].contains(words[0].lowercased()),
            let number = Numeral(words[1])
        else { return nil }
        return number.value
    }
}

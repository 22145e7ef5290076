// SPDX-License-Identifier: Apache-2.0

/// Derives a readable title from a file name.
public enum FileTitle {
    /// Returns the name without its extension, if what follows the last dot looks like one: `Mr. Smith` has none.
    public static func stem(_ name: some StringProtocol) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
        let ending = name[name.index(after: dot)...]
        guard (1...8).contains(ending.count),
            ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), ending.contains(where: \.isLetter)
        else { return String(name) }
        return String(name[..<dot])
    }

    /// Returns the stem with spaces for underscores, and without the bit rate that archives append (`_64kb`).
    public static func title(_ name: some StringProtocol) -> String { words(stem(name)) }

    /// Returns the title of a folder name, which has no extension: `St.Ives` stays whole.
    public static func title(ofFolder name: some StringProtocol) -> String { words(String(name)) }

    private static func words(_ stem: String) -> String {
        var words = stem.split(whereSeparator: { $0 == "_" || $0 == " " })
        if words.count > 1, let last = words.last, isBitRate(last), stem.hasSuffix("_" + last) { words.removeLast() }
        return words.isEmpty ? stem : words.joined(separator: " ")
    }

    /// Returns whether a word is a bit rate: `64kb`, `128kbps`, `vbr`.
    private static func isBitRate(_ word: Substring) -> Bool {
        let word = word.lowercased()
        if word == "vbr" { return true }
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        return (2...3).contains(digits.count) && ["kb", "kbps", "kbit"].contains(word.dropFirst(digits.count))
    }
}

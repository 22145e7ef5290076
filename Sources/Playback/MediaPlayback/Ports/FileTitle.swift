// SPDX-License-Identifier: Apache-2.0

/// What the name of a file calls its content, for a person.
public enum FileTitle {
    /// The name without its extension, if what follows the last dot looks like one: `Mr. Smith` has none.
    public static func stem(_ name: some StringProtocol) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
        let ending = name[name.index(after: dot)...]
        guard (1...8).contains(ending.count),
            ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), ending.contains(where: \.isLetter)
        else { return String(name) }
        return String(name[..<dot])
    }

    /// The stem with spaces for underscores, and without the bit rate that archives put behind it (`_64kb`).
    public static func title(_ name: some StringProtocol) -> String { words(stem(name)) }

    /// The same of a folder's name, which has no extension: `St.Ives` is whole.
    public static func title(ofFolder name: some StringProtocol) -> String { words(String(name)) }

    private static func words(_ stem: String) -> String {
        var words = stem.split(whereSeparator: { $0 == "_" || $0 == " " })
        if words.count > 1, let last = words.last, isBitRate(last), stem.hasSuffix("_" + last) { words.removeLast() }
        return words.isEmpty ? stem : words.joined(separator: " ")
    }

    /// `64kb`, `128kbps`, `vbr`.
    private static func isBitRate(_ word: Substring) -> Bool {
        let word = word.lowercased()
        if word == "vbr" { return true }
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        return (2...3).contains(digits.count) && ["kb", "kbps", "kbit"].contains(word.dropFirst(digits.count))
    }
}

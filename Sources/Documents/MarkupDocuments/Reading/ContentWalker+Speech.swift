// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

extension ContentWalker {
    /// The longest pause that a document gets, in milliseconds.
    private static let longestPause = 10_000

    /// Says how the words of an element are spoken.
    mutating func endPhrase(_ frame: Frame) {
        let range = range(of: frame)
        guard !range.isEmpty, frame.node >= 0 else { return }
        if let language = ElementHints.language(of: tree, frame.node), language != frame.language {
            assembly.pronounce(range, .language(language))
        }
        switch frame.role {
        case .sub:
            if let words = OneLine.some(tree.attribute("alias", of: frame.node)) {
                assembly.pronounce(range, .words(words))
            }
        case .sayAs:
            switch tree.attribute("interpret-as", of: frame.node) {
            case "characters", "spell-out", "verbatim", "digits": assembly.pronounce(range, .spelled)
            default: break
            }
        case .phoneme:
            if let sounds = phonemes(frame.node, "alphabet", "ph") { assembly.pronounce(range, .phonemes(sounds)) }
        default:
            if let sounds = phonemes(frame.node, "ssml:alphabet", "ssml:ph") {
                assembly.pronounce(range, .phonemes(sounds))
            }
        }
    }

    /// Sounds in the International Phonetic Alphabet; other alphabets are not known.
    private func phonemes(_ node: Int, _ alphabet: String, _ sounds: String) -> String? {
        guard let text = OneLine.some(tree.attribute(sounds, of: node)) else { return nil }
        let declared = tree.path(node).lazy.compactMap { tree.attribute(alphabet, of: $0) }.first
        return declared == nil || declared?.lowercased() == "ipa" ? text : nil
    }

    mutating func pause(_ index: Int) throws(DocumentError) {
        let time = tree.attribute("time", of: index).flatMap {
            ClockValue.milliseconds($0, limit: Int64(Self.longestPause))
        }
        let pause: Int
        if let time {
            pause = Int(time)
        } else {
            switch tree.attribute("strength", of: index) {
            case "none", "x-weak": return
            case "weak": pause = 150
            case "strong": pause = 700
            case "x-strong": pause = 1200
            default: pause = 350
            }
        }
        guard pause > 0 else { return }
        try close()
        if let last = assembly.blocks.indices.last {
            assembly.blocks[last].pause = min(Self.longestPause, (assembly.blocks[last].pause ?? 0) + pause)
        } else {
            try assembly.addEmpty(.pause, pause: pause, matter: top.matter)
        }
    }
}

/// A time as SMIL and SSML write it: `1:02:03.5`, `02:03.5`, `1.5s`, `200ms`, `2min`, `1h`; plain numbers are seconds.
enum ClockValue {
    static func milliseconds(_ text: String, limit: Int64 = 360_000_000) -> Int64? {
        var text = text.filter { !$0.isWhitespace }
        if text.hasPrefix("npt=") { text.removeFirst(4) }
        if text.hasPrefix("+") { text.removeFirst() }
        for (unit, factor) in [("ms", 1.0), ("min", 60_000), ("h", 3_600_000), ("s", 1000)] where text.hasSuffix(unit) {
            return number(text.dropLast(unit.count)).flatMap { bounded($0 * factor, limit) }
        }
        var seconds = 0.0
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        for part in parts {
            guard let value = number(part) else { return nil }
            seconds = seconds * 60 + value
        }
        return bounded(seconds * 1000, limit)
    }

    private static func number(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.count < 24, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
        else { return nil }
        return Double(String(text))
    }

    private static func bounded(_ value: Double, _ limit: Int64) -> Int64? {
        value.isFinite && value >= 0 ? Int64(min(value.rounded(), Double(limit))) : nil
    }
}

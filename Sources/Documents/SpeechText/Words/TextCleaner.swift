// SPDX-License-Identifier: Apache-2.0

/// Copies text for a voice without what it cannot or should not say.
struct TextCleaner {
    let text: ScalarText
    let saysEmoji: Bool
    /// `true` if the names of emoji are given here, in English; voices of other languages have their own.
    var namesEmoji = true

    /// Marks upon one letter; more are for the eye.
    ///
    /// Hebrew with cantillation has four.
    private static let mostMarks = 4
    /// Marks before or behind a word.
    private static let mostPunctuation = 6

    /// Writes the core of a word.
    func write(_ range: Range<Int>, to bytes: inout [UInt8]) {
        // What the buffer holds before is another word's.
        let start = bytes.count
        func last() -> UInt8? { bytes.count > start ? bytes.last : 0x20 }
        var marks = 0
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = text.bytes[place]
            if byte < 0x80 {
                marks = 0
                if let kept = Self.kept(byte, before: last()) { bytes.append(kept) }
                place += 1
                continue
            }
            let (scalar, size) = text.scalar(at: place, before: range.upperBound)
            defer { place += size }
            if scalar.isInvisible { continue }
            if scalar.isMark {
                marks += 1
                guard marks <= Self.mostMarks else { continue }
            } else {
                marks = 0
            }
            if scalar.isEmoji {
                writeEmoji(scalar, place..<place + size, isFirst: bytes.count == start, to: &bytes)
            } else if scalar.isSpace {
                if last() != 0x20 { bytes.append(0x20) }
            } else {
                bytes.append(contentsOf: text.bytes[place..<place + size])
            }
        }
        while bytes.count > start, bytes.last == 0x20 { bytes.removeLast() }
    }

    /// Marks inside of a word that join or emphasise are silent; they part the word where they stand for a space.
    private static func kept(_ byte: UInt8, before: UInt8?) -> UInt8? {
        switch byte {
        case 0x2A, 0x7E, 0x60, 0x00...0x1F, 0x7F: nil
        // _ / | \ < > { } [ ] ( ) ^
        case 0x5F, 0x2F, 0x7C, 0x5C, 0x3C, 0x3E, 0x7B, 0x7D, 0x5B, 0x5D, 0x5E, 0x28, 0x29: before == 0x20 ? nil : 0x20
        default: byte
        }
    }

    private func writeEmoji(_ scalar: Unicode.Scalar, _ range: Range<Int>, isFirst: Bool, to bytes: inout [UInt8]) {
        guard saysEmoji, !(0x1F3FB...0x1F3FF).contains(scalar.value), scalar.value < 0xE0000 else { return }
        guard namesEmoji, let name = scalar.properties.name else {
            bytes.append(contentsOf: text.bytes[range])
            return
        }
        if !isFirst, bytes.last != 0x20 { bytes.append(0x20) }
        bytes.append(contentsOf: name.lowercased().utf8)
        bytes.append(0x20)
    }

    /// Returns the marks of a range that a voice needs for its melody, each at most as often as it means something.
    func punctuation(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        var count = 0
        var repeats = 0
        var last: Unicode.Scalar?
        var place = range.lowerBound
        while place < range.upperBound, count < Self.mostPunctuation {
            let (scalar, size) = text.scalar(at: place, before: range.upperBound)
            defer { place += size }
            guard Self.isMelody(scalar) else { continue }
            repeats = scalar == last ? repeats + 1 : 1
            last = scalar
            guard repeats <= (scalar == "." || scalar == "!" || scalar == "?" ? 3 : 1) else { continue }
            bytes.append(contentsOf: text.bytes[place..<place + size])
            count += 1
        }
        return bytes
    }

    private static func isMelody(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 {
            switch scalar {
            case ".", ",", ";", ":", "!", "?", "\"", "'", "(", ")", "[", "]", "-": return true
            default: return false
            }
        }
        if scalar == "¡" || scalar == "¿" { return true }
        switch scalar.properties.generalCategory {
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .dashPunctuation,
            .otherPunctuation:
            return !scalar.isEmoji && scalar != "†" && scalar != "‡" && scalar != "•" && scalar != "·" && scalar != "‣"
        default: return false
        }
    }
}

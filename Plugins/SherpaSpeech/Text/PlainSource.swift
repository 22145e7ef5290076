// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// A plain text without a script, cut at the ends of its sentences and paragraphs.
///
/// It reads UTF-8. Bytes that are not count as white space.
struct PlainSource: UtteranceSource {
    /// The maximum number of characters of an utterance.
    static let longest = 200
    /// The bytes that are read at a time; they hold the longest utterance in any script.
    private static let window = 2048
    /// The maximum distance, in bytes, at which the beginning of a word is looked for.
    private static let longestWord: Int64 = 64
    /// The silences behind a sentence and a paragraph, in milliseconds.
    static let pauses = (sentence: 350, paragraph: 700, cut: 120)

    let document: PlainDocument

    private struct Character {
        var scalar: Unicode.Scalar
        var offset: Int64
        var length: Int
        var isSpace: Bool { scalar.properties.isWhitespace || scalar == "\u{FFFD}" || scalar == "\u{FEFF}" }
        var isNewline: Bool { scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}" }
        var isSpoken: Bool { scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
    }

    func utterance(at position: Int64) throws(EngineFailure) -> SpokenUtterance? {
        var from = try start(of: position)
        while from < document.size {
            let characters = try self.characters(from: from)
            guard let last = characters.last else { return nil }
            guard let first = characters.firstIndex(where: { !$0.isSpace }) else {
                from = last.offset + Int64(last.length)
                continue
            }
            let rest = characters[first...]
            let (end, pause) = Self.end(of: rest)
            let spoken = rest[..<end]
            let behind = spoken.last.map { $0.offset + Int64($0.length) } ?? document.size
            from = behind
            guard spoken.contains(where: \.isSpoken) else { continue }
            let utterance = Self.utterance(spoken, pause)
            if utterance.units.upperBound > position { return utterance }
        }
        return nil
    }

    /// Returns the beginning of the word at a position.
    private func start(of position: Int64) throws(EngineFailure) -> Int64 {
        let position = max(0, position)
        guard position > 0, position < document.size else { return position }
        let from = max(0, position - Self.longestWord)
        let before = try document.read(at: from, count: Int(position - from) + 1)
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        if before.last.map(isSpace) ?? true { return position }
        let index = before.dropLast().lastIndex(where: isSpace)
        if let index { return from + Int64(index) + 1 }
        if from == 0 { return 0 }
        // No word is as long, so begin at the character.
        let character = before.lastIndex { $0 & 0xC0 != 0x80 } ?? before.count - 1
        return from + Int64(character)
    }

    private func characters(from offset: Int64) throws(EngineFailure) -> [Character] {
        let bytes = try document.read(at: offset, count: Self.window)
        var characters: [Character] = []
        var index = 0
        while index < bytes.count {
            let width = Self.width(bytes[index])
            // A character that the window cuts is left for the next one, unless the text ends in it.
            if index + width > bytes.count, bytes.count == Self.window { break }
            let part = bytes[index..<min(index + width, bytes.count)]
            if let text = String(validating: part, as: UTF8.self), let scalar = text.unicodeScalars.first {
                characters.append(Character(scalar: scalar, offset: offset + Int64(index), length: part.count))
                index += part.count
            } else {
                characters.append(Character(scalar: "\u{FFFD}", offset: offset + Int64(index), length: 1))
                index += 1
            }
        }
        return characters
    }

    private static func width(_ first: UInt8) -> Int {
        switch first {
        case 0xC0...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF7: 4
        default: 1
        }
    }

    /// Returns the end of the utterance with which characters begin, and the pause behind it.
    private static func end(of characters: ArraySlice<Character>) -> (Int, Int) {
        var space: Int?
        var newlines = 0
        for index in characters.indices {
            let character = characters[index]
            newlines = character.isNewline ? newlines + 1 : character.isSpace ? newlines : 0
            if newlines == 2, character.scalar != "\n" || characters[index - 1].scalar != "\r" {
                return (index, pauses.paragraph)
            }
            if character.isSpace {
                if Self.endsSentence(characters[..<index]) { return (index, pauses.sentence) }
                space = index
            } else if "。！？".unicodeScalars.contains(character.scalar) {
                return (index + 1, pauses.sentence)
            }
            if index - characters.startIndex >= longest { return (space ?? index, space == nil ? 0 : pauses.cut) }
        }
        return (characters.endIndex, pauses.paragraph)
    }

    private static func endsSentence(_ characters: ArraySlice<Character>) -> Bool {
        let last = characters.last { !"\"'”’»)]".unicodeScalars.contains($0.scalar) }
        return last.map { ".!?…".unicodeScalars.contains($0.scalar) } ?? false
    }

    private static func utterance(_ characters: ArraySlice<Character>, _ pause: Int) -> SpokenUtterance {
        var text = String.UnicodeScalarView()
        var words: [SpokenUtterance.Word] = []
        var byte = 0
        var word: (byte: Int, offset: Int64)?
        var end = characters.first?.offset ?? 0
        for character in characters {
            if character.isSpace {
                if let begun = word {
                    words.append(
                        SpokenUtterance.Word(spoken: begun.byte..<byte, units: begun.offset..<character.offset))
                }
                word = nil
                text.append(" ")
                byte += 1
            } else {
                if word == nil { word = (byte, character.offset) }
                text.append(character.scalar)
                byte += UTF8.width(character.scalar)
                end = character.offset + Int64(character.length)
            }
        }
        if let begun = word { words.append(SpokenUtterance.Word(spoken: begun.byte..<byte, units: begun.offset..<end)) }
        let units = (characters.first?.offset ?? 0)..<end
        return SpokenUtterance(units: units, sentence: units, text: String(text), words: words, pause: pause)
    }
}

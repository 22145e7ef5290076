// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript
import SpeechText
import Testing

/// What holds for the script of any document.
enum ScriptChecks {
    /// - Parameter coversAll: Whether every letter and digit is spoken, as it is if nothing is skipped or silenced.
    static func check(_ document: ReadingDocument, limit: Int = 200, coversAll: Bool = true, name: String = "") {
        let text = document.text
        var end = 0
        var covered = [Bool](repeating: false, count: text.count)
        var problems: [String] = []
        func require(_ holds: Bool, _ what: @autoclosure () -> String) {
            if !holds, problems.count < 5 { problems.append(what()) }
        }
        var settings = SpeechSettings()
        settings.longestUtterance = limit
        for utterance in document.utterances(settings: settings) {
            let range = utterance.range
            require(range.lowerBound >= end && range.upperBound <= text.count, "\(range) begins before \(end)")
            require(
                utterance.sentence.lowerBound <= range.lowerBound && utterance.sentence.upperBound >= range.upperBound,
                "\(range) is outside of its sentence \(utterance.sentence)")
            require(document.blocks.indices.contains(utterance.block), "\(range) is in no block")
            require(!utterance.spoken.isEmpty && !utterance.words.isEmpty, "\(range) is silent")
            require(utterance.pause >= 0, "\(range) has a pause of \(utterance.pause)")
            end = max(end, range.upperBound)
            for place in range.clamped(to: text.indices) { covered[place] = true }
            // An expression that cannot be cut may exceed the limit, and it is what is left of a cut.
            let expressions = Set(utterance.words.map(\.range)).count
            require(
                utterance.spoken.unicodeScalars.count <= limit || expressions == 1 && utterance.words.count < 700,
                "\(range) has \(utterance.spoken.unicodeScalars.count) characters: \(utterance.spoken.prefix(80))")
            check(utterance.words, utterance, require)
        }
        if coversAll {
            var place = 0
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                let size = UTF8.width(scalar)
                if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar), !scalar.isFormless {
                    require(covered[place], "\(scalar) at \(place) is not covered")
                }
                place += size
            }
        }
        for problem in problems { Issue.record("\(name): \(problem)") }
    }

    private static func check(
        _ words: [Utterance.Word], _ utterance: Utterance, _ require: (Bool, @autoclosure () -> String) -> Void
    ) {
        let spoken = Array(utterance.spoken.utf8)
        var end = 0
        var start = utterance.range.lowerBound
        for word in words {
            require(
                !word.spoken.isEmpty && word.spoken.lowerBound >= end && word.spoken.upperBound <= spoken.count,
                "a word is out of order: \(word)")
            guard word.spoken.upperBound <= spoken.count else { return }
            for place in [word.spoken.lowerBound, word.spoken.upperBound] where place < spoken.count {
                require(spoken[place] & 0xC0 != 0x80, "a scalar is cut at \(place) of \(utterance.spoken.prefix(80))")
            }
            require(
                word.range.lowerBound >= start && word.range.upperBound <= utterance.range.upperBound,
                "a word is outside of \(utterance.range): \(word)")
            end = word.spoken.upperBound
            start = word.range.lowerBound
        }
    }
}

extension Unicode.Scalar {
    /// A letter by its properties that has no form of its own, such as the fillers of Hangul and private characters.
    fileprivate var isFormless: Bool {
        switch value {
        case 0x115F, 0x1160, 0x3164, 0xFF9E...0xFFA0, 0xE000...0xF8FF, 0xF0000...0x10FFFF, 0x17B4, 0x17B5: true
        default: properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
        }
    }
}

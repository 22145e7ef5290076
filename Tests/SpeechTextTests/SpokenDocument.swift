// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript
import SpeechText

extension ReadingDocument {
    /// A document of paragraphs, which blank lines part.
    init(paragraphs text: [UInt8], language: String? = nil) {
        var blocks: [TextBlock] = []
        var start: Int?
        var end = 0
        var breaks = 0
        for (index, byte) in text.enumerated() {
            if byte == 0x0A { breaks += 1 }
            guard byte > 0x20 else { continue }
            if breaks > 1, let first = start {
                blocks.append(TextBlock(.paragraph, first..<end))
                start = nil
            }
            breaks = 0
            if start == nil { start = index }
            end = index + 1
        }
        if let start { blocks.append(TextBlock(.paragraph, start..<end)) }
        self.init(language: language, text: text, blocks: blocks)
    }

    init(_ text: String, language: String? = "en") { self.init(paragraphs: Array(text.utf8), language: language) }

    /// A document of blocks, given by their kind and text.
    init(blocks: [(kind: TextBlock.Kind, text: String)], language: String? = "en") {
        var text: [UInt8] = []
        var placed: [TextBlock] = []
        for block in blocks {
            let start = text.count
            text += Array(block.text.utf8)
            placed.append(TextBlock(block.kind, start..<text.count, level: block.kind == .heading ? 1 : 0))
            text += [0x0A, 0x0A]
        }
        self.init(language: language, text: text, blocks: placed)
    }

    func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    func utterances(
        settings: SpeechSettings = SpeechSettings(), dictionary: PronunciationDictionary = PronunciationDictionary()
    ) -> [Utterance] {
        var utterances: [Utterance] = []
        ScriptMaker(settings: settings, dictionary: dictionary).make(self) { utterances.append($0) }
        return utterances
    }

    /// What is said, with a bar between utterances.
    func spoken(
        settings: SpeechSettings = SpeechSettings(), dictionary: PronunciationDictionary = PronunciationDictionary()
    ) -> String {
        utterances(settings: settings, dictionary: dictionary).map(\.spoken).joined(separator: " | ")
    }

    /// The text of each sentence.
    func sentences() -> [String] {
        var ranges: [Range<Int>] = []
        for utterance in utterances() where ranges.last != utterance.sentence { ranges.append(utterance.sentence) }
        return ranges.map(string)
    }
}

extension String {
    /// The bytes of the first place of a part of the text.
    func range(_ part: String) -> Range<Int> {
        let bytes = Array(utf8)
        let wanted = Array(part.utf8)
        guard !wanted.isEmpty, wanted.count <= bytes.count else { return 0..<0 }
        for start in 0...bytes.count - wanted.count where Array(bytes[start..<start + wanted.count]) == wanted {
            return start..<start + wanted.count
        }
        return 0..<0
    }
}

// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript

/// Scripts made by chance, the same for the same seed.
struct ScriptSamples {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 1) % max(1, limit)
    }

    /// Utterances with gaps of chance between them.
    mutating func utterances(_ count: Int) -> [Utterance] {
        var place = 0
        return (0..<count).map { _ in
            let start = place + next(below: 3) * next(below: 40)
            let spoken = String(repeating: "ab é ", count: 1 + next(below: 6))
            let range = start..<start + next(below: 60)
            place = range.upperBound
            var words: [Utterance.Word] = []
            var behind = 0
            var first = range.lowerBound
            while behind + 2 < spoken.utf8.count, next(below: 8) > 0 {
                first += next(below: (range.upperBound - first) / 2 + 1)
                words.append(
                    .init(
                        spoken: behind..<behind + 2, range: first..<first + next(below: range.upperBound - first + 1),
                        phonemes: next(below: 4) == 0 ? "p'a@:" : nil))
                behind += 3
            }
            return Utterance(
                range: range, sentence: max(0, range.lowerBound - next(below: 9))..<range.upperBound + next(below: 300),
                block: next(below: 70_000), spoken: spoken, words: words, language: next(below: 2) == 0 ? nil : "pt-BR",
                pause: next(below: 2000))
        }
    }

    /// The same document with a text that is long enough for these utterances.
    static func document(for utterances: [Utterance]) -> ReadingDocument {
        var document = document
        let missing = (utterances.last?.range.upperBound ?? 0) - document.text.count
        document.text += [UInt8](repeating: 0x61, count: max(0, missing))
        return document
    }

    /// A document with everything that a script keeps.
    static let document: ReadingDocument = {
        var blocks = TextBlock.Kind.allCases.enumerated().map { index, kind in
            TextBlock(kind, index * 10..<index * 10 + 8, level: index, matter: TextBlock.Matter.allCases[index % 3])
        }
        blocks[0].origins = [TextOrigin(0..<4, source: 100..<104), TextOrigin(4..<8, member: 1, source: 10..<26)]
        blocks[1].origins = [TextOrigin(10..<18, member: 1, source: 1 << 33..<1 << 33 + 8)]
        blocks[2].recordings = [
            Recording(20..<24, file: "audio/1.mp3", start: 0, end: 1500),
            Recording(24..<28, file: "audio/1.mp3", start: 1500, end: nil),
        ]
        blocks[3].recordings = [Recording(30..<38, file: "audio/2.mp3", start: 7, end: 9)]
        return ReadingDocument(
            title: "Über die Linie", author: nil, language: "de-AT",
            text: [UInt8](repeating: 0x61, count: 130), blocks: blocks,
            sections: [
                .init(title: "One", level: 1, start: 0), .init(title: "", level: 2, start: 40),
                .init(title: "三", level: 1, start: 41),
            ],
            pages: [.init(label: "xii", start: 0), .init(label: "1", start: 40), .init(label: "2", start: 40)],
            members: ["OPS/1.xhtml", "OPS/2.xhtml"])
    }()
}

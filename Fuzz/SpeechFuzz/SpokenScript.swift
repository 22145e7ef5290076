// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText
import SpeechScript
import SpeechText

/// Blocks of a text, one for every paragraph, of kinds that its first byte chooses.
struct TextBlocks {
    var blocks: [TextBlock] = []

    init(_ text: [UInt8]) {
        let kinds = TextBlock.Kind.allCases.filter { $0 != .sceneBreak && $0 != .pause }
        for part in text.split(separator: 0x0C) {
            let first = part.first.map(Int.init) ?? 0
            // Most are paragraphs, as in a book.
            let kind = first < 0x30 ? kinds[first % kinds.count] : .paragraph
            var block = TextBlock(kind, part.startIndex..<part.endIndex, level: kind == .heading ? 1 : 0)
            if first == 0x23 { block.pronunciations = [Pronunciation(block.range, .spelled)] }
            blocks.append(block)
        }
    }
}

/// The script of a document, made and checked.
struct SpokenScript {
    private let document: ReadingDocument
    private let coversAll: Bool

    init(_ document: ReadingDocument, coversAll: Bool) {
        self.document = document
        self.coversAll = coversAll
    }

    func check(_ maker: ScriptMaker) {
        var end = 0
        var covered: [Range<Int>] = []
        var name = Array("/dev/shm/script-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        defer { close(file) }
        guard file >= 0, unlink(name) == 0 else { fatalError("no file in memory: \(errno)") }
        do throws(ScriptFileError) {
            var writer = try ScriptFileWriter(descriptor: file, of: document)
            var made: [Utterance] = []
            try maker.make(document) { utterance throws(ScriptFileError) in
                guard utterance.range.lowerBound >= end, utterance.range.upperBound <= document.text.count,
                    document.blocks.indices.contains(utterance.block), !utterance.spoken.isEmpty,
                    !utterance.words.isEmpty, utterance.pause >= 0
                else { fatalError("an utterance that cannot be: \(utterance)") }
                end = utterance.range.upperBound
                covered.append(utterance.range)
                made.append(utterance)
                try writer.append(utterance)
            }
            try writer.finish()
            let reader = try ScriptFileReader(descriptor: file)
            var cursor = try reader.cursor()
            for utterance in made {
                guard try cursor.next() == utterance else { fatalError("another than was written: \(utterance)") }
            }
        } catch {
            fatalError("no script file: \(error)")
        }
        if coversAll { checkCover(covered) }
    }

    /// Every Latin letter and digit lies in an utterance.
    private func checkCover(_ covered: [Range<Int>]) {
        var next = 0
        for (place, byte) in document.text.enumerated() {
            guard UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            else { continue }
            while next < covered.count, covered[next].upperBound <= place { next += 1 }
            guard next < covered.count, covered[next].contains(place) else {
                fatalError("the letter at \(place) is not spoken")
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The bytes of an utterance without its range, which the head has.
///
/// Block, pause and the sentence's distances before and behind, then language and spoken text with their sizes, the
/// number of words, and for each word: distance of its spoken start from the end of the word before, spoken size,
/// distance of its start in the text from that of the word before, size in the text, and size of its phonemes plus one
/// (0 is none) with the phonemes.
enum UtteranceBody {
    static func write(_ utterance: Utterance, to bytes: inout ScriptBytes) throws(ScriptFileError) {
        bytes.appendShort(utterance.block)
        bytes.appendShort(utterance.pause)
        bytes.appendShort(utterance.range.lowerBound - utterance.sentence.lowerBound)
        bytes.appendShort(utterance.sentence.upperBound - utterance.range.upperBound)
        let language = utterance.language ?? ""
        bytes.appendShort(language.utf8.count)
        bytes.append(language.utf8)
        bytes.appendShort(utterance.spoken.utf8.count)
        bytes.append(utterance.spoken.utf8)
        bytes.appendShort(utterance.words.count)
        var spoken = 0
        var start = utterance.range.lowerBound
        for word in utterance.words {
            guard word.spoken.lowerBound >= spoken, word.range.lowerBound >= start,
                word.range.upperBound <= utterance.range.upperBound,
                word.spoken.upperBound <= utterance.spoken.utf8.count
            else {
                throw ScriptFileError(
                    .corrupt, "the words of the utterance at byte \(utterance.range.lowerBound) are out of order")
            }
            bytes.appendShort(word.spoken.lowerBound - spoken)
            bytes.appendShort(word.spoken.count)
            bytes.appendShort(word.range.lowerBound - start)
            bytes.appendShort(word.range.count)
            if let phonemes = word.phonemes {
                bytes.appendShort(phonemes.utf8.count + 1)
                bytes.append(phonemes.utf8)
            } else {
                bytes.appendShort(0)
            }
            spoken = word.spoken.upperBound
            start = word.range.lowerBound
        }
    }

    static func read(_ bytes: [UInt8], range: Range<Int>) throws(ScriptFileError) -> Utterance {
        var reader = ScriptByteReader(bytes)
        let block = try reader.nextShort()
        let pause = try reader.nextShort()
        let before = try reader.nextShort()
        let behind = try reader.nextShort()
        guard before <= range.lowerBound else { throw .corrupt("a sentence begins before the text") }
        let language = try reader.nextString(try reader.nextShort())
        let spoken = try reader.nextString(try reader.nextShort())
        let count = try reader.nextShort()
        // A word takes at least five bytes, so the number of words cannot ask for more memory than the file has bytes.
        guard count <= reader.remaining / 5 else { throw .corrupt("there are fewer words than it says") }
        var words: [Utterance.Word] = []
        words.reserveCapacity(count)
        var place = 0
        var start = range.lowerBound
        for _ in 0..<count {
            place += try reader.nextShort()
            let size = try reader.nextShort()
            start += try reader.nextShort()
            let length = try reader.nextShort()
            let phonemes = try reader.nextShort()
            guard place + size <= spoken.utf8.count, start + length <= range.upperBound else {
                throw .corrupt("a word is outside of its utterance")
            }
            words.append(
                Utterance.Word(
                    spoken: place..<place + size, range: start..<start + length,
                    phonemes: phonemes == 0 ? nil : try reader.nextString(phonemes - 1)))
            place += size
        }
        return Utterance(
            range: range, sentence: range.lowerBound - before..<range.upperBound + behind, block: block, spoken: spoken,
            words: words, language: language.isEmpty ? nil : language, pause: pause)
    }
}

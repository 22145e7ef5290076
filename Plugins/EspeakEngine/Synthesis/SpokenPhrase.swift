// SPDX-License-Identifier: Apache-2.0

/// A phrase with its sound, cut into the words that are heard in it.
struct SpokenPhrase {
    /// One word, and the sound from its start to the start of the next.
    struct Segment: Equatable {
        var frames: Range<Int>
        /// The bytes from the start of the word to the start of the next word that is heard.
        var bytes: Range<Int64>
        /// The bytes of the word itself; `nil` for sound that belongs to no word.
        var word: Range<Int64>?
        /// The index of its first character in the phrase.
        var character: Int
    }

    let phrase: Phrase
    /// The segments in order of time and place; together they cover all frames.
    let segments: [Segment]
    /// The index of the first character that is not in this sound; `nil` if the whole phrase is.
    let remainder: Int?

    /// Assigns the sound of a phrase to its words.
    ///
    /// - Parameters:
    ///   - frames: The length of the whole sound.
    ///   - silence: The frames of silence behind it.
    ///   - isCut: `true` if the sound stops within the phrase.
    init(
        _ phrase: Phrase, utterance: EspeakUtterance, events: [Synthesizer.Event], frames: Int, isCut: Bool,
        silence: Int = 0
    ) {
        self.phrase = phrase
        let words = Word.all(in: phrase.characters)
        var starts = Self.starts(of: words, utterance: utterance, events: events)
        var end = WordStart(word: words.count, frame: frames)
        if isCut, starts.count > 1 {
            // The last word that began is incomplete; the remainder begins with it.
            end = starts.removeLast()
        } else if isCut, let only = starts.last {
            end.word = only.word + 1
        }
        remainder = isCut && end.word < words.count ? words[end.word].range.lowerBound : nil
        starts = Self.addingUnheard(starts + [end], words: words)
        let characters = phrase.characters
        let endByte = remainder.map { characters[$0].offset } ?? characters.last?.end ?? 0
        var segments = Self.segments(starts, words: words, in: characters, end: end.frame, endByte: endByte)
        if let place = phrase.silence, remainder == nil, silence > 0 {
            let start = segments.last?.frames.upperBound ?? 0
            segments.append(
                Segment(
                    frames: start..<start + silence, bytes: min(endByte, place.end)..<place.end, word: nil,
                    character: characters.endIndex))
        }
        self.segments = segments
    }

    private struct WordStart {
        var word: Int
        var frame: Int
    }

    /// Returns the words that the library reports as spoken, with the frames at which they start.
    ///
    /// Its events may lie beyond the text, go back (within a number, or an emoji) or be repeated. Only those that
    /// advance count.
    private static func starts(of words: [Word], utterance: EspeakUtterance, events: [Synthesizer.Event]) -> [WordStart]
    {
        var starts: [WordStart] = []
        if let first = words.firstIndex(where: \.isSpoken) { starts.append(WordStart(word: first, frame: 0)) }
        for event in events {
            guard utterance.origins.indices.contains(event.character) else { continue }
            let character = utterance.origins[event.character]
            guard let word = words.firstIndex(where: { $0.range.upperBound > character }) else { continue }
            guard let last = starts.last else {
                starts.append(WordStart(word: word, frame: 0))
                continue
            }
            if word > last.word && event.frame >= last.frame {
                starts.append(WordStart(word: word, frame: event.frame))
            } else if starts.count == 1 && word < last.word {
                // A symbol whose name is spoken, in front of the first word.
                starts = [WordStart(word: word, frame: 0)]
            }
        }
        return starts
    }

    /// Adds the words that the library joined to the one before ("was the"), each with its share of that sound.
    private static func addingUnheard(_ starts: [WordStart], words: [Word]) -> [WordStart] {
        var all: [WordStart] = []
        for (start, next) in zip(starts, starts.dropFirst()) {
            all.append(start)
            let unheard = (start.word..<next.word).dropFirst().filter { words[$0].isSpoken }
            guard !unheard.isEmpty else { continue }
            let total = unheard.reduce(words[start.word].range.count) { $0 + words[$1].range.count }
            var before = words[start.word].range.count
            for word in unheard {
                let frame = start.frame + (next.frame - start.frame) * before / max(total, 1)
                all.append(WordStart(word: word, frame: frame))
                before += words[word].range.count
            }
        }
        return all
    }

    private static func segments(
        _ starts: [WordStart], words: [Word], in characters: ArraySlice<TextCharacter>, end: Int, endByte: Int64
    ) -> [Segment] {
        guard let first = characters.first, end > 0 else { return [] }
        guard !starts.isEmpty else {
            return [
                Segment(
                    frames: 0..<end, bytes: first.offset..<endByte, word: nil, character: characters.startIndex)
            ]
        }
        var segments: [Segment] = []
        for (index, start) in starts.enumerated() {
            let range = words[start.word].range
            let isLast = index + 1 == starts.count
            let nextFrame = isLast ? end : starts[index + 1].frame
            let nextByte = isLast ? endByte : characters[words[starts[index + 1].word].range.lowerBound].offset
            let byte = characters[range.lowerBound].offset
            segments.append(
                Segment(
                    frames: start.frame..<max(start.frame, nextFrame),
                    bytes: (index == 0 ? first.offset : byte)..<nextByte,
                    word: byte..<characters[range.upperBound - 1].end, character: range.lowerBound))
        }
        return segments
    }
}

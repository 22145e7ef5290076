// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// A source of phrases, in order of the document.
protocol PhraseSource {
    /// Returns the next phrase, or `nil` at the end of the document.
    mutating func next() throws(EngineFailure) -> Phrase?
}

/// A reader that takes the phrases from the session's script.
struct ScriptPhrases: PhraseSource {
    private let host: Host
    /// The end of the document.
    private let end: Int64
    /// The position from which the next utterance is taken.
    private var position: Int64

    /// - Parameter position: A place in the document; the first phrase begins with the word that holds it.
    init(_ host: Host, from position: Int64, end: Int64) {
        self.host = host
        self.position = position
        self.end = end
    }

    mutating func next() throws(EngineFailure) -> Phrase? {
        guard position < end, let utterance = try host.utterance(at: position) else { return nil }
        guard utterance.units.upperBound > position else {
            throw EngineFailure(ROSTRUM_ERROR_CORRUPT, "the script goes back at \(position)")
        }
        let target = position
        position = utterance.units.upperBound
        var (characters, phonemes) = Self.characters(of: utterance)
        if target > utterance.units.lowerBound {
            // What lies behind the last word was heard with it.
            guard let first = characters.firstIndex(where: { $0.end > target }) else { return try next() }
            characters = Array(characters[Word.start(at: first, in: characters[...])...])
            let dropped = utterance.text.unicodeScalars.count - characters.count
            phonemes = phonemes.compactMap { entry in
                entry.range.lowerBound < dropped
                    ? nil
                    : PhonemeRun(
                        range: entry.range.lowerBound - dropped..<entry.range.upperBound - dropped, sounds: entry.sounds
                    )
            }
        }
        guard let first = characters.first else { return try next() }
        let following = try host.utterance(at: position)
        return Phrase(
            characters: characters[...],
            sentence: utterance.units.lowerBound == utterance.sentence.lowerBound || target > utterance.units.lowerBound
                ? first.offset..<max(first.end, utterance.sentence.upperBound) : nil,
            endsWithPause: true, language: utterance.language, phonemes: phonemes,
            silence: Phrase.Silence(
                milliseconds: following == nil ? 0 : utterance.pause,
                end: max(position, following?.units.lowerBound ?? end)))
    }

    /// Returns what is said, character by character, each with the units of the document for which it stands.
    private static func characters(of utterance: SpokenUtterance) -> ([TextCharacter], [PhonemeRun]) {
        var characters: [TextCharacter] = []
        var runs: [PhonemeRun] = []
        var words = utterance.words[...]
        var byte = 0
        var last = utterance.units.lowerBound
        for scalar in utterance.text.unicodeScalars {
            while let word = words.first, word.spoken.upperBound <= byte {
                last = max(last, word.units.upperBound)
                words.removeFirst()
            }
            let size = UTF8.width(scalar)
            var units = last..<last
            if let word = words.first, word.spoken.contains(byte), !word.spoken.isEmpty {
                // The letters of a word share its units evenly.
                func place(_ byte: Int) -> Int64 {
                    let share = word.units.upperBound - word.units.lowerBound
                    return word.units.lowerBound
                        + share * Int64(byte - word.spoken.lowerBound) / Int64(word.spoken.count)
                }
                units = place(byte)..<place(min(byte + size, word.spoken.upperBound))
                if let sounds = word.phonemes {
                    if byte == word.spoken.lowerBound {
                        runs.append(PhonemeRun(range: characters.count..<characters.count + 1, sounds: sounds))
                    } else if let run = runs.last, run.range.upperBound == characters.count {
                        runs[runs.count - 1].range = run.range.lowerBound..<characters.count + 1
                    }
                }
            }
            let offset = max(last, units.lowerBound)
            characters.append(
                TextCharacter(scalar, offset: offset, length: Int(max(0, units.upperBound - offset))))
            byte += size
        }
        return (characters, runs)
    }
}

/// Characters that are said by sounds in the notation of eSpeak NG.
struct PhonemeRun: Equatable {
    /// Indices of the characters of a phrase.
    var range: Range<Int>
    var sounds: String
}

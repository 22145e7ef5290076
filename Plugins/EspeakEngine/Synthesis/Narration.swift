// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// A text that is being read aloud: the current phrase, and the current frame in it.
///
/// It never holds more than one phrase. It is used on the engine's thread only.
final class Narration {
    private let document: Document
    private let encoding: TextEncoding
    /// The offset of the first byte after the byte order mark.
    private let start: Int64
    private let host: Host
    private let synthesizer: Synthesizer

    private var phrases: any PhraseSource
    /// The choice of a voice for each language of a script; `nil` if the text has no script.
    private var voices: PhraseVoices?
    /// A phrase that was read but is not spoken yet: what an interruption or a cut left over.
    private var pending: Phrase?
    private var spoken: SpokenPhrase?
    private var segment = 0
    private var frame = 0
    /// The position at which the next block begins, which is the end of the last one; `nil` after a seek.
    private var position: Int64?
    private var rate: SpeakingRate
    private var hasNewRate = false
    /// The end of a sound that another one replaced.
    ///
    /// It fades out under the beginning of that one.
    private var fading: ArraySlice<Int16> = []

    /// The divisor that makes five milliseconds: enough to hide the seam, too short to be heard as an echo.
    private static let fadeDivisor = 200

    init(_ document: Document, _ guess: EncodingGuess, rate: Double, host: Host, synthesizer: Synthesizer) {
        self.document = document
        encoding = guess.encoding
        start = Int64(guess.markLength)
        self.rate = SpeakingRate(rate)
        self.host = host
        self.synthesizer = synthesizer
        phrases = Self.phrases(of: document, encoding, from: start)
    }

    private static func phrases(of document: Document, _ encoding: TextEncoding, from offset: Int64) -> PhraseReader {
        PhraseReader(SentenceReader(CharacterReader(document, encoding: encoding, offset: offset)))
    }

    /// Reads the session's script from now on; the next call must be a seek.
    func follow(_ voices: PhraseVoices) { self.voices = voices }

    /// Returns up to `count` characters from the beginning of the text.
    func sample(_ count: Int) throws(EngineFailure) -> [TextCharacter] {
        var reader = CharacterReader(document, encoding: encoding, offset: start)
        var sample: [TextCharacter] = []
        while sample.count < count, let character = try reader.next() {
            sample.append(character)
        }
        return sample
    }

    /// Returns whether anything in the text can be spoken.
    ///
    /// It reads up to the first such character.
    func isSpeakable() throws(EngineFailure) -> Bool {
        var reader = CharacterReader(document, encoding: encoding, offset: start)
        while let character = try reader.next() {
            if character.kind.isSpeakable { return true }
        }
        return false
    }

    /// Seeks to the word that holds the byte at `target`, or to the next word.
    func seek(to target: Int64) throws(EngineFailure) {
        if voices != nil {
            phrases = ScriptPhrases(host, from: max(start, target), end: document.size)
        } else {
            phrases = Self.phrases(of: document, encoding, from: try wordStart(at: target))
        }
        (pending, spoken, segment, frame, fading, hasNewRate) = (nil, nil, 0, 0, [], false)
        position = nil
    }

    /// Sets a rate that takes effect at the next word: the sound of the rest of the phrase is made again.
    func setRate(_ value: Double) {
        let new = SpeakingRate(value)
        guard new.rate != rate.rate else { return }
        rate = new
        hasNewRate = spoken != nil
    }

    /// Fills the block with the next sound of one word, or marks the end.
    func render(into block: inout Block) throws(EngineFailure) {
        block.sampleRate = synthesizer.sampleRate
        block.channels = 1
        while true {
            guard let spoken else {
                guard try speakNext() else { return finish(&block) }
                continue
            }
            guard segment < spoken.segments.count else {
                if let remainder = spoken.remainder { pending = spoken.phrase.dropping(before: remainder) }
                self.spoken = nil
                continue
            }
            let current = spoken.segments[segment]
            if frame == current.frames.lowerBound {
                if hasNewRate {
                    restart(spoken, at: current)
                    continue
                }
                if let word = current.word {
                    host.mark(.word, position: word.lowerBound, length: word.upperBound - word.lowerBound)
                }
            }
            guard frame < current.frames.upperBound else {
                segment += 1
                continue
            }
            fill(&block, from: current)
            if frame == current.frames.upperBound { segment += 1 }
            return
        }
    }

    private func fill(_ block: inout Block, from current: SpokenPhrase.Segment) {
        let count = min(block.capacity, current.frames.upperBound - frame)
        let samples = synthesizer.samples
        for index in 0..<count {
            // Behind the sound of a phrase is its silence.
            block.samples[index] = frame + index < samples.count ? Float(samples[frame + index]) / 32768 : 0
        }
        if frame == 0 && !fading.isEmpty {
            for (index, sample) in fading.prefix(count).enumerated() {
                block.samples[index] += Float(sample) / 32768 * Float(fading.count - index) / Float(fading.count)
            }
            fading = []
        }
        block.frames = count
        block.position = position ?? byte(at: frame, in: current)
        frame += count
        block.positionEnd = max(block.position, byte(at: frame, in: current))
        position = block.positionEnd
    }

    /// Returns the byte that is heard at a frame, assuming that the word is spoken evenly.
    private func byte(at frame: Int, in segment: SpokenPhrase.Segment) -> Int64 {
        let length = segment.bytes.upperBound - segment.bytes.lowerBound
        let part = Int64(frame - segment.frames.lowerBound)
        return segment.bytes.lowerBound + length * part / Int64(max(segment.frames.count, 1))
    }

    private func finish(_ block: inout Block) {
        block.position = position ?? document.size
        block.positionEnd = document.size
        position = document.size
        block.isTrackEnd = true
        block.isEnd = true
    }

    /// Makes the sound of the next phrase.
    ///
    /// Returns `false` at the end of the text.
    private func speakNext() throws(EngineFailure) -> Bool {
        if pending == nil { pending = try phrases.next() }
        guard let phrase = pending else { return false }
        try voices?.select(for: phrase.language)
        let utterance = EspeakUtterance(phrase.characters, phonemes: phrase.phonemes)
        let outcome = try speak(utterance, endsWithPause: phrase.endsWithPause)
        synthesizer.compress(by: rate.compression)
        if phrase.silence != nil { synthesizer.trim() }
        pending = nil
        hasNewRate = false
        let made = SpokenPhrase(
            phrase, utterance: utterance, events: synthesizer.events, frames: synthesizer.samples.count,
            isCut: outcome == .cut, silence: phrase.silence.map(frames) ?? 0)
        (spoken, segment, frame) = (made, 0, 0)
        if let sentence = phrase.sentence, !made.segments.isEmpty {
            host.mark(.sentence, position: sentence.lowerBound, length: sentence.upperBound - sentence.lowerBound)
        }
        return true
    }

    /// Returns the frames of a silence at the rate, without the margins that the sounds on both sides have.
    private func frames(of silence: Phrase.Silence) -> Int {
        let frames = Double(silence.milliseconds) / 1000 / rate.rate * Double(synthesizer.sampleRate)
        return max(0, Int(frames.rounded()) - 2 * synthesizer.margin)
    }

    /// Speaks at the rate.
    ///
    /// Until the voice is known well enough, it also measures how fast the voice is.
    private func speak(_ utterance: EspeakUtterance, endsWithPause: Bool) throws(EngineFailure) -> Synthesizer.Outcome {
        let speed = rate.speed
        let (text, hasPhonemes) = (utterance.text, utterance.hasPhonemes)
        let outcome = try synthesizer.speak(
            text, speed: speed, endsWithPause: endsWithPause, hasPhonemes: hasPhonemes)
        guard rate.wantsObservation, outcome == .complete else { return outcome }
        let isGuess = rate.isGuess
        let second = Double(synthesizer.sampleRate)
        let actual = Double(synthesizer.samples.count) / second
        let normal = try synthesizer.measure(
            text, speed: SpeakingRate.normalSpeed, endsWithPause: endsWithPause, hasPhonemes: hasPhonemes)
        rate.observe(normal: Double(normal) / second, actual: actual, at: speed)
        guard isGuess, rate.speed != speed else { return outcome }
        return try synthesizer.speak(
            text, speed: rate.speed, endsWithPause: endsWithPause, hasPhonemes: hasPhonemes)
    }

    /// Drops the sound from a word on, so that it is made again at the new rate.
    private func restart(_ spoken: SpokenPhrase, at word: SpokenPhrase.Segment) {
        let length = max(0, min(synthesizer.sampleRate / Self.fadeDivisor, synthesizer.samples.count - frame))
        fading = segment == 0 || length == 0 ? [] : synthesizer.samples[frame..<frame + length]
        pending = segment == 0 ? spoken.phrase : spoken.phrase.dropping(before: word.character)
        self.spoken = nil
    }

    /// Returns the start of the word that holds the byte at `target`.
    private func wordStart(at target: Int64) throws(EngineFailure) -> Int64 {
        let target = max(start, target)
        guard target < document.size else { return document.size }
        let context: Int64 = 256
        let before = try CharacterReader.boundary(
            in: document, encoding: encoding, start: start, atOrBefore: target - context)
        var reader = CharacterReader(document, encoding: encoding, offset: before)
        var characters: [TextCharacter] = []
        var holder = 0
        while let character = try reader.next() {
            if character.offset <= target { holder = characters.count }
            // This much context shows the end of the word, or that it has none.
            if character.offset > target + context { break }
            characters.append(character)
        }
        guard characters.indices.contains(holder) else { return target }
        let word = Word.start(at: holder, in: characters[...])
        // A "word" that fills the context is not one, so begin at the character.
        return characters[word == 0 && before > start ? holder : word].offset
    }
}

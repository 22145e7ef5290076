// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// A text that is being read aloud: the current passage, and the current frame in it.
///
/// It is used on the engine's thread only.
final class NeuralNarration {
    /// The seconds that a call waits for a sound; then it gives silence, so that the session sees that it is alive.
    ///
    /// The session ends an engine that does not return for a second.
    private static let patience = 0.5
    /// The frames of silence that a call gives in place of a sound that is late; fewer would be held back by the host.
    private static let filler = 256
    /// The divisor that makes five milliseconds: enough to hide a seam, too short to be heard as an echo.
    private static let fadeDivisor = 200

    private let source: any UtteranceSource
    private let speech: Phonemizer
    private let choice: VoiceChoice
    private let model: VoiceModel
    private let threads: SynthesisThreads
    private let host: Host
    private let end: Int64

    private var queue: PassageQueue
    private var speed: SpeakingSpeed
    private var spoken: SpokenPassage?
    /// The current passage at another speed, which replaces it at the beginning of a word.
    private var replacement: Generation?
    private var segment = 0
    private var frame = 0
    /// The position at which the next block begins, which is the end of the last one; `nil` after a seek.
    private var position: Int64?
    /// The end of a sound that another one replaced.
    ///
    /// It fades out under the beginning of that one.
    private var fading: [Float] = []
    private var tally = NarrationTally()
    private let languages: LanguageWarning

    private var sampleRate: Int { model.voice.sampleRate }

    /// - Parameter start: The place at which the narration begins.
    init(
        _ source: any UtteranceSource, size: Int64, from start: Int64, _ choice: VoiceChoice, _ model: VoiceModel,
        _ speech: Phonemizer, threads: SynthesisThreads, rate: Double, host: Host
    ) throws(EngineFailure) {
        self.source = source
        self.choice = choice
        self.model = model
        self.speech = speech
        self.threads = threads
        self.host = host
        end = size
        speed = SpeakingSpeed(rate)
        let languages = LanguageWarning(choice.voice, host)
        self.languages = languages
        queue = PassageQueue(
            PassageReader(source, speech, from: start, end: size, rate: speed.rate), choice, model, threads,
            meet: languages.meet)
        try queue.fill(speed)
    }

    /// Seeks to the word that holds the unit at `target`, or to the next word.
    func seek(to target: Int64) throws(EngineFailure) {
        drop()
        (segment, frame, position) = (0, 0, nil)
        queue = PassageQueue(
            PassageReader(source, speech, from: target, end: end, rate: speed.rate), choice, model, threads,
            meet: languages.meet)
        try queue.fill(speed)
    }

    /// Drops what is ordered and not heard.
    private func drop() {
        queue.removeAll()
        if let replacement { threads.abandon([replacement]) }
        (spoken, replacement, fading) = (nil, nil, [])
    }

    /// Ends the narration.
    func close() {
        drop()
        if let line = tally.line(result: "stopped", sampleRate: sampleRate) { host.log(.info, line) }
    }

    /// Sets a rate that takes effect at the next word, once the current passage has been made at that rate.
    func setRate(_ rate: Double) {
        let new = SpeakingSpeed(rate)
        guard new != speed else { return }
        speed = new
        queue.change(new)
        if let replacement { threads.abandon([replacement]) }
        replacement = spoken.map { queue.order($0.passage, new, isUrgent: true) }
    }

    /// Fills the block with the next sound of one word, or marks the end.
    func render(into block: inout Block) throws(EngineFailure) {
        block.sampleRate = sampleRate
        block.channels = 1
        while true {
            guard let spoken else {
                guard try speakNext(&block) else { return }
                continue
            }
            guard segment < spoken.segments.count else {
                // A replacement that comes too late is no longer wanted.
                if let replacement { threads.abandon([replacement]) }
                (self.spoken, replacement) = (nil, nil)
                continue
            }
            let current = spoken.segments[segment]
            if frame == current.frames.lowerBound {
                if try replace(spoken, at: current) { continue }
                if let word = current.word {
                    host.mark(.word, position: word.lowerBound, length: word.upperBound - word.lowerBound)
                }
            }
            guard frame < current.frames.upperBound else {
                segment += 1
                continue
            }
            // While the next sound is not ready, its pause is given out in small parts, so that it does not get longer.
            let isPause = frame >= spoken.samples.count
            if isPause { try queue.fill(speed) }
            var most = Int.max
            if isPause, let next = queue.first, try wait(for: next.generation) == nil { most = Self.filler }
            fill(&block, from: spoken, current, most: most)
            if frame == current.frames.upperBound { segment += 1 }
            // Passages are ordered while there is sound to be heard.
            try queue.fill(speed)
            return
        }
    }

    private func fill(_ block: inout Block, from spoken: SpokenPassage, _ current: SpokenPassage.Segment, most: Int) {
        let count = min(block.capacity, most, current.frames.upperBound - frame)
        for index in 0..<count { block.samples[index] = spoken.sample(frame + index) }
        for (index, sample) in fading.prefix(count).enumerated() {
            block.samples[index] += sample * Float(fading.count - index) / Float(fading.count)
        }
        fading = []
        block.frames = count
        block.position = position ?? unit(at: frame, in: current)
        frame += count
        block.positionEnd = max(block.position, unit(at: frame, in: current))
        position = block.positionEnd
        tally.heard += count
    }

    /// Returns the unit that is heard at a frame, assuming that the word is spoken evenly.
    private func unit(at frame: Int, in segment: SpokenPassage.Segment) -> Int64 {
        let length = segment.units.upperBound - segment.units.lowerBound
        let part = Double(frame - segment.frames.lowerBound) / Double(max(segment.frames.count, 1))
        return segment.units.lowerBound + min(length, Int64(Double(length) * part))
    }

    private func finish(_ block: inout Block) {
        block.position = position ?? end
        block.positionEnd = max(block.position, end)
        position = block.positionEnd
        block.isTrackEnd = true
        block.isEnd = true
        if let line = tally.line(result: "success", sampleRate: sampleRate) { host.log(.info, line) }
        tally = NarrationTally()
    }

    /// Takes the next passage.
    ///
    /// Returns `false` if the block is filled instead: with silence, or with the end of the text.
    private func speakNext(_ block: inout Block) throws(EngineFailure) -> Bool {
        if queue.first == nil { try queue.fill(speed) }
        guard let next = queue.first else {
            finish(&block)
            return false
        }
        guard let outcome = try wait(for: next.generation) else {
            pad(&block, next.passage)
            return false
        }
        let sound: Sound
        do throws(EngineFailure) {
            sound = try outcome.sound.get()
        } catch {
            host.log(.error, "phase=generate result=failure at=\(next.passage.units.lowerBound) error=\(error.message)")
            throw error
        }
        queue.removeFirst()
        host.log(.debug, tally.count(next.passage, sound, outcome.seconds, sampleRate: sampleRate))
        let made = SpokenPassage(next.passage, sound, silence: silence(behind: next.passage))
        (spoken, segment, frame) = (made, 0, 0)
        if let sentence = next.passage.sentence, !made.segments.isEmpty {
            host.mark(.sentence, position: sentence.lowerBound, length: sentence.upperBound - sentence.lowerBound)
        }
        return true
    }

    /// Waits for a sound; `nil` if it is late.
    private func wait(for generation: Generation) throws(EngineFailure) -> Generation.Outcome? {
        let end = MonotonicTime.now + Self.patience
        repeat {
            if let outcome = threads.outcome(of: generation, within: 0.01) { return outcome }
            if host.isInterrupted { throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "speaking was interrupted") }
        } while MonotonicTime.now < end
        return nil
    }

    private func pad(_ block: inout Block, _ passage: Passage) {
        let count = min(block.capacity, Self.filler)
        for index in 0..<count { block.samples[index] = 0 }
        block.frames = count
        block.position = position ?? passage.units.lowerBound
        block.positionEnd = block.position
        position = block.position
        tally.late += 1
        if tally.late == 1 {
            host.log(.warning, "phase=generate result=late at=\(block.position): this machine is slower than the voice")
        }
    }

    /// Returns the frames of the silence behind a passage, without the margins that the sounds on both sides have.
    private func silence(behind passage: Passage) -> Int {
        let frames = Double(passage.pause) / 1000 / speed.rate * Double(sampleRate)
        return max(0, Int(frames.rounded()) - 2 * Sound.margin(at: sampleRate))
    }

    /// Goes on in the sound that was made at another speed, if it is ready, and returns whether it was.
    private func replace(
        _ spoken: SpokenPassage, at current: SpokenPassage.Segment
    ) throws(EngineFailure) -> Bool {
        guard let generation = replacement, current.word != nil || current.frames.lowerBound >= spoken.samples.count,
            let outcome = threads.outcome(of: generation)
        else { return false }
        replacement = nil
        let made = SpokenPassage(spoken.passage, try outcome.sound.get(), silence: silence(behind: spoken.passage))
        guard let index = made.segments.firstIndex(where: { $0.index == current.index }) else { return false }
        let length = max(0, min(sampleRate / Self.fadeDivisor, spoken.samples.count - frame))
        fading = frame == 0 ? [] : (frame..<frame + length).map(spoken.sample)
        (self.spoken, segment, frame) = (made, index, made.segments[index].frames.lowerBound)
        return true
    }
}

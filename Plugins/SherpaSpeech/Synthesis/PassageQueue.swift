// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// The passages that come next, with the orders of their sounds.
///
/// It is used on the engine's thread only.
struct PassageQueue {
    struct Entry {
        var passage: Passage
        var generation: Generation
    }

    /// The sound that is ordered ahead, in seconds, and the number of passages that it comes in at most.
    private static let ahead = 30.0
    private static let most = 12
    /// The seconds of sound for each symbol at rate 1, on average.
    private static let secondsPerSymbol = 0.06

    private let threads: SynthesisThreads
    private let model: VoiceModel
    private let speaker: Int
    private var reader: PassageReader
    private var entries: [Entry] = []
    private var isComplete = false
    private let meet: (String) -> Void

    /// - Parameter meet: Is told the language of each passage.
    init(
        _ reader: PassageReader, _ choice: VoiceChoice, _ model: VoiceModel, _ threads: SynthesisThreads,
        meet: @escaping (String) -> Void
    ) {
        self.reader = reader
        self.model = model
        self.threads = threads
        self.meet = meet
        speaker = choice.speaker
    }

    /// Orders what comes next.
    mutating func fill(_ speed: SpeakingSpeed) throws(EngineFailure) {
        while !isComplete, entries.count < Self.most, seconds(speed) < Self.ahead {
            guard let next = try read(speed) else {
                isComplete = true
                return
            }
            if let language = next.language { meet(language) }
            entries.append(Entry(passage: next.passage, generation: order(next.passage, speed)))
            // The first sound is wanted now; what else is coming can be read while it is made.
            if entries.count == 1 { return }
        }
    }

    /// Reads the next passage: short if the listener waits for its sound, whole if its sound is kept.
    ///
    /// A sentence that was heard before was made as a whole, unless the listening began there.
    private mutating func read(
        _ speed: SpeakingSpeed
    ) throws(EngineFailure) -> (passage: Passage, language: String?)? {
        if entries.isEmpty, var whole = reader.withoutLeads, let next = try whole.next(),
            threads.isKept(key(of: next.passage, speed))
        {
            reader = whole
            return next
        }
        return try reader.next()
    }

    private func key(of passage: Passage, _ speed: SpeakingSpeed) -> SoundCache.Key {
        SoundCache.Key(
            voice: model.voice.name, speaker: speaker, speed: Int((speed.speed * 1000).rounded()),
            symbols: passage.symbols)
    }

    private func seconds(_ speed: SpeakingSpeed) -> Double {
        entries.reduce(0) { $0 + Double($1.passage.symbols.count) } * Self.secondsPerSymbol / speed.rate
    }

    /// Orders the sound of a passage.
    func order(_ passage: Passage, _ speed: SpeakingSpeed, isUrgent: Bool = false) -> Generation {
        threads.order(key(of: passage, speed), model, speed: speed.speed, isUrgent: isUrgent)
    }

    /// Orders everything again at another speed.
    mutating func change(_ speed: SpeakingSpeed) {
        threads.abandon(entries.map(\.generation))
        for index in entries.indices { entries[index].generation = order(entries[index].passage, speed) }
    }

    /// The next passage, or `nil` at the end of the text.
    var first: Entry? { entries.first }

    mutating func removeFirst() {
        if !entries.isEmpty { entries.removeFirst() }
    }

    /// Drops everything.
    mutating func removeAll() {
        threads.abandon(entries.map(\.generation))
        entries.removeAll()
        isComplete = true
    }
}

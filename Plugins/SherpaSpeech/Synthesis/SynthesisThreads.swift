// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Glibc

/// The order of one sound, and what became of it.
final class Generation: @unchecked Sendable /* guarded by the lock of `SynthesisThreads` */ {
    struct Outcome {
        var sound: Result<Sound, EngineFailure>
        /// The time that it took; 0 if it was kept from before.
        var seconds: Double
    }

    let key: SoundCache.Key
    fileprivate let model: VoiceModel
    fileprivate let speed: Double
    fileprivate var outcome: Outcome?
    fileprivate var isAbandoned = false

    fileprivate init(_ key: SoundCache.Key, _ model: VoiceModel, speed: Double) {
        self.key = key
        self.model = model
        self.speed = speed
    }
}

/// The threads that make sound ahead of its hearing, in the order in which it was ordered.
///
/// A sound that nobody wants any more cannot be stopped. Its thread goes on, and another one begins with what is
/// wanted.
final class SynthesisThreads: @unchecked Sendable /* all state is guarded by `signal` */ {
    /// The number of threads: one that works, and two that finish what was abandoned.
    private static let most = 3

    private let signal = ThreadSignal()
    private var waiting: [Generation] = []
    private var running: [Generation] = []
    private var cache: SoundCache
    private var started = 0
    private var isStopping = false
    /// The sounds that are made at a time.
    private let width: Int

    init(width: Int = sysconf(Int32(_SC_NPROCESSORS_ONLN)) >= 4 ? 2 : 1, cache: SoundCache = SoundCache()) {
        self.width = width
        self.cache = cache
    }

    /// Orders a sound.
    ///
    /// - Parameter isUrgent: `true` if it is wanted before everything that waits.
    func order(_ key: SoundCache.Key, _ model: VoiceModel, speed: Double, isUrgent: Bool = false) -> Generation {
        let generation = Generation(key, model, speed: speed)
        signal.change {
            if let kept = cache.sound(for: key) {
                generation.outcome = Generation.Outcome(sound: .success(kept), seconds: 0)
                return
            }
            waiting.insert(generation, at: isUrgent ? 0 : waiting.count)
            if started < Self.most, WorkerThread.start({ [self] in work() }) { started += 1 }
            if started == 0 {
                waiting.removeAll()
                generation.outcome = Generation.Outcome(
                    sound: .failure(EngineFailure(ROSTRUM_ERROR_MEMORY, "no thread is left to speak")), seconds: 0)
            }
        }
        return generation
    }

    /// Returns `true` if a sound was made before, and is kept.
    func isKept(_ key: SoundCache.Key) -> Bool { signal.change { cache.sound(for: key) != nil } }

    /// Returns what became of an order, waiting for it for at most some seconds.
    func outcome(of generation: Generation, within seconds: Double = 0) -> Generation.Outcome? {
        signal.wait(seconds) { generation.outcome }
    }

    /// Drops orders.
    func abandon(_ generations: [Generation]) {
        guard !generations.isEmpty else { return }
        signal.change {
            for generation in generations { generation.isAbandoned = true }
            waiting.removeAll(where: \.isAbandoned)
        }
    }

    /// Ends the threads, each when it is done with what it makes.
    func stop() {
        signal.change {
            isStopping = true
            waiting.removeAll()
            for generation in running { generation.isAbandoned = true }
        }
    }

    private func work() {
        while let generation = next() {
            let begun = MonotonicTime.now
            let result = Self.make(generation)
            signal.change {
                running.removeAll { $0 === generation }
                if case .success(let sound) = result { cache.keep(sound, for: generation.key) }
                generation.outcome = Generation.Outcome(sound: result, seconds: MonotonicTime.now - begun)
            }
        }
    }

    /// Returns the next order, or `nil` if there will be none.
    private func next() -> Generation? {
        enum Turn { case work(Generation), end }
        let turn = signal.wait(nil) { () -> Turn? in
            if isStopping { return .end }
            guard !waiting.isEmpty, running.count(where: { !$0.isAbandoned }) < width else { return nil }
            let generation = waiting.removeFirst()
            running.append(generation)
            return .work(generation)
        }
        if case .work(let generation)? = turn { return generation }
        return nil
    }

    private static func make(_ generation: Generation) -> Result<Sound, EngineFailure> {
        do throws(EngineFailure) {
            let samples = try generation.model.generate(
                generation.key.symbols, speaker: generation.key.speaker, speed: generation.speed)
            guard let sound = Sound(samples, sampleRate: generation.model.voice.sampleRate) else {
                throw InstalledVoice.broken(generation.model.voice.name, "its model makes numbers that are no sound")
            }
            return .success(sound)
        } catch {
            return .failure(error)
        }
    }
}

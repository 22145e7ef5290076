// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Glibc

/// The reading of a voice on a thread of its own, so that the engine's thread can be interrupted meanwhile.
final class ModelLoading: @unchecked Sendable /* `result` is guarded by the signal */ {
    let voice: InstalledVoice
    private let signal = ThreadSignal()
    private var result: Result<VoiceModel, EngineFailure>?
    private var milliseconds = 0.0

    init(_ voice: InstalledVoice, _ runtime: SherpaRuntime) {
        self.voice = voice
        let started = MonotonicTime.now
        let work: @Sendable () -> Void = { [self] in
            let made: Result<VoiceModel, EngineFailure>
            do throws(EngineFailure) {
                made = .success(try VoiceModel(voice, runtime))
            } catch {
                made = .failure(error)
            }
            signal.change {
                result = made
                milliseconds = (MonotonicTime.now - started) * 1000
            }
        }
        if !WorkerThread.start(work) {
            result = .failure(EngineFailure(ROSTRUM_ERROR_MEMORY, "no thread is left to read the voice \(voice.name)"))
        }
    }

    /// Waits for the voice, and returns it with the milliseconds that it took.
    ///
    /// - Parameter seconds: The time to wait. After a failure for want of time, the reading goes on.
    func wait(
        _ seconds: Double, isInterrupted: () -> Bool
    ) throws(EngineFailure) -> (model: VoiceModel, milliseconds: Double) {
        let end = MonotonicTime.now + seconds
        while true {
            let found = signal.wait(0.02) { result == nil ? nil : result }
            if let found { return (try found.get(), signal.change { milliseconds }) }
            if isInterrupted() {
                throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "reading the voice was interrupted")
            }
            guard MonotonicTime.now < end else {
                throw EngineFailure(
                    NeuralSpeech.cannotSpeak,
                    "the voice \(voice.name) was not ready after \(Int(seconds)) s; try again in a moment")
            }
        }
    }

    /// `true` if the voice could not be read.
    var hasFailed: Bool {
        signal.change {
            if case .failure? = result { true } else { false }
        }
    }
}

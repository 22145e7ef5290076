// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PeakFiles
import PlaybackCore
import Synchronization
import WaitTestSupport

/// Processes that are values of this one, and what was asked of them.
final class FakePeakSources: PeakSourceProvider {
    struct State {
        /// The number of peaks of the track, and what it is said to have.
        var count: Int
        var duration: Int64?
        var asked: [Int] = []
        var started = 0
        var ended = 0
        /// The requests, counted from 0 over all processes, of which the process dies.
        var deadly: Set<Int> = []
        var answer: (@Sendable (_ first: Int, _ peaks: [Peak]) throws(EngineError) -> [Peak])?
        var isHeld = false
        /// The number of requests that are answered; those behind them wait until their task is cancelled.
        var answered = Int.max
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    // The lock is needed because sources are used by the job's task and looked at by the test's.
    let state: Mutex<State>

    init(count: Int, duration: Int64? = nil) { state = Mutex(State(count: count, duration: duration)) }

    func startPeakSource(_ id: EngineID) async throws(EngineError) -> any PeakSource {
        state.withLock { $0.started += 1 }
        return Source(self)
    }

    /// Makes requests wait from now on, or lets them go on.
    func hold(_ isHeld: Bool) {
        let waiting = state.withLock { state in
            state.isHeld = isHeld
            defer { if !isHeld { state.waiting = [] } }
            return isHeld ? [] : state.waiting
        }
        for one in waiting { one.resume() }
    }

    struct Source: PeakSource {
        let fake: FakePeakSources

        init(_ fake: FakePeakSources) { self.fake = fake }

        func load(_ request: LoadRequest) async throws(EngineError) -> MediaDescription {
            let duration = fake.state.withLock { $0.duration }
            let track = TrackDescription(
                timeline: TimelineTrack(unitsPerSecond: 44_100, duration: duration, confidence: .container),
                format: AudioFormat(sampleRate: 44_100, channels: 2), encoding: .int16, codec: "fake", title: nil)
            return MediaDescription(title: nil, author: nil, tracks: [track], chapters: [], nativeRates: nil)
        }

        func peaks(track: Int, framesPerPeak: Int, first: Int64, count: Int) async throws(EngineError) -> [Peak] {
            await withCheckedContinuation { continuation in
                let goesOn = fake.state.withLock { state in
                    if state.isHeld { state.waiting.append(continuation) }
                    return !state.isHeld
                }
                if goesOn { continuation.resume() }
            }
            if fake.state.withLock({ $0.asked.count >= $0.answered }) {
                let isCancelled = Watched(false)
                await withTaskCancellationHandler {
                    _ = await isCancelled.wait { $0 }
                } onCancel: {
                    isCancelled.change { $0 = true }
                }
                throw EngineError(.crashed, message: "the fake was ended")
            }
            let (total, isDeadly, answer) = fake.state.withLock { state in
                state.asked.append(Int(first) / count)
                return (state.count, state.deadly.contains(state.asked.count - 1), state.answer)
            }
            if isDeadly { throw EngineError(.crashed, message: "the fake died") }
            let end = min(Int(first) + count, total)
            let peaks = Int(first) < end ? PeakMaterial.peaks(Int(first)..<end) : []
            guard let answer else { return peaks }
            return try answer(Int(first), peaks)
        }

        func shutDown() async { fake.state.withLock { $0.ended += 1 } }
    }
}

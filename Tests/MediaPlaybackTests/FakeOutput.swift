// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Clocks
import MediaPlayback
import PlaybackCore
import Synchronization

/// An output for which the test decides what is audible.
final class FakeOutput: AudioOutput {
    let name = "fake"
    let isRender: Bool
    let events: AsyncStream<OutputEvent>
    let report: AsyncStream<OutputEvent>.Continuation
    let tape: Tape
    private let failure: OutputError?
    private let gate: Gate
    /// Written by calls of the coordinator, which come one at a time, and read by the test.
    private let state = Mutex<(generation: UInt32, heard: HeardPosition?)>((0, nil))
    private let feed = Mutex<HeardFeed?>(nil)

    init(tape: Tape, failure: OutputError? = nil, gate: Gate = Gate(), isRender: Bool = false) {
        self.tape = tape
        self.isRender = isRender
        self.gate = gate
        self.failure = failure
        (events, report) = AsyncStream.makeStream()
    }

    /// Makes a position audible, and reports it once.
    func hear(_ units: Int64) {
        state.withLock { $0.heard = HeardPosition(generation: $0.generation, track: 0, units: units) }
        publish(units, points: 1)
    }

    /// Predicts the audible position for the hours around now.
    func foretell(_ units: Int64) { publish(units, points: 2) }

    private func publish(_ units: Int64, points: Int) {
        let generation = state.withLock(\.generation)
        // A publication is not accepted while somebody reads.
        while feed.withLock(\.self)?.publish(
            count: points,
            { index in
                HeardFeed.Point(
                    time: MonotonicTime.now() + Int64(2 * index - 1) * 3600 * MonotonicTime.second,
                    place: HeardPosition(generation: generation, track: 0, units: units))
            }) == false
        {}
    }

    private func begin(_ generation: UInt32) {
        state.withLock { $0 = (generation, nil) }
        report.yield(.started(generation: generation))
    }

    func connect() async throws(OutputError) -> Route {
        await gate.pass("connect")
        if let failure { throw failure }
        return Route(output: "fake", device: "ear")
    }
    func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        tape.add("output: open \(request.title) at rate \(request.settings.rate) (\(request.generation))")
        if request.settings.sound != SoundOptions() { tape.add("output: opened with \(request.settings.sound.words)") }
        await gate.pass("open")
        feed.withLock { $0 = request.feed }
        begin(request.generation)
        return Route(output: "fake", device: "ear")
    }
    func pause() async throws(OutputError) -> HeardPosition? {
        tape.add("output: pause")
        await gate.pass("pause")
        return state.withLock(\.heard)
    }
    func resume() async throws(OutputError) { tape.add("output: resume") }
    func reposition(to generation: UInt32) async throws(OutputError) {
        // A test that waits for the line may set the audible position at once.
        begin(generation)
        tape.add("output: reposition (\(generation))")
    }
    func set(_ setting: StreamSetting) async throws(OutputError) {
        switch setting {
        case .rate(let rate): tape.add("output: rate \(rate)")
        case .volume(let volume):
            tape.add("output: volume \(volume)")
            await gate.pass("volume")
        case .sound(let sound): tape.add("output: sound \(sound.words)")
        case .limit(let limit): tape.add("output: limit \(limit.map { "\($0.track):\($0.units)" } ?? "none")")
        }
    }
    func heard() async -> HeardPosition? {
        let heard = state.withLock(\.heard)
        await gate.pass("heard")
        return heard
    }
    func close() async -> HeardPosition? {
        tape.add("output: close")
        await gate.pass("close")
        return state.withLock(\.heard)
    }
    /// Runs after the call that hangs, as on the thread of a real output.
    func shutDown() async {
        for call in ["connect", "open", "pause", "volume", "close", "heard", "shutDown"] { await gate.pass(call) }
        report.finish()
    }
}

extension SoundOptions {
    /// The options that are on, in words.
    fileprivate var words: String {
        let loudness = loudness.map { " loudness \($0)" } ?? ""
        let silence = silence.map { " silence \($0)" } ?? ""
        let all = (isMono ? " mono" : "") + (balance == 0 ? "" : " balance \(balance)") + loudness + silence
        return all.isEmpty ? "as recorded" : String(all.dropFirst())
    }
}

struct OneOutput: OutputProvider {
    let output: FakeOutput
    func outputs(named name: String) -> [any AudioOutput] { [output] }
}

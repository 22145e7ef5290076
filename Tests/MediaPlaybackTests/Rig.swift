// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing
import WaitTestSupport

/// A controller with everything around it faked.
struct Rig {
    let tape = Tape()
    let gate = Gate()
    let engines: FakeEngines
    let output: FakeOutput
    let store: FakeStore
    let log = CapturingLog()
    let controller: MediaPlaybackController

    init(
        failures: [EngineID: EngineError] = [:], outputFailure: OutputError? = nil, failsLookup: Bool = false,
        selectedEngine: String? = nil, settings: PlaybackSettings = PlaybackSettings(),
        log: (any TransitionLogging)? = nil, mirror: StateMirror = StateMirror(),
        history: FakeHistory? = nil, keepsJournal: Bool = false, wallClock: HandClock? = nil,
        measuring: FakeEngine.Measuring = FakeEngine.Measuring(), clock: any Clock<Duration> = ContinuousClock(),
        store: FakeStore? = nil, works: (any WorkFinding)? = nil, resolver: (any ItemResolving)? = nil,
        served: (any ServedPlaces)? = nil
    ) {
        engines = FakeEngines(tape: tape, failures: failures, gate: gate, measuring: measuring)
        output = FakeOutput(tape: tape, failure: outputFailure, gate: gate)
        self.store =
            store ?? FakeStore(tape: tape, failsLookup: failsLookup, selectedEngine: selectedEngine, gate: gate)
        controller = MediaPlaybackController(
            engines: engines, outputs: OneOutput(output: output), store: self.store,
            resolver: resolver ?? FakeResolver(gate: gate),
            log: log ?? self.log, mirror: mirror, settings: settings, clock: clock, history: history,
            places: keepsJournal ? FakePlaceJournal(tape: tape) : nil, works: works, served: served,
            wallClock: wallClock.map { hand in { @Sendable in hand.now } })
    }

    /// Waits until the condition holds; a wait that is cancelled reports the calls so far.
    func until(sourceLocation: SourceLocation = #_sourceLocation, _ holds: () async throws -> Bool) async rethrows {
        try await WaitTestSupport.until(sourceLocation: sourceLocation, holds) { tape.lines.joined(separator: "\n") }
    }

    /// Plays an item to 20 s, ends this session, and returns the next one with the same library.
    func next(knowing item: String) async throws -> Rig {
        try await controller.play(Self.request(item))
        output.hear(20_000)
        await controller.stop()
        await tape.wait(for: "store: \(item) 20000")
        await controller.shutDown()
        return Rig(store: store)
    }

    /// Waits until the sound of a generation is audible.
    func isAudible(_ generation: UInt32) async {
        await until {
            let state = await controller.snapshot().state
            return state.generation == generation && state.isPlaying
        }
    }

    static func request(_ names: String..., start: PlayRequest.Start = .saved) -> PlayRequest {
        PlayRequest(item: ItemRequest(items: names, extensions: KnownExtensions(audio: [])), start: start)
    }
}

/// A wall clock that the test sets.
final class HandClock: Sendable {
    /// Locked for one access.
    private let state = Mutex<Int64>(1_700_000_000_000)
    var now: Int64 { state.withLock { $0 } }
    func advance(seconds: Int64) { state.withLock { $0 += seconds * 1000 } }
}

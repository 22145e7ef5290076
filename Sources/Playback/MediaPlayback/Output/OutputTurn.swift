// SPDX-License-Identifier: Apache-2.0

import AudioSession
import PlaybackCore
import TaskChains

/// The calls to the session, in order, and what is known of the output besides the machine's state.
struct OutputTurn {
    /// The feed through which the output reports what is audible, and when.
    let feed = HeardFeed()
    /// The losses of the route, which are a part with rules and private state of their own.
    var losses = RouteLosses()
    /// The engine whose sound the open stream takes.
    private var engine: EngineID?
    private var chain = TaskChain()
    private var calls = 0
    private var listener: Task<Void, Never>?

    /// `true` while no call is in progress.
    var isIdle: Bool { calls == 0 }
    var last: Task<Void, Never>? { chain.last }

    /// Makes a call when those before it have returned.
    ///
    /// The body calls `ended` when its call has returned.
    mutating func append<Owner: Actor>(
        on owner: isolated Owner, _ body: @escaping @Sendable (isolated Owner) async -> Void
    ) -> Task<Void, Never> {
        calls += 1
        return chain.append(on: owner, body)
    }

    mutating func ended() { calls -= 1 }

    /// Notes that a stream opens, which is the one reader of an engine's sound from now on.
    mutating func opens(for engine: EngineID) { self.engine = engine }

    /// Notes that no stream is open.
    mutating func closed() { engine = nil }

    /// Returns whether the output has to discard the sound of this engine, since it takes it.
    func takesSound(of engine: EngineID) -> Bool { self.engine == engine }

    /// Starts listening to the session, once.
    mutating func listen(_ start: () -> Task<Void, Never>) {
        if listener == nil { listener = start() }
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import PlaybackCore

/// The calls to the session, in order, and what is known of the output besides the machine's state.
struct OutputTurn {
    /// The feed through which the output reports what is audible, and when.
    let feed = HeardFeed()
    /// The engine whose sound the open stream takes.
    var engine: EngineID?
    var losses = RouteLosses()
    private var chain = TaskChain()
    private var calls = 0
    private var listener: Task<Void, Never>?

    /// `true` while no call is in progress.
    var isIdle: Bool { calls == 0 }
    var last: Task<Void, Never>? { chain.last }

    /// Makes a call when those before it have returned.
    ///
    /// The body calls `ended` when its call has returned.
    mutating func append(
        on controller: isolated MediaPlaybackController,
        _ body: @escaping @Sendable (isolated MediaPlaybackController) async -> Void
    ) -> Task<Void, Never> {
        calls += 1
        return chain.append(on: controller, body)
    }

    mutating func ended() { calls -= 1 }

    /// Starts listening to the session, once.
    mutating func listen(_ start: () -> Task<Void, Never>) {
        if listener == nil { listener = start() }
    }
}

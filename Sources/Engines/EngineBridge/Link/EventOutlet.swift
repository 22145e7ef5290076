// SPDX-License-Identifier: Apache-2.0

import Atomics
import MediaPlayback

/// The events of one engine on their way to the listener, in a bounded buffer.
final class EventOutlet: Sendable {
    /// The maximum number of buffered events: every track of the largest folder, and a book's worth of marks.
    private static let room = 1 << 17

    let stream: AsyncStream<EngineEvent>
    private let continuation: AsyncStream<EngineEvent>.Continuation
    private let finished = ManagedAtomic(false)

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.room))
    }

    /// `true` once the engine is gone.
    var isFinished: Bool { finished.load(ordering: .acquiring) }

    /// Sends an event, and returns `false` if only room for a last event is left.
    ///
    /// That happens if nothing listens, or if the engine never stops sending.
    func yield(_ event: EngineEvent) -> Bool {
        switch continuation.yield(event) {
        case .enqueued(let remaining): remaining > 1
        case .dropped: false
        default: true
        }
    }

    /// Ends the stream after a last event; whoever receives that event finds `isFinished` set.
    func finish(_ last: EngineEvent?) {
        finished.store(true, ordering: .releasing)
        if let last { continuation.yield(last) }
        continuation.finish()
    }
}

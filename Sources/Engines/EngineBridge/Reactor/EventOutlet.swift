// SPDX-License-Identifier: Apache-2.0

import Atomics
import MediaPlayback

/// The events of one engine on their way to whoever listens, with room for a bounded number.
final class EventOutlet: Sendable {
    /// Every track of the largest folder, and a book's worth of marks.
    private static let room = 1 << 17

    let stream: AsyncStream<EngineEvent>
    private let continuation: AsyncStream<EngineEvent>.Continuation
    private let finished = ManagedAtomic(false)

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.room))
    }

    /// The engine is gone.
    var isFinished: Bool { finished.load(ordering: .acquiring) }

    /// False if only room for a last word is left: nobody listens, or the engine never stops.
    func yield(_ event: EngineEvent) -> Bool {
        switch continuation.yield(event) {
        case .enqueued(let remaining): remaining > 1
        case .dropped: false
        default: true
        }
    }

    /// Whoever hears the last word finds it gone.
    func finish(_ last: EngineEvent?) {
        finished.store(true, ordering: .releasing)
        if let last { continuation.yield(last) }
        continuation.finish()
    }
}

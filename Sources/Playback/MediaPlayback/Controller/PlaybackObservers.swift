// SPDX-License-Identifier: Apache-2.0

import AudioSession
import PlaybackCore

/// Those who are told of changes: streams of notifications, and functions that are called in order.
struct PlaybackObservers {
    private var streams: [UInt64: AsyncStream<PlaybackChange>.Continuation] = [:]
    private var followers: [@Sendable (PlaybackSnapshot) -> Void] = []
    private var last: UInt64 = 0
    /// The session's state that was published last.
    private var published = SessionView()
    private let mirror: StateMirror

    init(mirror: StateMirror) { self.mirror = mirror }

    /// Returns a stream of the changes from now on; `ended` is called with its number when nobody reads it any more.
    mutating func add(ended: @escaping @Sendable (UInt64) -> Void) -> AsyncStream<PlaybackChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PlaybackChange.self, bufferingPolicy: .bufferingNewest(64))
        last += 1
        let number = last
        streams[number] = continuation
        continuation.onTermination = { _ in ended(number) }
        return stream
    }

    mutating func remove(_ number: UInt64) { streams[number] = nil }

    mutating func follow(_ notify: @escaping @Sendable (PlaybackSnapshot) -> Void) { followers.append(notify) }

    func isUnpublished(_ session: SessionView) -> Bool { session != published }

    /// Publishes a change; the snapshot is made only if somebody follows.
    mutating func publish(_ change: PlaybackChange, session: SessionView, _ snapshot: () -> PlaybackSnapshot) {
        if change == .state {
            published = session
            if !followers.isEmpty {
                let snapshot = snapshot()
                for notify in followers { notify(snapshot) }
            }
        }
        for stream in streams.values { stream.yield(change) }
    }

    /// Stores the state where the log finds it.
    func mirror(_ state: PlaybackState) { mirror.set(state) }

    mutating func finish() {
        for stream in streams.values { stream.finish() }
        streams = [:]
        followers = []
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The state of the output for the present item.
public enum Stream: String, Sendable, Codable, Hashable {
    case closed
    case opening
    /// The stream is open, and nothing of the present generation was heard yet.
    case waiting
    case sounding
    /// An underrun: the engine is late, and there is silence where sound should be.
    case starved
    case paused
}

/// The output's stream, and what was heard of it.
public struct OutputState: Sendable, Codable, Hashable {
    public internal(set) var stream = Stream.closed
    /// `true` if the present stream played something of the present generation, and has no underrun.
    public internal(set) var hasSounded = false
    /// `true` if a stream was opened since the engine was last told where to continue; what it took is gone with it.
    public internal(set) var wasOpened = false
    /// The number of position reports since playback became audible.
    public internal(set) var steady = 0
}

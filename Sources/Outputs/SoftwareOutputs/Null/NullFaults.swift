// SPDX-License-Identifier: Apache-2.0

public import AudioSession

/// How a null output misbehaves, for tests and demonstrations.
public struct NullFaults: Sendable, Hashable {
    /// `connect` and `open` fail with this.
    public var refusal: OutputError?
    /// The device is gone after so many frames.
    public var lostAfter: Int64?
    /// It takes frames at this fraction of their rate.
    public var pace = 1.0
    /// At a frame it stops taking for a while, as a suspended sink does.
    public var stall: Stall?

    public struct Stall: Sendable, Hashable {
        public var frame: Int64
        public var duration: Duration

        public init(frame: Int64, duration: Duration) {
            self.frame = frame
            self.duration = duration
        }
    }

    public init() {}
}

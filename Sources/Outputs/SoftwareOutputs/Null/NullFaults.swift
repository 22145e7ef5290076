// SPDX-License-Identifier: Apache-2.0

public import AudioSession

/// The faults of a null output, for tests and demonstrations.
public struct NullFaults: Sendable, Hashable {
    /// The error with which `connect` and `open` fail.
    public var refusal: OutputError?
    /// The number of frames after which the device is gone.
    public var lostAfter: Int64?
    /// The fraction of the sample rate at which the device takes frames.
    public var pace = 1.0
    /// The frame at which the device stops taking frames for a while, as a suspended sink does.
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

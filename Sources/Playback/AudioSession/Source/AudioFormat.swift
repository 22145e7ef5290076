// SPDX-License-Identifier: Apache-2.0

/// The encoding with which a file output writes samples without loss; within the session they are always float.
public enum SampleEncoding: UInt32, Sendable, Hashable {
    case int16 = 1
    case int24 = 2
    case int32 = 3
    case float32 = 4
}

/// The format of a stream, which carries interleaved float frames at the content's own rate.
public struct AudioFormat: Sendable, Hashable {
    /// The number of frames a second, 1,000 to 384,000.
    public var sampleRate: Int
    /// The number of channels, 1 to 8, ordered as in WAVE_FORMAT_EXTENSIBLE.
    public var channels: Int

    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

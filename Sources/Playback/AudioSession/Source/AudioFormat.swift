// SPDX-License-Identifier: Apache-2.0

/// How a file output writes samples without loss; in the session they are always float.
public enum SampleEncoding: UInt32, Sendable, Hashable {
    case int16 = 1
    case int24 = 2
    case int32 = 3
    case float32 = 4
}

/// What a stream carries: interleaved float frames at the content's own rate.
public struct AudioFormat: Sendable, Hashable {
    /// Frames a second, 1,000 to 384,000.
    public var sampleRate: Int
    /// 1 to 8, ordered as in WAVE_FORMAT_EXTENSIBLE.
    public var channels: Int

    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

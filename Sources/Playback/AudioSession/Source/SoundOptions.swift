// SPDX-License-Identifier: Apache-2.0

/// How the listener wants content to sound: each part is off by itself, and then no sample is touched by it.
public struct SoundOptions: Sendable, Hashable {
    /// All channels carry the mean of all.
    public var isMono = false
    /// −1 (left alone) to 1 (right alone); 0: as recorded, as is content of one channel.
    public var balance = 0.0
    /// Speech is brought near this loudness, in LUFS (EBU R128); nil: as recorded.
    public var loudness: Double?
    /// Silences that are longer than this, in seconds, are shortened; nil: none is.
    public var silence: Double?

    public init(isMono: Bool = false, balance: Double = 0, loudness: Double? = nil, silence: Double? = nil) {
        self.isMono = isMono
        self.balance = balance
        self.loudness = loudness
        self.silence = silence
    }

    public static let loudnessRange = -31.0 ... -12.0
    public static let silenceRange = 0.3...1.0
    public static let balanceRange = -1.0...1.0
}

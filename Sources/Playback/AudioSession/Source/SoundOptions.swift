// SPDX-License-Identifier: Apache-2.0

/// The user's sound settings.
///
/// Each part can be off by itself, and then it touches no sample.
public struct SoundOptions: Sendable, Hashable {
    /// A flag that makes all channels carry the mean of all.
    public var isMono = false
    /// The balance from −1 (left only) to 1 (right only).
    ///
    /// At 0 sound is as recorded, as is content of one channel.
    public var balance = 0.0
    /// The loudness that speech is brought near, in LUFS (EBU R128); `nil` to keep it as recorded.
    public var loudness: Double?
    /// The length, in seconds, to which longer silences are shortened; `nil` to keep them.
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

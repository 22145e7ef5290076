// SPDX-License-Identifier: Apache-2.0

/// The settings of a stream that can change while it plays.
///
/// A further setting is added here, in `StreamRenderer`, which carries it out, and in `StreamOptions` if the log states
/// it. What lies between hands on a ``StreamSetting``.
public struct StreamSettings: Sendable, Hashable {
    /// The speed.
    ///
    /// The session stretches the sound and keeps its pitch; at 1.0 samples pass through bit for bit.
    public var rate: Double
    /// The volume from 0.0 to 1.0, linear in the loudness that the user sets.
    public var volume: Double
    public var sound: SoundOptions
    /// The position before which the stream ends as if the content did; `nil` to play to the end of the content.
    public var limit: HeardPosition?

    public init(
        rate: Double = 1, volume: Double = 1, sound: SoundOptions = SoundOptions(), limit: HeardPosition? = nil
    ) {
        self.rate = rate
        self.volume = volume
        self.sound = sound
        self.limit = limit
    }

    public mutating func set(_ setting: StreamSetting) {
        switch setting {
        case .rate(let rate): self.rate = rate
        case .volume(let volume): self.volume = volume
        case .sound(let sound): self.sound = sound
        case .limit(let limit): self.limit = limit
        }
    }
}

/// A new value of one of the ``StreamSettings``, for all sound that is heard from now on.
///
/// Nothing is skipped, except for what sound options leave out.
public enum StreamSetting: Sendable, Hashable {
    case rate(Double)
    case volume(Double)
    case sound(SoundOptions)
    case limit(HeardPosition?)

    /// The name of the change in messages.
    var name: String {
        switch self {
        case .rate: "setRate"
        case .volume: "setVolume"
        case .sound: "setSound"
        case .limit: "setLimit"
        }
    }
}

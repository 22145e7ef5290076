// SPDX-License-Identifier: Apache-2.0

/// The mono and balance settings, applied to frames on their way to the device.
struct ChannelMix {
    private let channels: Int
    private let isMono: Bool
    private let left: Float
    private let right: Float

    init(_ sound: SoundOptions, channels: Int) {
        self.channels = channels
        isMono = sound.isMono && channels > 1
        let balance = sound.balance.isFinite ? Float(min(max(sound.balance, -1), 1)) : 0
        left = channels > 1 ? min(1, 1 - balance) : 1
        right = channels > 1 ? min(1, 1 + balance) : 1
    }

    var changesNothing: Bool { !isMono && left == 1 && right == 1 }

    func apply(to samples: UnsafeMutablePointer<Float>, frames: Int) {
        if changesNothing { return }
        for frame in 0..<frames {
            let samples = samples + frame * channels
            if isMono { mixDown(samples) }
            for channel in 0..<channels { samples[channel] *= gain(of: channel) }
        }
    }

    /// Replaces all channels with their mean.
    ///
    /// The low-frequency channel of 5.1 and 7.1 is an effect, and is left out.
    private func mixDown(_ samples: UnsafeMutablePointer<Float>) {
        var sum: Float = 0
        for channel in 0..<channels where !isLowFrequency(channel) { sum += samples[channel] }
        let mean = sum / Float(channels >= 6 ? channels - 1 : channels)
        for channel in 0..<channels { samples[channel] = mean }
    }

    private func isLowFrequency(_ channel: Int) -> Bool { channels >= 6 && channel == 3 }

    /// Returns the gain of a channel in the order of WAVE_FORMAT_EXTENSIBLE; centre channels keep their level.
    private func gain(of channel: Int) -> Float {
        switch channel {
        case 0: return left
        case 1: return right
        case 2 where channels != 4, 3 where channels >= 6, 4 where channels == 7: return 1
        default: return channel.isMultiple(of: 2) == channels.isMultiple(of: 2) ? left : right
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The fade-out of sound that was replaced, which is heard below what replaces it.
struct ReplacedSound {
    private let channels: Int
    /// The frames at their final loudness.
    private let buffer: SampleBuffer
    private var count = 0
    private var position = 0

    init(format: AudioFormat) {
        channels = format.channels
        buffer = SampleBuffer(frames: format.frames(milliseconds: 5), channels: format.channels)
    }

    /// The number of frames that are still to be heard.
    var left: Int { count - position }

    mutating func drop() {
        position = count
    }

    /// Keeps frames of the content, fading out, and returns how many there were.
    mutating func keep(_ frames: Int, of ring: ContentRing, from first: Int64, gain: Float, _ mix: ChannelMix) -> Int {
        position = 0
        count = max(0, min(frames, buffer.frames, Int(ring.end - first)))
        guard count > 0 else { return 0 }
        var ramp = GainRamp(from: gain, to: 0, length: count)
        for frame in 0..<count {
            let (samples, _) = ring.frames(from: first + Int64(frame))
            let factor = ramp.value
            for channel in 0..<channels { buffer.samples[frame * channels + channel] = samples[channel] * factor }
            ramp.advance()
        }
        mix.apply(to: buffer.samples, frames: count)
        return count
    }

    /// Adds the next frames to those that replace them; at most `left`.
    mutating func add(to target: UnsafeMutablePointer<Float>, frames: Int) {
        let old = buffer.samples + position * channels
        for index in 0..<frames * channels { target[index] += old[index] }
        position += frames
    }
}

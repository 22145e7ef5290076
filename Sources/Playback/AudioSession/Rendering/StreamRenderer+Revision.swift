// SPDX-License-Identifier: Apache-2.0

/// Revision of what was rendered and not heard.
///
/// Each function takes the first frame of the stream that the device can still replace. It returns the frame from which
/// the stream must be written again: that one, or one shortly behind it if a transition is under way. The caller then
/// renders and writes from there.
extension StreamRenderer {
    // MARK: Pauses

    /// Fades out the upcoming sound.
    ///
    /// The stream is silent from `silentFrom` on.
    public func pause(from frame: Int64) -> Int64 {
        gain.unhush()
        guard gain.isSounding else { return written }
        let start = rewind(to: frame)
        gain.fadeOut(at: start)
        return start
    }

    /// Fades out sound of an older generation that has continued long enough.
    ///
    /// The new generation becomes audible when it arrives.
    public func hush(from frame: Int64) -> Int64 {
        guard isCrossing, gain.isSounding else { return written }
        let start = pause(from: frame)
        gain.hush()
        return start
    }

    /// Resumes exactly behind the last frame that was audible.
    public func resume(from frame: Int64) -> Int64 {
        guard isPaused else { return written }
        let start = rewind(to: frame)
        // Sound that was replaced while paused must no longer be heard.
        if isCrossing { content.cut(at: cursor) }
        gain.resume(at: written)
        return start
    }

    /// Fades in the sound after an unintended gap.
    public func softenAfterGap() {
        gain.soften(at: written)
    }

    // MARK: Seeks

    /// Drops the source's older sound.
    ///
    /// What was already rendered of it continues until `crossOver`.
    public func reposition(to generation: UInt32) {
        content.expect(generation)
        generationStart = nil
    }

    /// The outcome of an attempt to cross over to a new generation.
    public enum Crossing: Sendable, Hashable {
        /// The stream must be written again from this frame.
        case from(Int64)
        /// The first sound of the generation has not arrived.
        case waiting
        /// The generation needs another stream.
        case formatChange(AudioFormat)
    }

    /// Crosses over to the new generation if its first sound has arrived; the old sound fades out below it.
    public func crossOver(from frame: Int64) -> Crossing {
        guard let arrival = content.arrival() else { return .waiting }
        if arrival.frames > 0, arrival.format != format { return .formatChange(arrival.format) }
        let start = rewind(to: frame)
        keepReplaced()
        content.cross(to: arrival, at: cursor)
        gain.arrive()
        // `produce` finds the first block and records it; the fade belongs here.
        if gain.isSounding { gain.fade(fromSilence: true, milliseconds: 1.5, at: written) }
        return .from(start)
    }

    // MARK: Settings

    /// Changes a setting from `frame` on.
    ///
    /// It may allocate: for sound options that were off before, and for the first rate other than 1.
    public func set(_ setting: StreamSetting, from frame: Int64) -> Int64 {
        switch setting {
        case .rate(let rate): setRate(rate, from: frame)
        case .volume(let volume): setVolume(volume, from: frame)
        case .sound(let sound): setSound(sound, from: frame)
        case .limit(let limit): setLimit(limit, from: frame)
        }
    }

    /// The urgency of making a changed setting audible.
    public enum Urgency: Sendable, Hashable {
        /// It changes nothing.
        case none
        /// Nobody waits for it.
        case low
        case high
    }

    /// Returns the urgency of making a changed setting audible.
    ///
    /// A small change of the volume is a step of a fade.
    public func urgency(of setting: StreamSetting) -> Urgency {
        switch setting {
        case .rate(self.rate), .sound(self.sound), .limit(content.limit): .none
        case .volume(let volume) where gain.isNear(volume): .low
        default: .high
        }
    }

    /// A rate that the tempo stage does not support changes nothing.
    private func setRate(_ rate: Double, from frame: Int64) -> Int64 {
        guard rate != self.rate, rate.isFinite, rate > 0 else { return written }
        guard content.hasBegun else {
            content.restart(at: rate)
            return written
        }
        return content.supports(rate) ? renderAnew(at: rate, from: frame, mix) : written
    }

    private func setVolume(_ volume: Double, from frame: Int64) -> Int64 {
        gain.setVolume(volume)
        guard gain.isSounding else { return written }
        let start = rewind(to: frame)
        gain.fade(fromSilence: false, milliseconds: 10, at: written)
        return start
    }

    private func setLimit(_ limit: HeardPosition?, from frame: Int64) -> Int64 {
        guard limit != content.limit else { return written }
        content.move(limit: limit)
        return content.hasBegun ? renderAnew(at: rate, from: frame, mix) : written
    }

    private func setSound(_ sound: SoundOptions, from frame: Int64) -> Int64 {
        guard sound != self.sound else { return written }
        let isPreparedAnew = sound.loudness != self.sound.loudness || sound.silence != self.sound.silence
        let mix = ChannelMix(sound, channels: format.channels)
        self.sound = sound
        if isPreparedAnew { content.prepare(sound) }
        guard content.hasBegun else {
            self.mix = mix
            return written
        }
        if isPreparedAnew { return renderAnew(at: rate, from: frame, mix) }
        let start = rewind(to: frame)
        keepReplaced()
        self.mix = mix
        fadeOver()
        return start
    }

    // MARK: Parts

    /// Renders again from the source's frame that belongs to `frame`.
    private func renderAnew(at rate: Double, from frame: Int64, _ mix: ChannelMix) -> Int64 {
        let start = rewind(to: frame)
        let index = content.rewind(to: cursor)
        content.restart(at: rate)
        guard let index else {
            // The frame is already released, so the new rate begins where the source is.
            self.mix = mix
            content.breakOff()
            return start
        }
        keepReplaced()
        self.mix = mix
        content.renew(from: cursor, index: index)
        fadeOver()
        return start
    }

    /// Rewinds the stream to `frame`, or as near to it as a transition allows.
    private func rewind(to frame: Int64) -> Int64 {
        let start = max(0, min(max(frame, gain.transitionEnd), written))
        guard start < written else { return written }
        if let content = stream.content(at: start) { cursor = content }
        stream.cut(at: start)
        written = start
        gain.finishRamp()
        replaced.drop()
        if let first = generationStart, first >= start { generationStart = nil }
        return start
    }

    /// Keeps the next 4 ms of the current sound, to be heard below what replaces them.
    private func keepReplaced() {
        replaced.drop()
        guard gain.isSounding else { return }
        let frames = format.frames(milliseconds: 4)
        let kept = replaced.keep(frames, of: content.ring, from: cursor, gain: gain.value, mix)
        if kept > 0 { gain.protect(before: written + Int64(kept)) }
    }

    /// Fades in what replaces the sound that was kept.
    private func fadeOver() {
        if gain.isSounding { gain.fade(fromSilence: true, milliseconds: 4, at: written) }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Revision of what was rendered and not heard.
///
/// Each function takes the first frame of the stream that the device can still replace. It returns the frame from which
/// the stream must be written again: that one, or one shortly behind it if a transition is under way. The caller then
/// renders and writes from there.
extension StreamRenderer {
    /// Fades out the upcoming sound.
    ///
    /// The stream is silent from `silentFrom` on.
    public func pause(from frame: Int64) -> Int64 {
        isHushed = false
        guard mode == .sounding else { return written }
        let start = rewind(to: frame)
        mode = .fadingOut
        let length = format.frames(milliseconds: 4)
        gain = GainRamp(from: gain.value, to: 0, length: length)
        transitionEnd = start + Int64(length)
        return start
    }

    /// Fades out sound of an older generation that has continued long enough.
    ///
    /// The new generation becomes audible when it arrives.
    public func hush(from frame: Int64) -> Int64 {
        guard isCrossing, mode == .sounding else { return written }
        let start = pause(from: frame)
        isHushed = true
        return start
    }

    /// The frame from which a paused stream is silent.
    public var silentFrom: Int64 { max(transitionEnd, 0) }

    public var isPaused: Bool { mode != .sounding && !isHushed }

    /// Resumes exactly behind the last frame that was audible.
    public func resume(from frame: Int64) -> Int64 {
        guard isPaused else { return written }
        let start = rewind(to: frame)
        // Sound that was replaced while paused must no longer be heard.
        if isCrossing { ring.cut(at: cursor) }
        ramp(from: mode == .silent ? 0 : gain.value, milliseconds: 2)
        mode = .sounding
        return start
    }

    /// Fades in the sound after an unintended gap.
    public func softenAfterGap() {
        guard mode == .sounding, gain.isSteady else { return }
        ramp(from: 0, milliseconds: 1.5)
    }

    /// Writes silence in front of the next sound, so that nothing stale is heard instead.
    public func renderGap(into samples: UnsafeMutablePointer<Float>, frames: Int) {
        samples.update(repeating: 0, count: frames * format.channels)
        stream.silence(at: written, content: cursor)
        written += Int64(frames)
    }

    /// Changes a setting from `frame` on.
    public func set(_ setting: StreamSetting, from frame: Int64) -> Int64 {
        switch setting {
        case .rate(let rate): setRate(rate, from: frame)
        case .volume(let volume): setVolume(volume, from: frame)
        case .sound(let sound): setSound(sound, from: frame)
        case .limit(let limit): setLimit(limit, from: frame)
        }
    }

    /// How soon a change of a setting is to be heard.
    public enum Urgency: Sendable, Hashable {
        /// It changes nothing.
        case none
        /// Nobody waits for it.
        case low
        case high
    }

    /// Returns how soon a change of a setting is to be heard.
    ///
    /// A volume within a tenth of full amplitude of the current one is a step of a fade.
    public func urgency(of setting: StreamSetting) -> Urgency {
        switch setting {
        case .rate(self.rate): .none
        case .volume(let volume) where abs(Self.amplitude(volume) - self.volume) <= 0.1: .low
        default: .high
        }
    }

    private func setVolume(_ volume: Double, from frame: Int64) -> Int64 {
        self.volume = Self.amplitude(volume)
        guard mode == .sounding else { return written }
        let start = rewind(to: frame)
        ramp(from: gain.value, milliseconds: 10)
        return start
    }

    /// Drops the source's older sound.
    ///
    /// What was already rendered of it continues until `crossOver`.
    public func reposition(to generation: UInt32) {
        self.generation = generation
        source.discard(before: generation)
        isCrossing = true
        generationStart = nil
        generationContent = nil
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
        guard isCrossing, let block = nextAnyBlock() else { return .waiting }
        if block.frames > 0, block.format != format { return .formatChange(block.format) }
        let start = rewind(to: frame)
        keepTail(milliseconds: 4)
        ring.cut(at: cursor)
        heardContent = min(heardContent, cursor)
        sources.cut(at: cursor)
        preparation?.restart(at: block.index)
        if !restartTempo(rate: rate) { rate = 1 }
        isPieceDue = true
        isCrossing = false
        if isHushed { mode = .sounding }
        isHushed = false
        hasEnded = false
        // Otherwise the stage of an item that was rendered to its end would take nothing more.
        tempoIsFinished = false
        nextFormat = nil
        // `produce` finds the first block and records it; the fade belongs here.
        if mode == .sounding { ramp(from: 0, milliseconds: 1.5) }
        return .from(start)
    }

    /// Continues at another rate from the source's frame that belongs to `frame`.
    ///
    /// A rate that the stage does not support changes nothing.
    private func setRate(_ rate: Double, from frame: Int64) -> Int64 {
        guard rate != self.rate, rate.isFinite, rate > 0 else { return written }
        if isCrossing || generationContent == nil {
            if restartTempo(rate: rate) { self.rate = rate }
            return written
        }
        guard canDo(rate) else { return written }
        return renderAnew(at: rate, from: frame)
    }

    /// Sets another position before which the stream ends; `nil` to end with the content.
    private func setLimit(_ limit: HeardPosition?, from frame: Int64) -> Int64 {
        guard limit != until else { return written }
        until = limit
        if isCrossing || generationContent == nil { return written }
        return renderAnew(at: rate, from: frame)
    }

    /// Applies sound options from `frame` on.
    ///
    /// It allocates memory for options that were off before.
    private func setSound(_ sound: SoundOptions, from frame: Int64) -> Int64 {
        guard sound != self.sound else { return written }
        let isPreparedAnew = sound.loudness != self.sound.loudness || sound.silence != self.sound.silence
        let mix = ChannelMix(sound, channels: format.channels)
        self.sound = sound
        if isPreparedAnew {
            // Sound that was read ahead and not handed on is read again.
            if let preparation, !preparation.isFresh, !isCrossing { _ = source.rewind(to: preparation.next) }
            preparation = SoundPreparation(sound, format: format)
        }
        guard !isCrossing, generationContent != nil else {
            self.mix = mix
            return written
        }
        if isPreparedAnew { return renderAnew(at: rate, from: frame, mix: mix) }
        let start = rewind(to: frame)
        keepTail(milliseconds: 4)
        self.mix = mix
        if mode == .sounding { ramp(from: 0, milliseconds: 4) }
        return start
    }

    /// Renders again from the source's frame that belongs to `frame`.
    private func renderAnew(at rate: Double, from frame: Int64, mix: ChannelMix? = nil) -> Int64 {
        let start = rewind(to: frame)
        guard let from = sources.source(at: cursor), source.rewind(to: from) else {
            // The frame is already released, so the new rate begins where the source is.
            _ = restartTempo(rate: rate)
            self.rate = rate
            self.mix = mix ?? self.mix
            isPieceDue = true
            return start
        }
        _ = restartTempo(rate: rate)
        self.rate = rate
        keepTail(milliseconds: 4)
        self.mix = mix ?? self.mix
        preparation?.restart(at: from)
        ring.cut(at: cursor)
        sources.begin(SourceMap.Piece(content: cursor, source: from, rate: self.rate, shift: stageShift))
        tempoIsFinished = false
        hasEnded = false
        nextFormat = nil
        if mode == .sounding { ramp(from: 0, milliseconds: 4) }
        return start
    }

    private func canDo(_ rate: Double) -> Bool {
        rate == 1 || (format.sampleRate <= 192_000 && (0.25...4).contains(rate))
    }

    private func nextAnyBlock() -> PCMBlock? {
        while let block = source.next() {
            if block.generation == generation { return block }
            guard Int32(bitPattern: block.generation &- generation) < 0 else { return nil }
            source.advance(by: max(0, block.frames))
        }
        return nil
    }

    /// Rewinds the stream to `frame`, or as near to it as a transition allows.
    private func rewind(to frame: Int64) -> Int64 {
        let start = max(0, min(max(frame, transitionEnd), written))
        guard start < written else { return written }
        if let content = stream.content(at: start) { cursor = content }
        stream.cut(at: start)
        written = start
        gain.finish()
        tailPosition = tailCount
        if let first = generationStart, first >= start { generationStart = nil }
        return start
    }

    private func ramp(from: Float, milliseconds: Double) {
        let length = format.frames(milliseconds: milliseconds)
        gain = GainRamp(from: from, to: volume, length: length)
        transitionEnd = max(transitionEnd, written + Int64(length))
    }

    /// Keeps the next few frames of the current sound, fading out, to be heard below what replaces them.
    private func keepTail(milliseconds: Double) {
        tailCount = 0
        tailPosition = 0
        guard mode == .sounding else { return }
        let wanted = min(format.frames(milliseconds: milliseconds), tailCapacity, Int(ring.end - cursor))
        guard wanted > 0 else { return }
        var ramp = GainRamp(from: gain.value, to: 0, length: wanted)
        for frame in 0..<wanted {
            let (samples, _) = ring.frames(from: cursor + Int64(frame))
            let factor = ramp.value
            for channel in 0..<format.channels {
                tail[frame * format.channels + channel] = samples[channel] * factor
            }
            ramp.advance()
        }
        mix.apply(to: tail, frames: wanted)
        tailCount = wanted
        transitionEnd = max(transitionEnd, written + Int64(wanted))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The gain of a stream from frame to frame: the volume, short fades, and the silence of a pause.
struct StreamGain {
    private enum Mode { case sounding, fadingOut, silent }

    private let format: AudioFormat
    private var mode: Mode
    /// `true` if the stream is silent until the awaited generation arrives, not until `resume`.
    private var isHushed = false
    /// The amplitude of the user's volume.
    private var volume: Float
    private var ramp: GainRamp
    /// The frame of the stream before which a transition is under way that must not be cut into.
    private(set) var transitionEnd: Int64 = 0

    init(volume: Double, format: AudioFormat, isPaused: Bool) {
        self.format = format
        self.volume = Self.amplitude(volume)
        mode = isPaused ? .silent : .sounding
        ramp = GainRamp(steady: isPaused ? 0 : self.volume)
    }

    /// Returns the amplitude of the user's volume, which is even in loudness: its cube, as sound servers do it.
    static func amplitude(_ volume: Double) -> Float {
        let bounded = volume.isFinite ? min(max(volume, 0), 1) : 1
        return Float(bounded * bounded * bounded)
    }

    /// The gain of the next frame.
    var value: Float { ramp.value }
    var isSounding: Bool { mode == .sounding }
    /// `true` if the next frame, and those behind it, are silent.
    var isSilent: Bool { mode == .silent }
    var isFadingOut: Bool { mode == .fadingOut }
    /// `true` if only `resume` brings the sound back.
    var isPaused: Bool { mode != .sounding && !isHushed }
    var isSteady: Bool { ramp.isSteady }

    // MARK: Frames

    /// Returns the number of frames, at most `frames`, for which the gain is steady or one ramp lasts.
    func run(_ frames: Int) -> Int {
        ramp.isSteady ? frames : min(frames, ramp.left)
    }

    /// Copies frames with the gain that they have.
    mutating func copy(_ content: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, frames: Int) {
        let channels = format.channels
        guard ramp.isSteady else {
            for frame in 0..<frames {
                let factor = ramp.value
                for index in frame * channels..<(frame + 1) * channels { target[index] = content[index] * factor }
                ramp.advance()
            }
            return
        }
        let factor = ramp.value
        if factor == 1 {
            target.update(from: content, count: frames * channels)
        } else {
            for index in 0..<frames * channels { target[index] = content[index] * factor }
        }
    }

    // MARK: Changes

    /// Ends a ramp early, because the stream is written again from where it is.
    mutating func finishRamp() {
        ramp.finish()
    }

    /// Keeps a transition from being cut into before a frame of the stream.
    mutating func protect(before frame: Int64) {
        transitionEnd = max(transitionEnd, frame)
    }

    /// Fades to the volume, from silence or from the gain of the next frame, number `frame`.
    mutating func fade(fromSilence: Bool, milliseconds: Double, at frame: Int64) {
        let length = format.frames(milliseconds: milliseconds)
        ramp = GainRamp(from: fromSilence ? 0 : ramp.value, to: volume, length: length)
        protect(before: frame + Int64(length))
    }

    /// Fades in, unless something else is under way.
    mutating func soften(at frame: Int64) {
        guard mode == .sounding, ramp.isSteady else { return }
        fade(fromSilence: true, milliseconds: 1.5, at: frame)
    }

    mutating func setVolume(_ volume: Double) {
        self.volume = Self.amplitude(volume)
    }

    /// Returns `true` if a volume is within a tenth of full amplitude of the current one.
    func isNear(_ volume: Double) -> Bool {
        abs(Self.amplitude(volume) - self.volume) <= 0.1
    }

    /// Fades out from the next frame on, number `frame`.
    mutating func fadeOut(at frame: Int64) {
        mode = .fadingOut
        let length = format.frames(milliseconds: 4)
        ramp = GainRamp(from: ramp.value, to: 0, length: length)
        transitionEnd = frame + Int64(length)
    }

    /// Makes a silence last only until the awaited generation arrives.
    mutating func hush() {
        isHushed = true
    }

    /// Makes a silence last until `resume`.
    mutating func unhush() {
        isHushed = false
    }

    mutating func becomeSilent() {
        ramp = GainRamp(steady: 0)
        mode = .silent
    }

    /// Fades in from the next frame on, number `frame`, also where a fade-out is under way.
    mutating func resume(at frame: Int64) {
        fade(fromSilence: mode == .silent, milliseconds: 2, at: frame)
        mode = .sounding
    }

    /// Begins to sound if the stream was silent only until the awaited generation arrived.
    mutating func arrive() {
        if isHushed { mode = .sounding }
        isHushed = false
    }
}

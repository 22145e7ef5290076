// SPDX-License-Identifier: Apache-2.0

/// The renderer that turns an engine's sound into the frames of one stream: tempo, volume and short fades.
///
/// Every output uses it, on its one thread. After `init` nothing here allocates, locks or logs. The stream is counted
/// in frames from 0. There are three counts: *stream* frames go to the device, *content* frames are the same without
/// the silence of pauses, and *source* frames are the engine's, before the tempo stage.
///
/// What was rendered and not heard can be rewritten from any frame on (`StreamRenderer+Revision.swift`); therefore
/// source frames are released only when they were heard.
public final class StreamRenderer {
    /// The reason why `render` stopped.
    public enum Condition: Sendable, Hashable {
        /// All requested frames were rendered.
        case complete
        /// The stream is paused, and silence was written.
        case silent
        /// The source has no sound yet.
        case starved
        /// As much as allowed is ahead of what is heard.
        case held
        /// The next sound has another format and needs another stream.
        case formatChange(AudioFormat)
        /// There is nothing more of this generation.
        case ended
    }

    public struct Rendered: Sendable {
        public var frames: Int
        public var condition: Condition
    }

    enum Mode { case sounding, fadingOut, silent }

    public let format: AudioFormat
    public let source: any PCMSource
    let ring: ContentRing
    let stream = StreamMap()
    let sources = SourceMap()
    /// The tempo stage, created when a rate first needs it.
    var tempo: (any TempoStage)?
    let softens: Bool
    /// The mono and balance settings.
    var mix: ChannelMix
    /// The preparation of loudness and silences; `nil` to pass on the source's samples as they are.
    var preparation: SoundPreparation?
    var sound: SoundOptions
    /// The beginnings of the chapters, in order: no silence across them is left out.
    let boundaries: [HeardPosition]
    /// The track that was read last, which the next block may continue.
    var lastTrack: Int?
    var isBoundaryDue = false
    /// `true` if the preparation has all of the content.
    var isInputOver = false

    /// The generation of the seek whose sound is wanted.
    public internal(set) var generation: UInt32
    public internal(set) var rate: Double
    /// The number of the frame behind the last one rendered.
    public internal(set) var written: Int64 = 0
    /// The frame of the stream at which the current generation begins; `nil` if it was not rendered yet.
    public internal(set) var generationStart: Int64?
    /// `true` if the current generation's sound has not arrived yet; older sound may continue.
    public internal(set) var isCrossing = false

    var mode = Mode.sounding
    /// `true` if the stream is silent until the awaited generation arrives, not until `resume`.
    var isHushed = false
    var volume: Float
    var gain: GainRamp
    /// The next content frame that goes to the stream.
    var cursor: Int64 = 0
    /// The first content frame of the current generation.
    var generationContent: Int64? = nil
    /// The frame of the stream before which a transition is under way that must not be cut into.
    var transitionEnd: Int64 = 0
    var hasEnded = false
    var tempoIsFinished = false
    var nextFormat: AudioFormat?
    /// `true` if the next block begins a piece of the map to the source.
    var isPieceDue = true
    /// The content frame before which everything was heard.
    var heardContent: Int64 = 0

    /// The fade-out of replaced sound, at its final loudness.
    let tail: UnsafeMutablePointer<Float>
    let tailCapacity: Int
    var tailCount = 0
    var tailPosition = 0
    var scratch: UnsafeMutablePointer<Float>?

    /// The position where the user wants the stream to end; a generation that begins behind it clears it.
    var until: HeardPosition?
    /// `true` if the end that was reached is the limit, not the end of the content.
    public internal(set) var isAtLimit = false

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - aheadFrames: The number of frames that may be rendered ahead of what is heard.
    ///   - softens: `true` to fade in sound that begins. A render to a file leaves every sample as it is.
    ///   - boundaries: The beginnings of the chapters, in order; their generation does not matter.
    public init(
        source: any PCMSource, format: AudioFormat, generation: UInt32,
        settings: StreamSettings = StreamSettings(), aheadFrames: Int, softens: Bool = true, isPaused: Bool = false,
        boundaries: [HeardPosition] = []
    ) {
        self.source = source
        self.format = format
        self.generation = generation
        self.softens = softens
        until = settings.limit
        sound = settings.sound
        self.boundaries = boundaries
        mix = ChannelMix(sound, channels: format.channels)
        preparation = SoundPreparation(sound, format: format)
        ring = ContentRing(frames: max(aheadFrames, format.frames(milliseconds: 50)), channels: format.channels)
        let amplitude = Self.amplitude(settings.volume)
        volume = amplitude
        gain = GainRamp(steady: isPaused ? 0 : amplitude)
        mode = isPaused ? .silent : .sounding
        tailCapacity = format.frames(milliseconds: 5)
        tail = .allocate(capacity: tailCapacity * format.channels)
        rate = 1
        source.discard(before: generation)
        if restartTempo(rate: settings.rate) { rate = settings.rate }
    }

    deinit {
        tail.deallocate()
        scratch?.deallocate()
    }

    /// Returns the amplitude of the user's volume, which is even in loudness: its cube, as sound servers do it.
    static func amplitude(_ volume: Double) -> Float {
        let bounded = volume.isFinite ? min(max(volume, 0), 1) : 1
        return Float(bounded * bounded * bounded)
    }

    /// Renders the next `frames` frames of the stream, or as many as there are.
    public func render(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Rendered {
        var done = 0
        while done < frames {
            let target = samples + done * format.channels
            if mode == .silent {
                target.update(repeating: 0, count: (frames - done) * format.channels)
                stream.silence(at: written, content: cursor)
                written += Int64(frames - done)
                return Rendered(frames: frames, condition: .silent)
            }
            if cursor == ring.end {
                let condition = produce(frames - done)
                if cursor == ring.end {
                    if mode == .fadingOut {
                        becomeSilent()
                        continue
                    }
                    return Rendered(frames: done, condition: condition)
                }
            }
            let (content, available) = ring.frames(from: cursor)
            done += emit(content, min(available, frames - done), into: target)
        }
        return Rendered(frames: done, condition: mode == .silent ? .silent : .complete)
    }

    /// Records that the stream was heard up to this frame, so that the engine may reuse the space.
    public func heard(upTo frame: Int64) {
        guard let content = stream.content(at: min(frame, written)), content > heardContent else { return }
        heardContent = content
        guard let heard = sources.source(at: content) else { return }
        stream.forget(before: frame)
        // A new rate begins a moment before the frame that it is requested for.
        let kept = heard - Int64(format.frames(milliseconds: 20))
        sources.forget(beforeContent: content, source: kept)
        source.release(before: kept)
    }

    /// Returns the content position at a frame of the stream; `nil` before the first sound.
    public func place(at frame: Int64) -> HeardPosition? {
        guard let content = stream.content(at: min(frame, written)), let frame = sources.source(at: content) else {
            return nil
        }
        if hasEnded, content == ring.end, rate == 1 || tempoIsFinished { return sources.end }
        return sources.place(at: frame)
    }

    /// Copies content to the stream with the gain that applies, and returns the number of frames taken.
    private func emit(_ content: UnsafePointer<Float>, _ limit: Int, into target: UnsafeMutablePointer<Float>) -> Int {
        var frames = limit
        if !gain.isSteady { frames = min(frames, gain.left) }
        if tailPosition < tailCount { frames = min(frames, tailCount - tailPosition) }
        let channels = format.channels
        stream.sound(at: written, content: cursor)
        if let first = generationContent, generationStart == nil, first >= cursor, first < cursor + Int64(frames) {
            generationStart = written + (first - cursor)
        }
        if gain.isSteady {
            let factor = gain.value
            if factor == 1 {
                target.update(from: content, count: frames * channels)
            } else {
                for index in 0..<frames * channels { target[index] = content[index] * factor }
            }
        } else {
            for frame in 0..<frames {
                let factor = gain.value
                for index in frame * channels..<(frame + 1) * channels { target[index] = content[index] * factor }
                gain.advance()
            }
        }
        mix.apply(to: target, frames: frames)
        if tailPosition < tailCount {
            let old = tail + tailPosition * channels
            for index in 0..<frames * channels { target[index] += old[index] }
            tailPosition += frames
        }
        cursor += Int64(frames)
        written += Int64(frames)
        if mode == .fadingOut, gain.isSteady { becomeSilent() }
        return frames
    }

    private func becomeSilent() {
        gain = GainRamp(steady: 0)
        mode = .silent
        stream.silence(at: written, content: cursor)
    }
}

extension AudioFormat {
    /// Returns the number of frames in a duration; at least one.
    public func frames(milliseconds: Double) -> Int {
        max(1, Int((Double(sampleRate) * milliseconds / 1000).rounded()))
    }
}

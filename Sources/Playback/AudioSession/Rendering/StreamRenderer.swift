// SPDX-License-Identifier: Apache-2.0

/// The renderer that turns an engine's sound into the frames of one stream: tempo, volume and short fades.
///
/// Every output uses it, on its one thread. After `init` nothing here allocates, locks or logs, except for changes of
/// settings that need memory. The stream is counted in frames from 0. There are three counts: *stream* frames go to the
/// device, *content* frames are the same without the silence of pauses, and *source* frames are the engine's, before
/// the tempo stage. `ContentRenderer` makes content of the source; this type makes the stream of it.
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
        /// The stream is as far ahead of what is heard as allowed.
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

    public let format: AudioFormat
    let content: ContentRenderer
    let stream = StreamMap()
    let softens: Bool
    var sound: SoundOptions
    /// The mono and balance settings.
    var mix: ChannelMix
    var gain: StreamGain
    var replaced: ReplacedSound
    /// The next content frame that goes to the stream.
    var cursor: Int64 = 0
    /// The number of the frame behind the last one rendered.
    public internal(set) var written: Int64 = 0
    /// The frame of the stream at which the current generation begins; `nil` if it was not rendered yet.
    public internal(set) var generationStart: Int64?

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
        self.format = format
        self.softens = softens
        content = ContentRenderer(
            source, format: format, generation: generation, settings: settings, aheadFrames: aheadFrames,
            boundaries: boundaries)
        sound = settings.sound
        mix = ChannelMix(settings.sound, channels: format.channels)
        gain = StreamGain(volume: settings.volume, format: format, isPaused: isPaused)
        replaced = ReplacedSound(format: format)
    }

    public var source: any PCMSource { content.source }
    /// The generation of the seek whose sound is wanted.
    public var generation: UInt32 { content.generation }
    public var rate: Double { content.rate }
    /// `true` if the current generation's sound has not arrived yet; older sound may continue.
    public var isCrossing: Bool { content.isAwaited }
    /// `true` if the end that was reached is the limit, not the end of the content.
    public var isAtLimit: Bool { content.isAtLimit }
    public var isPaused: Bool { gain.isPaused }
    /// The frame from which a paused stream is silent.
    public var silentFrom: Int64 { gain.transitionEnd }

    /// Renders the next `frames` frames of the stream, or as many as there are.
    public func render(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Rendered {
        var done = 0
        while done < frames {
            let target = samples + done * format.channels
            if gain.isSilent {
                renderGap(into: target, frames: frames - done)
                return Rendered(frames: frames, condition: .silent)
            }
            if cursor == content.ring.end {
                let condition = content.produce(frames - done)
                if content.beganGeneration, softens { gain.soften(at: written) }
                if cursor == content.ring.end {
                    if gain.isFadingOut {
                        becomeSilent()
                        continue
                    }
                    return Rendered(frames: done, condition: condition)
                }
            }
            let (frame, available) = content.ring.frames(from: cursor)
            done += emit(frame, min(available, frames - done), into: target)
        }
        return Rendered(frames: done, condition: gain.isSilent ? .silent : .complete)
    }

    /// Writes silence in front of the next sound, so that nothing stale is heard instead.
    public func renderGap(into samples: UnsafeMutablePointer<Float>, frames: Int) {
        samples.update(repeating: 0, count: frames * format.channels)
        stream.silence(at: written, content: cursor)
        written += Int64(frames)
    }

    /// Records that the stream was heard up to this frame, so that the engine may reuse the space.
    public func heard(upTo frame: Int64) {
        guard let heard = stream.content(at: min(frame, written)), content.hear(upTo: heard) else { return }
        stream.forget(before: frame)
    }

    /// Returns the content position at a frame of the stream; `nil` before the first sound.
    public func place(at frame: Int64) -> HeardPosition? {
        stream.content(at: min(frame, written)).flatMap(content.place)
    }

    /// Copies content to the stream with the gain that applies, and returns the number of frames taken.
    private func emit(_ samples: UnsafePointer<Float>, _ limit: Int, into target: UnsafeMutablePointer<Float>) -> Int {
        var frames = gain.run(limit)
        if replaced.left > 0 { frames = min(frames, replaced.left) }
        stream.sound(at: written, content: cursor)
        if let first = content.generationStart, generationStart == nil, first >= cursor, first < cursor + Int64(frames)
        {
            generationStart = written + (first - cursor)
        }
        gain.copy(samples, into: target, frames: frames)
        mix.apply(to: target, frames: frames)
        if replaced.left > 0 { replaced.add(to: target, frames: frames) }
        cursor += Int64(frames)
        written += Int64(frames)
        if gain.isFadingOut, gain.isSteady { becomeSilent() }
        return frames
    }

    private func becomeSilent() {
        gain.becomeSilent()
        stream.silence(at: written, content: cursor)
    }
}

extension AudioFormat {
    /// Returns the number of frames in a duration; at least one.
    public func frames(milliseconds: Double) -> Int {
        max(1, Int((Double(sampleRate) * milliseconds / 1000).rounded()))
    }
}

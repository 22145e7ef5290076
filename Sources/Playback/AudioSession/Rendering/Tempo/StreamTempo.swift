// SPDX-License-Identifier: Apache-2.0

/// The speed of a stream: at rate 1 its sound passes as it is, at others through a tempo stage.
struct StreamTempo {
    private let format: AudioFormat
    private(set) var rate = 1.0
    /// The stage, created when a rate first needs it.
    private var stage: (any TempoStage)?
    /// The room for what the stage takes.
    private var input: SampleBuffer?
    /// `true` if everything was put in; what is inside comes out.
    private(set) var isFinished = false

    init(format: AudioFormat) {
        self.format = format
    }

    /// The shift of the stage; see ``TempoStage/shift``.
    var shift: Double { rate == 1 ? 0 : stage?.shift ?? 0 }

    /// `true` if nothing that was put in is left inside.
    var isEmptied: Bool { rate == 1 || isFinished }

    func supports(_ rate: Double) -> Bool {
        rate == 1 || (format.sampleRate <= 192_000 && (0.25...4).contains(rate))
    }

    /// Restarts at a rate; returns `false`, and keeps the old rate, if the stage does not support it.
    ///
    /// It allocates for the first rate other than 1, and is not called within `render`.
    mutating func restart(at rate: Double) -> Bool {
        if rate != 1 {
            if stage == nil, let made = SoundTouchStage(format: format) {
                stage = made
                input = SampleBuffer(frames: made.blockFrames, channels: format.channels)
            }
            guard stage?.restart(rate: rate) == true else { return false }
        }
        self.rate = rate
        return true
    }

    /// Restarts a stage that failed; it has lost what was inside.
    func recover() -> Bool {
        stage?.restart(rate: rate) ?? false
    }

    /// Allows more to be put in after `finish`.
    mutating func reopen() {
        isFinished = false
    }

    /// Ends the input.
    mutating func finish() {
        stage?.finish()
        isFinished = true
    }

    /// Returns the number of frames that came out.
    func take(_ target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        stage?.take(target, frames: frames) ?? 0
    }

    /// Puts frames of a block in, and returns how many; 0 or less for a block with frames means that the stage failed.
    func put(_ block: PCMBlock) -> Int {
        guard let stage, let input else { return 0 }
        let offered = min(block.frames, stage.blockFrames)
        guard offered != 0 else { return 0 }
        SampleBounds.copy(block.samples, into: input.samples, count: offered * format.channels)
        return stage.put(input.samples, frames: offered)
    }
}

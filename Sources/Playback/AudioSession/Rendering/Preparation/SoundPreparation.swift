// SPDX-License-Identifier: Apache-2.0

/// The stage before the tempo stage, which shortens silences and evens out loudness.
///
/// It runs on the output's thread. It reads ahead (by the shortest silence that is shortened, or 400 ms) into a buffer
/// of its own, allocated once. Frames keep their numbers of the source: what is left out is a jump between two of them.
final class SoundPreparation {
    enum Ready {
        /// One piece, valid until the next call, and the number of its first frame.
        case frames(UnsafePointer<Float>, Int, at: Int64)
        /// More must be `put` before more is decided.
        case awaitsInput
        /// Everything before `finish` was taken: a piece without frames, and the number of the frame behind it.
        case done(UnsafePointer<Float>, at: Int64)
    }

    /// A jump over the frames from `from` up to `to`, which are not heard.
    struct Jump {
        var from: Int64
        var to: Int64
    }

    /// The look-ahead of the loudness, in cells: 400 ms.
    private static let look = 40
    /// The number of bytes that may be read ahead: a quarter of an engine's ring, because what is read ahead still lies
    /// there.
    private static let aheadBytes = 512 << 10

    private let channels: Int
    /// The rule for silences; `nil` to keep them.
    private let silence: SilenceRule?
    /// The gains; `nil` to keep the loudness.
    private var leveling: CellLeveling?
    private var window: SourceWindow
    private var analysis: CellAnalysis
    private var skipped: SkippedSound
    private let output: SampleBuffer
    /// The number of the cell of the frame `next`.
    private var number = 0
    private var isFinished = false
    /// The next frame of the source to hand out.
    private(set) var next: Int64 = 0
    /// `true` if nothing was put since it began.
    private(set) var isFresh = true

    /// Creates a preparation; `nil` if the options request nothing here, or nothing that is possible in this format.
    init?(_ options: SoundOptions, format: AudioFormat) {
        channels = format.channels
        let cellFrames = format.frames(milliseconds: 10)
        let most = Self.aheadBytes / (MemoryLayout<Float>.size * channels) / cellFrames - 2
        silence = options.silence.flatMap { SilenceRule(limit: min(Int(($0 * 100).rounded()), most)) }
        let meter = options.loudness == nil ? nil : LoudnessMeter(format: format)
        guard silence != nil || meter != nil else { return nil }
        let look = meter == nil ? 0 : min(Self.look, most)
        if meter != nil { leveling = options.loudness.map { CellLeveling(Leveler(target: $0), look: look) } }
        let ahead = max(silence?.limit ?? 0, look) + 8
        window = SourceWindow(frames: ahead * cellFrames, channels: channels)
        analysis = CellAnalysis(channels: channels, cellFrames: cellFrames, meter: meter)
        skipped = SkippedSound(frames: cellFrames, channels: channels)
        output = SampleBuffer(frames: cellFrames, channels: channels)
    }

    // MARK: Input

    /// Continues at another frame of the source; earlier decisions about it stand.
    func restart(at index: Int64) {
        window.restart(at: index)
        next = index
        isFinished = false
        isFresh = true
        skipped.restart()
        number = analysis.restart(at: index)
    }

    /// The number of frames that `put` takes now.
    var room: Int { window.room(from: next) }

    /// Takes the next frames of the source; at most `room`.
    func put(_ samples: UnsafePointer<Float>, frames: Int) {
        isFresh = false
        window.append(samples, frames: frames)
        analysis.advance(into: window, isWhole: isFinished)
    }

    /// Marks a boundary, where a chapter or file begins: no silence across it is left out.
    func markBoundary() {
        if silence != nil { analysis.markBoundary(at: window.end) }
    }

    /// Ends the input.
    func finish() {
        isFinished = true
        analysis.advance(into: window, isWhole: true)
    }

    // MARK: Output

    /// Returns the next piece, or the reason why there is none.
    func ready() -> Ready {
        let cells = analysis.cells
        while true {
            guard cells.holds(number) else { return rest }
            let cell = cells[number]
            if next >= cell.end {
                number += 1
                continue
            }
            // `true` if no more can come before something is taken.
            let isOver = isFinished || room == 0
            guard leveling?.level(cells, upTo: number, isOver: isOver) ?? true else { return .awaitsInput }
            switch silence?.decision(number, cells, isOver: isOver) ?? .play {
            case .wait: return .awaitsInput
            case .leaveOut:
                guard window.end >= cell.end else {
                    if isFinished { next = window.end }
                    return rest
                }
                leaveOut(cells[number])
            case .play:
                let frames = Int(min(cell.end, window.end) - next)
                guard frames > 0 else { return rest }
                return .frames(UnsafePointer(output.samples), render(cells[number], frames), at: next)
            }
        }
    }

    private var rest: Ready { isFinished ? .done(UnsafePointer(output.samples), at: next) : .awaitsInput }

    /// The jump in front of the next piece, if there is one.
    var jump: Jump? { skipped.start.map { Jump(from: $0, to: next) } }

    /// Forgets the jump: the next piece begins by itself and continues nothing.
    func forgetJump() {
        skipped.forgetStart()
    }

    /// Takes frames of the piece that was ready.
    func consume(_ frames: Int) {
        guard frames > 0 else { return }
        next += Int64(frames)
        skipped.advance(by: frames)
    }

    private func leaveOut(_ cell: SoundCell) {
        if skipped.start == nil {
            skipped.begin(at: next) { copy(cell, Int(cell.end - next), into: $0) }
        }
        next = cell.end
    }

    private func render(_ cell: SoundCell, _ frames: Int) -> Int {
        let count = copy(cell, frames, into: output.samples)
        skipped.fade(into: output.samples, frames: count)
        return count
    }

    /// Copies frames from `next` on with their gain, as far as they lie in one piece.
    private func copy(_ cell: SoundCell, _ frames: Int, into target: UnsafeMutablePointer<Float>) -> Int {
        let (samples, run) = window.frames(from: next)
        let count = min(frames, run)
        guard leveling != nil else {
            target.update(from: samples, count: count * channels)
            return count
        }
        for frame in 0..<count {
            let gain = cell.gain(at: next + Int64(frame))
            for index in frame * channels..<(frame + 1) * channels { target[index] = samples[index] * gain }
        }
        return count
    }
}

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
        /// Everything before `finish` was taken.
        case done
    }

    /// A jump over the frames from `from` up to `to`, which are not heard.
    struct Jump {
        var from: Int64
        var to: Int64
    }

    /// The threshold of −50 dB of full scale; a cell without a sample above it is silent.
    private static let threshold = Float(0.00316)
    /// The number of cells that stay of a shortened silence behind the sound before it, and again in front of the sound
    /// after it.
    private static let rest = 12
    /// The look-ahead of the loudness, in cells: 400 ms.
    private static let look = 40
    /// The number of bytes that may be read ahead: a quarter of an engine's ring, because what is read ahead still lies
    /// there.
    private static let aheadBytes = 512 << 10

    private let channels: Int
    private let cellFrames: Int
    /// The longest silence in cells; `nil` to keep silences.
    private let limit: Int?
    private let look: Int
    private let meter: LoudnessMeter?
    private var leveler: Leveler?

    private let input: ContentRing
    /// The source's frame that is frame 0 of `input`.
    private var base: Int64 = 0
    private let cells = SoundCells(capacity: 4096)
    private let breaks = FixedTable<Int64>(capacity: 64)
    /// The next cell without a gain.
    private var levelled = 0
    /// The frame before which everything was divided into cells.
    private var analysed: Int64 = 0
    /// The number of the cell of the frame `next`.
    private var number = 0
    private var isFinished = false

    private let output: UnsafeMutablePointer<Float>
    /// The beginning of what is left out, to fade out below what follows it.
    private let tail: UnsafeMutablePointer<Float>
    private var tailCount = 0
    private var tailPosition = 0
    private var gap: Int64?

    /// The next frame of the source to hand out.
    private(set) var next: Int64 = 0
    /// `true` if nothing was put since it began.
    private(set) var isFresh = true

    /// Creates a preparation; `nil` if the options request nothing here, or nothing that is possible in this format.
    init?(_ options: SoundOptions, format: AudioFormat) {
        channels = format.channels
        cellFrames = format.frames(milliseconds: 10)
        let most = Self.aheadBytes / (MemoryLayout<Float>.size * channels) / cellFrames - 2
        let wanted = options.silence.map { min(Int(($0 * 100).rounded()), most) }
        limit = wanted.flatMap { $0 > 2 * Self.rest ? $0 : nil }
        let meter = options.loudness == nil ? nil : LoudnessMeter(format: format)
        guard limit != nil || meter != nil else { return nil }
        self.meter = meter
        leveler = meter == nil ? nil : options.loudness.map(Leveler.init)
        look = meter == nil ? 0 : min(Self.look, most)
        input = ContentRing(frames: (max(limit ?? 0, look) + 8) * cellFrames, channels: channels)
        output = .allocate(capacity: cellFrames * channels)
        tail = .allocate(capacity: cellFrames * channels)
    }

    deinit {
        output.deallocate()
        tail.deallocate()
    }

    // MARK: Input

    /// Continues at another frame of the source; earlier decisions about it stand.
    func restart(at index: Int64) {
        input.cut(at: 0)
        base = index
        next = index
        isFinished = false
        isFresh = true
        gap = nil
        tailCount = 0
        tailPosition = 0
        if let found = cells.number(of: index) {
            number = found
            return
        }
        number = cells.end
        if index == analysed { return }
        cells.forgetAll()
        breaks.removeAll()
        number = cells.end
        levelled = cells.end
        analysed = index
        meter?.skip()
    }

    private var inputEnd: Int64 { base + input.end }

    /// The number of frames that `put` takes now.
    var room: Int { input.capacity - Int(inputEnd - next) }

    /// Takes the next frames of the source; at most `room`.
    func put(_ samples: UnsafePointer<Float>, frames: Int) {
        isFresh = false
        var left = frames
        var samples = samples
        while left > 0 {
            let (target, run) = input.room()
            let part = min(left, run)
            SampleBounds.copy(samples, into: target, count: part * channels)
            input.commit(part)
            samples += part * channels
            left -= part
        }
        analyse()
    }

    /// Marks a boundary, where a chapter or file begins: no silence across it is left out.
    func markBoundary() {
        guard limit != nil, inputEnd >= analysed, (breaks.last ?? -1) < inputEnd else { return }
        breaks.append(inputEnd)
    }

    /// Ends the input.
    func finish() {
        isFinished = true
        analyse()
    }

    private func analyse() {
        while true {
            while breaks.count > 0, breaks[0] < analysed { breaks.removeFirst() }
            let isBoundary = breaks.count > 0 && breaks[0] == analysed
            let coming = isBoundary ? 1 : 0
            let left = inputEnd - analysed
            var frames = cellFrames
            if breaks.count > coming { frames = Int(min(Int64(frames), breaks[coming] - analysed)) }
            if left < Int64(frames) {
                guard isFinished, left > 0 else { return }
                frames = Int(left)
            }
            append(frames, isBoundary: isBoundary)
        }
    }

    private func append(_ frames: Int, isBoundary: Bool) {
        var cell = SoundCell(start: analysed, frames: frames, quiet: 0)
        var isQuiet = true
        var done = 0
        while done < frames {
            let (samples, run) = input.frames(from: analysed - base + Int64(done))
            let part = min(frames - done, run)
            for index in 0..<part * channels where abs(samples[index]) > Self.threshold { isQuiet = false }
            if let meter { cell.peak = max(cell.peak, meter.measure(samples, frames: part)) }
            done += part
        }
        cell.loudness = meter?.loudness ?? .nan
        if isQuiet {
            let before = isBoundary || !cells.holds(cells.end - 1) ? 0 : cells[cells.end - 1].quiet
            cell.quiet = before + 1
        }
        cells.append(cell)
        analysed += Int64(frames)
    }

    // MARK: Decisions

    private enum Decision { case play, leaveOut, wait }

    private func decision(_ number: Int) -> Decision {
        guard let limit, cells[number].quiet > Self.rest else { return .play }
        // The following cells of the same silence, as far as they are needed.
        var last = number
        while cells.holds(last + 1), cells[last + 1].quiet == cells[last].quiet + 1 {
            last += 1
            if cells[last].quiet > limit, last - number >= Self.rest { return .leaveOut }
        }
        let isWhole = cells.holds(last + 1) || isOver
        return isWhole ? .play : .wait
    }

    /// `true` if no more can come before something is taken.
    private var isOver: Bool { isFinished || room == 0 }

    /// Computes the gains up to a cell; returns `false` while the sound after the cell, which a gain needs, is missing.
    private func level(upTo number: Int) -> Bool {
        guard leveler != nil else { return true }
        levelled = max(levelled, cells.first)
        while levelled <= number {
            let ahead = levelled + look
            guard isOver || cells.holds(ahead) else { return false }
            let peaks = (cells[levelled].peak, peak(of: levelled + 1), peak(of: levelled + 2))
            let loudness = cells[min(ahead, cells.end - 1)].loudness
            if let (from, to) = leveler?.gain(loudness: loudness, peaks: peaks) {
                cells[levelled].from = from
                cells[levelled].to = to
            }
            levelled += 1
        }
        return true
    }

    private func peak(of number: Int) -> Float { cells.holds(number) ? cells[number].peak : 0 }

    // MARK: Output

    /// Returns the next piece, or the reason why there is none.
    func ready() -> Ready {
        while true {
            guard cells.holds(number) else { return isFinished ? .done : .awaitsInput }
            let cell = cells[number]
            if next >= cell.end {
                number += 1
                continue
            }
            guard level(upTo: number) else { return .awaitsInput }
            switch decision(number) {
            case .wait: return .awaitsInput
            case .leaveOut:
                guard inputEnd >= cell.end else {
                    if isFinished { next = inputEnd }
                    return isFinished ? .done : .awaitsInput
                }
                leaveOut(cells[number])
            case .play:
                let frames = Int(min(cell.end, inputEnd) - next)
                guard frames > 0 else { return isFinished ? .done : .awaitsInput }
                return .frames(UnsafePointer(output), render(cells[number], frames), at: next)
            }
        }
    }

    /// The jump in front of the next piece, if there is one.
    var jump: Jump? { gap.map { Jump(from: $0, to: next) } }

    /// Forgets the jump: the next piece begins by itself and continues nothing.
    func forgetJump() {
        gap = nil
    }

    /// Takes frames of the piece that was ready.
    func consume(_ frames: Int) {
        guard frames > 0 else { return }
        next += Int64(frames)
        gap = nil
        tailPosition = min(tailCount, tailPosition + frames)
    }

    private func leaveOut(_ cell: SoundCell) {
        if gap == nil {
            gap = next
            tailPosition = 0
            tailCount = copy(cell, Int(cell.end - next), into: tail)
        }
        next = cell.end
    }

    private func render(_ cell: SoundCell, _ frames: Int) -> Int {
        let count = copy(cell, frames, into: output)
        for frame in 0..<min(count, tailCount - tailPosition) {
            let part = (Float(tailPosition + frame) + 0.5) / Float(tailCount)
            for channel in 0..<channels {
                let index = frame * channels + channel
                let old = tail[tailPosition * channels + index]
                output[index] = old + (output[index] - old) * part
            }
        }
        return count
    }

    /// Copies frames from `next` on with their gain, as far as they lie in one piece.
    private func copy(_ cell: SoundCell, _ frames: Int, into target: UnsafeMutablePointer<Float>) -> Int {
        let (samples, run) = input.frames(from: next - base)
        let count = min(frames, run)
        guard leveler != nil else {
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

// SPDX-License-Identifier: Apache-2.0

/// The loudness of a stretch of audio in samples of 16 bits.
public struct WaveformPeak: Hashable, Sendable {
    public var min: Int16
    public var max: Int16
    /// The root of the mean of the squares.
    public var rms: UInt16

    public init(min: Int16, max: Int16, rms: UInt16) {
        self.min = min
        self.max = max
        self.rms = rms
    }
}

/// The peaks of a recording, each over the same number of frames, as far as they are made.
///
/// Peak n covers the frames from n times `framesPerPeak` on. Peaks arrive in pieces and in any order.
struct WaveformLevel: Hashable, Sendable {
    private struct Piece: Hashable {
        var first: Int
        var peaks: ArraySlice<WaveformPeak>

        var end: Int { first + peaks.count }
    }

    let framesPerPeak: Int
    /// Pieces in order that do not overlap.
    ///
    /// They are not joined: that would copy a whole book for each new piece.
    private var pieces: [Piece] = []

    init(framesPerPeak: Int) { self.framesPerPeak = framesPerPeak }

    /// Adds peaks from a number on, in place of those that are there.
    mutating func add(_ peaks: [WaveformPeak], from first: Int) {
        let piece = Piece(first: first, peaks: peaks[...])
        let before = firstPiece(endingBehind: first)
        var after = before
        var parts: [Piece] = []
        while after < pieces.count, pieces[after].first < piece.end {
            let old = pieces[after]
            if old.first < first { parts.append(Piece(first: old.first, peaks: old.peaks.prefix(first - old.first))) }
            if old.end > piece.end {
                parts.append(Piece(first: piece.end, peaks: old.peaks.suffix(old.end - piece.end)))
            }
            after += 1
        }
        parts.insert(piece, at: parts.first.map { $0.first < first ? 1 : 0 } ?? 0)
        pieces.replaceSubrange(before..<after, with: parts)
    }

    private func firstPiece(endingBehind index: Int) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].end <= index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns one peak over a range of frames; `nil` if a peak of it is not made yet.
    ///
    /// The least and the greatest sample are those of all peaks that reach into the range. The squares count by the
    /// frames that a peak has in it.
    func peak(over frames: Range<Double>) -> WaveformPeak? {
        let width = Double(framesPerPeak)
        let (first, last) = (Int(frames.lowerBound / width), Int((frames.upperBound / width).rounded(.up)))
        guard first < last else { return nil }
        var (least, greatest) = (Int16.max, Int16.min)
        var (squares, weights) = (0.0, 0.0)
        var next = first
        var index = firstPiece(endingBehind: first)
        while next < last {
            guard index < pieces.count, pieces[index].first <= next else { return nil }
            let piece = pieces[index]
            let offset = piece.peaks.startIndex - piece.first
            let end = Swift.min(last, piece.end)
            for peak in piece.peaks[(next + offset)..<(end + offset)] {
                least = Swift.min(least, peak.min)
                greatest = Swift.max(greatest, peak.max)
                let start = Double(next) * width
                let weight =
                    Swift.min(frames.upperBound, start + width) - Swift.max(frames.lowerBound, start)
                let rms = Double(peak.rms)
                squares += rms * rms * weight
                weights += weight
                next += 1
            }
            index += 1
        }
        let rms = weights > 0 ? (squares / weights).squareRoot() : 0
        return WaveformPeak(min: least, max: greatest, rms: UInt16(rms.rounded().clamped(to: 0...65_535)))
    }
}

/// The peaks of a recording at several resolutions.
public struct Waveform: Hashable, Sendable {
    /// The sample rate of the recording, within ``TimelineGeometry/unitRates``.
    public let framesPerSecond: Double
    /// The resolutions, the finest first.
    private(set) var levels: [WaveformLevel] = []

    /// The number of peaks that a resolution can have: ten times that of a thousand hours at 512 frames of 48 kHz.
    public static let mostPeaks = 1 << 32
    /// The possible frames a peak.
    public static let resolutions = 1...(1 << 30)

    public init(framesPerSecond: Double) {
        self.framesPerSecond =
            TimelineGeometry.unitRates.contains(framesPerSecond) ? framesPerSecond : 1000
    }

    /// Adds peaks of a resolution from a number on; those that no recording can have are left out.
    public mutating func add(_ peaks: [WaveformPeak], from first: Int, framesPerPeak: Int) {
        guard Self.resolutions.contains(framesPerPeak), !peaks.isEmpty, first >= 0,
            first <= Self.mostPeaks - peaks.count
        else { return }
        let index = levels.firstIndex { $0.framesPerPeak >= framesPerPeak } ?? levels.count
        if index == levels.count || levels[index].framesPerPeak != framesPerPeak {
            levels.insert(WaveformLevel(framesPerPeak: framesPerPeak), at: index)
        }
        levels[index].add(peaks, from: first)
    }

    /// Returns one peak over a range of frames; `nil` if not all of it is made yet, or if it is empty.
    ///
    /// It is made of the coarsest resolution that is still finer than the range, or of a finer one where that is not
    /// made. If even the finest is coarser than the range, it is made of that.
    public func peak(over frames: Range<Double>) -> WaveformPeak? {
        let from = max(0, frames.lowerBound)
        guard from < frames.upperBound, let finest = levels.first,
            frames.upperBound / Double(finest.framesPerPeak) <= Double(Self.mostPeaks)
        else { return nil }
        let length = frames.upperBound - frames.lowerBound
        let finer = levels.prefix { Double($0.framesPerPeak) <= length }
        for level in (finer.isEmpty ? levels.prefix(1) : finer).reversed() {
            if let peak = level.peak(over: from..<frames.upperBound) { return peak }
        }
        return nil
    }
}

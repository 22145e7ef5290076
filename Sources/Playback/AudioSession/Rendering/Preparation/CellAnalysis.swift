// SPDX-License-Identifier: Apache-2.0

/// The division of the source into cells, and what is measured of each.
///
/// No cell crosses a boundary, and no silence is counted across one.
struct CellAnalysis {
    /// The threshold of −50 dB of full scale; a cell without a sample above it is silent.
    private static let threshold = Float(0.00316)

    let cells = SoundCells(capacity: 4096)
    private let channels: Int
    private let cellFrames: Int
    /// The meter of loudness; `nil` if nobody asks for it.
    private let meter: LoudnessMeter?
    private let boundaries = FixedTable<Int64>(capacity: 64)
    /// The frame before which everything was divided.
    private var end: Int64 = 0

    init(channels: Int, cellFrames: Int, meter: LoudnessMeter?) {
        self.channels = channels
        self.cellFrames = cellFrames
        self.meter = meter
    }

    /// Continues at another frame of the source, and returns the number of its cell.
    ///
    /// Cells that it lies among stay as they are.
    mutating func restart(at index: Int64) -> Int {
        if let found = cells.number(of: index) { return found }
        if index != end {
            cells.forgetAll()
            boundaries.removeAll()
            end = index
            meter?.skip()
        }
        return cells.end
    }

    /// Marks a boundary in front of a frame that was not divided.
    func markBoundary(at index: Int64) {
        guard index >= end, (boundaries.last ?? -1) < index else { return }
        boundaries.append(index)
    }

    /// Divides what was read; `isWhole` if nothing follows it.
    mutating func advance(into window: SourceWindow, isWhole: Bool) {
        while true {
            while boundaries.count > 0, boundaries[0] < end { boundaries.removeFirst() }
            let isBoundary = boundaries.count > 0 && boundaries[0] == end
            let coming = isBoundary ? 1 : 0
            let left = window.end - end
            var frames = cellFrames
            if boundaries.count > coming { frames = Int(min(Int64(frames), boundaries[coming] - end)) }
            if left < Int64(frames) {
                guard isWhole, left > 0 else { return }
                frames = Int(left)
            }
            append(frames, of: window, isBoundary: isBoundary)
        }
    }

    private mutating func append(_ frames: Int, of window: SourceWindow, isBoundary: Bool) {
        var cell = SoundCell(start: end, frames: frames, quiet: 0)
        var isQuiet = true
        var done = 0
        while done < frames {
            let (samples, run) = window.frames(from: end + Int64(done))
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
        end += Int64(frames)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The map from content frames to frames of the source and thus to positions.
final class SourceMap {
    /// A piece in which the content from `content` on comes from the source's frames from `source` on.
    struct Piece: BitwiseCopyable {
        var content: Int64
        /// The source frame, counted without what was left out.
        var source: Int64
        var rate: Double
        /// The shift of the tempo stage.
        var shift: Double
    }

    /// A run of frames over which units grow evenly.
    private struct Run: BitwiseCopyable {
        var index: Int64
        var frames: Int64
        var generation: UInt32
        var track: Int
        var position: Int64
        var positionEnd: Int64

        var end: Int64 { index + frames }

        func units(at frame: Int64) -> Int64 {
            guard frames > 0, frame < end else { return positionEnd }
            guard frame > index else { return position }
            let span = positionEnd - position
            let product = span.magnitude.multipliedFullWidth(by: UInt64(frame - index))
            let part = Int64(clamping: UInt64(frames).dividingFullWidth(product).quotient)
            return span < 0 ? position - part : position + part
        }
    }

    /// A cut behind which frames of the source are left out: frame `kept`, counted without them, is frame `source`.
    private struct Splice: BitwiseCopyable {
        var kept: Int64
        var source: Int64
    }

    private let pieces = FixedTable<Piece>(capacity: 256)
    private let splices = FixedTable<Splice>(capacity: 256)
    private let runs = FixedTable<Run>(capacity: 2048)

    var lastPiece: Piece? { pieces.last }

    /// Begins a piece: from its content frame on, another position or rate applies.
    ///
    /// Its `source` is the number of a frame of the source.
    func begin(_ piece: Piece) {
        cut(at: piece.content)
        while let last = splices.last, last.source > piece.source { splices.removeLast() }
        var piece = piece
        piece.source = kept(piece.source)
        pieces.append(piece)
    }

    /// Records that the source's frames from `first` up to `next` are not heard.
    func leaveOut(from first: Int64, to next: Int64) {
        splices.append(Splice(kept: kept(first), source: next))
    }

    private func kept(_ source: Int64) -> Int64 {
        var index = splices.count - 1
        while index >= 0 {
            let splice = splices[index]
            if splice.source <= source { return splice.kept + (source - splice.source) }
            index -= 1
        }
        return splices.count == 0 ? source : splices[0].kept - (splices[0].source - source)
    }

    private func source(kept: Int64) -> Int64 {
        var index = splices.count - 1
        while index >= 0 {
            let splice = splices[index]
            if splice.kept <= kept { return splice.source + (kept - splice.kept) }
            index -= 1
        }
        return kept
    }

    func cut(at content: Int64) {
        while let last = pieces.last, last.content >= content { pieces.removeLast() }
    }

    /// Records frames that were read.
    ///
    /// Neighbours of the same pace are merged into one run.
    func record(_ block: PCMBlock, frames: Int) {
        let whole = Int64(block.frames)
        let read = Int64(frames)
        // The clamp keeps foreign numbers in the range that a Double represents exactly.
        let bound: Int64 = 1 << 52
        let position = min(max(block.position, -bound), bound)
        let full = min(max(block.positionEnd, -bound), bound)
        let end =
            read == whole || whole == 0
            ? full : position + Int64(Double(full - position) * Double(read) / Double(whole))
        while let last = runs.last, last.index >= block.index { runs.removeLast() }
        if var last = runs.last {
            if last.end > block.index {
                last.positionEnd = last.units(at: block.index)
                last.frames = block.index - last.index
                runs[runs.count - 1] = last
            }
            let isContinued =
                last.end == block.index && last.generation == block.generation && last.track == block.track
                && last.positionEnd == position
            let pace = Double(last.positionEnd - last.position) * Double(read)
            if isContinued, pace == Double(end - position) * Double(last.frames) || runs.isFull {
                last.frames += read
                last.positionEnd = end
                runs[runs.count - 1] = last
                return
            }
        }
        runs.append(
            Run(
                index: block.index, frames: read, generation: block.generation, track: block.track, position: position,
                positionEnd: end))
    }

    /// Returns the source's frame at a content frame; `nil` before the first.
    func source(at content: Int64) -> Int64? {
        var index = pieces.count - 1
        while index >= 0 {
            let piece = pieces[index]
            if piece.content <= content {
                if piece.rate == 1 { return source(kept: piece.source + (content - piece.content)) }
                // The stage begins at the original speed and settles on its line.
                let count = Double(content - piece.content)
                let line = count * piece.rate + piece.shift
                let offset = piece.rate > 1 ? max(count, line) : min(count, line)
                return source(kept: piece.source + max(0, Int64(offset.rounded())))
            }
            index -= 1
        }
        return nil
    }

    /// Returns the position at a frame of the source.
    ///
    /// Intervals are half open: where two blocks meet, the position is the later one's.
    func place(at source: Int64) -> HeardPosition? {
        var index = runs.count - 1
        while index >= 0 {
            let run = runs[index]
            if run.index <= source {
                return HeardPosition(generation: run.generation, track: run.track, units: run.units(at: source))
            }
            index -= 1
        }
        return nil
    }

    /// The position behind everything that was read.
    var end: HeardPosition? {
        runs.last.map { HeardPosition(generation: $0.generation, track: $0.track, units: $0.positionEnd) }
    }

    func forget(beforeContent content: Int64, source: Int64) {
        while pieces.count > 1, pieces[1].content <= content { pieces.removeFirst() }
        while runs.count > 1, runs[1].index <= source { runs.removeFirst() }
        while splices.count > 1, splices[1].source <= source { splices.removeFirst() }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A cell of 10 ms of the source (less in front of a boundary), with what is decided about it.
///
/// Decisions depend on the sound alone, not on its division into blocks: sound that is rendered again comes out the
/// same.
struct SoundCell: BitwiseCopyable {
    /// The first frame, counted in frames of the source.
    var start: Int64
    var frames: Int
    /// The number of consecutive silent cells up to and including this one; 0 if there is sound in it.
    var quiet: Int
    /// The peak amplitude, also between the samples.
    var peak: Float = 0
    /// The loudness of the speech up to here, in LUFS; NaN stands for `nil` if not known yet.
    var loudness = Double.nan
    /// The gain at its first frame and behind its last.
    var from: Float = 1
    var to: Float = 1

    var end: Int64 { start + Int64(frames) }

    func gain(at frame: Int64) -> Float {
        from == to ? to : from + (to - from) * Float(frame - start) / Float(frames)
    }
}

/// The newest cells, with permanent numbers.
final class SoundCells {
    private let table: FixedTable<SoundCell>
    private(set) var first = 0

    init(capacity: Int) {
        table = FixedTable(capacity: capacity)
    }

    /// The number behind the last cell.
    var end: Int { first + table.count }

    subscript(number: Int) -> SoundCell {
        get { table[number - first] }
        set { table[number - first] = newValue }
    }

    func holds(_ number: Int) -> Bool { number >= first && number < end }

    func append(_ cell: SoundCell) {
        if table.isFull { first += 1 }
        table.append(cell)
    }

    func forgetAll() {
        first = end
        table.removeAll()
    }

    /// Returns the number of the cell that a frame lies in; `nil` if it is none of these.
    func number(of frame: Int64) -> Int? {
        var low = first
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if self[middle].end <= frame { low = middle + 1 } else { high = middle }
        }
        return holds(low) && self[low].start <= frame ? low : nil
    }
}

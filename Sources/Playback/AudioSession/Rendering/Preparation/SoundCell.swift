// SPDX-License-Identifier: Apache-2.0

/// 10 ms of the source (less in front of a boundary), and what is decided about it.
///
/// Decisions depend on the sound alone, not on how it came in blocks: what is rendered again comes out alike.
struct SoundCell: BitwiseCopyable {
    /// Frames of the source.
    var start: Int64
    var frames: Int
    /// How many cells of silence follow each other up to this one, with it; 0: there is sound in it.
    var quiet: Int
    /// Amplitude between the samples.
    var peak: Float = 0
    /// Of the speech up to here, in LUFS; nil as NaN: not known yet.
    var loudness = Double.nan
    /// Gain at its first frame and behind its last.
    var from: Float = 1
    var to: Float = 1

    var end: Int64 { start + Int64(frames) }

    func gain(at frame: Int64) -> Float {
        from == to ? to : from + (to - from) * Float(frame - start) / Float(frames)
    }
}

/// The newest cells, by a number that stays.
final class SoundCells {
    private let table: FixedTable<SoundCell>
    private(set) var first = 0

    init(capacity: Int) {
        table = FixedTable(capacity: capacity)
    }

    /// Behind the last one.
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

    /// The cell that a frame lies in; nil if it is none of these.
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

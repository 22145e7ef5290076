// SPDX-License-Identifier: Apache-2.0

/// The gains of the cells, which a leveler finds in order from the loudness ahead of each.
struct CellLeveling {
    private var leveler: Leveler
    /// The look-ahead in cells.
    private let look: Int
    /// The next cell without a gain.
    private var next = 0

    init(_ leveler: Leveler, look: Int) {
        self.leveler = leveler
        self.look = look
    }

    /// Finds the gains up to a cell; returns `false` while the sound after the cell, which a gain needs, is missing.
    ///
    /// - Parameter isOver: `true` if no more cells can come before something is taken.
    mutating func level(_ cells: SoundCells, upTo number: Int, isOver: Bool) -> Bool {
        next = max(next, cells.first)
        while next <= number {
            let ahead = next + look
            guard isOver || cells.holds(ahead) else { return false }
            let peaks = (cells[next].peak, peak(of: next + 1, cells), peak(of: next + 2, cells))
            let gain = leveler.gain(loudness: cells[min(ahead, cells.end - 1)].loudness, peaks: peaks)
            cells[next].from = gain.from
            cells[next].to = gain.to
            next += 1
        }
        return true
    }

    private func peak(of number: Int, _ cells: SoundCells) -> Float { cells.holds(number) ? cells[number].peak : 0 }
}

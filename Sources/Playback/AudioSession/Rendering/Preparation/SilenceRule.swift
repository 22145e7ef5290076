// SPDX-License-Identifier: Apache-2.0

/// The rule which cells of a long silence are left out.
struct SilenceRule {
    enum Decision { case play, leaveOut, wait }

    /// The number of cells that stay of a shortened silence behind the sound before it, and again in front of the sound
    /// after it.
    static let rest = 12

    /// The longest silence in cells.
    let limit: Int

    /// Creates a rule; `nil` if `limit` is so short that nothing would be left out.
    init?(limit: Int) {
        guard limit > 2 * Self.rest else { return nil }
        self.limit = limit
    }

    /// Decides about a cell.
    ///
    /// - Parameter isOver: `true` if no more cells can come before this one is taken.
    func decision(_ number: Int, _ cells: SoundCells, isOver: Bool) -> Decision {
        guard cells[number].quiet > Self.rest else { return .play }
        // The following cells of the same silence, as far as they are needed.
        var last = number
        while cells.holds(last + 1), cells[last + 1].quiet == cells[last].quiet + 1 {
            last += 1
            if cells[last].quiet > limit, last - number >= Self.rest { return .leaveOut }
        }
        let isWhole = cells.holds(last + 1) || isOver
        return isWhole ? .play : .wait
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The selected row of a list.
struct Selection: Sendable, Hashable {
    var index = 0

    mutating func move(by rows: Int, of count: Int) { index = min(max(0, index + rows), max(0, count - 1)) }

    /// Returns the rows of a list that fit into a window, such that the selected one is among them.
    func window(of count: Int, rows: Int) -> Range<Int> {
        let rows = max(1, rows)
        let first = min(max(0, index - rows / 2), max(0, count - rows))
        return first..<min(count, first + rows)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A screen, and what a press of the mouse on it means.
public struct Frame: Sendable {
    enum Target: Sendable, Hashable {
        case page(PlayerState.Page)
        case action(PlayerAction)
        /// A bar from one time of the book to another, in ms.
        case bar(from: Int64, to: Int64)
        case chapter(Int)
        case book(Int)
        case jump(Int)
        case clip(Int)
        case document(Int)
        case engine(Int)
        case sleep(Int)
        case button(SofaMode.Button)
        /// A line of the text that is read, by its first byte, and the column in which it begins.
        case text(Int64, left: Int)

        var isOfOverlay: Bool {
            if case .sleep = self { true } else { false }
        }
    }

    private struct Region: Sendable {
        var row: Int
        var columns: Range<Int>
        var target: Target
    }

    public internal(set) var screen: Screen
    private var regions: [Region] = []

    init(_ size: Screen.Size) { screen = Screen(size) }

    var rows: Int { screen.rows }
    var columns: Int { screen.columns }

    mutating func touch(_ row: Int, _ columns: Range<Int>, _ target: Target) {
        regions.append(Region(row: row, columns: columns, target: target))
    }

    /// Returns what is at a cell, and how far into it the cell is, 0 to 1.
    func target(_ row: Int, _ column: Int) -> (target: Target, fraction: Double)? {
        guard let region = regions.last(where: { $0.row == row && $0.columns.contains(column) }) else { return nil }
        let width = max(1, region.columns.count - 1)
        return (region.target, Double(column - region.columns.lowerBound) / Double(width))
    }

    /// Draws a bar of time, with the times on its right, and lets the mouse move in it.
    mutating func bar(
        _ row: Int, _ columns: Range<Int>, _ position: Int64?, from start: Int64, to end: Int64?, times: String,
        _ glyphs: Glyphs
    ) {
        let right = times.columns + 2
        let bar = columns.lowerBound..<max(columns.lowerBound + 4, columns.upperBound - right)
        screen.fill(row, bar, glyphs.empty, .faint)
        if let end, end > start {
            if let position {
                let fraction = min(1, max(0, Double(position - start) / Double(end - start)))
                let filled = Int((Double(bar.count) * fraction).rounded(.down))
                screen.fill(row, bar.lowerBound..<bar.lowerBound + filled, glyphs.filled, .bar)
            }
            touch(row, bar, .bar(from: start, to: end))
        }
        screen.put(times, row, endingAt: columns.upperBound)
    }

    /// Writes text in several rows, broken between words, and returns the row after it.
    @discardableResult
    mutating func paragraph(_ text: String, _ row: Int, _ columns: Range<Int>, _ style: Style = .plain, rows: Int)
        -> Int
    {
        let lines = DisplayedText(uri: "", offset: 0, bytes: Array(text.utf8)).lines(
            columns: columns.count)
        for (index, line) in lines.prefix(rows).enumerated() {
            let isCut = index == rows - 1 && lines.count > rows
            screen.put(
                isCut ? line.text + " …" : line.text, row + index, columns.lowerBound, style, limit: columns.count)
        }
        return row + min(rows, lines.count)
    }
}

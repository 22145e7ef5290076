// SPDX-License-Identifier: Apache-2.0

import TimelineGeometry

/// A screen of a terminal, as a value.
///
/// Whatever is written outside is cut off, so that no size of a terminal is an error.
public struct Screen: Sendable, Hashable {
    public struct Cell: Sendable, Hashable {
        /// The character; `nil` in the second column of a wide one.
        public var character: Character?
        public var style: Style

        public static let blank = Cell(character: " ", style: .plain)
    }

    public struct Size: Sendable, Hashable {
        public var rows: Int
        public var columns: Int

        public init(rows: Int, columns: Int) {
            self.rows = rows
            self.columns = columns
        }
    }

    public let size: Size
    private var cells: [Cell]

    public init(_ size: Size) {
        // A terminal reports what it likes.
        self.size = Size(rows: min(max(size.rows, 1), 1000), columns: min(max(size.columns, 1), 2000))
        cells = Array(repeating: .blank, count: self.size.rows * self.size.columns)
    }

    public var rows: Int { size.rows }
    public var columns: Int { size.columns }

    public subscript(row: Int, column: Int) -> Cell {
        guard (0..<rows).contains(row), (0..<columns).contains(column) else { return .blank }
        return cells[row * columns + column]
    }

    /// Writes text, and returns the column after it.
    ///
    /// - Parameter limit: The number of columns for it; a longer text ends with `…`.
    @discardableResult
    mutating func put(_ text: String, _ row: Int, _ column: Int, _ style: Style = .plain, limit: Int? = nil) -> Int {
        let room = min(limit ?? .max, columns - column)
        guard (0..<rows).contains(row), column >= 0, room > 0 else { return column }
        var next = column
        for character in text.printable.fitted(to: room) {
            let width = character.columns
            guard width > 0 else { continue }
            for offset in 0..<width where next + offset < columns {
                cells[row * columns + next + offset] = Cell(character: offset == 0 ? character : nil, style: style)
            }
            next += width
        }
        return next
    }

    /// Writes text that ends before a column.
    mutating func put(_ text: String, _ row: Int, endingAt end: Int, _ style: Style = .plain) {
        put(text, row, max(0, end - text.printable.columns), style)
    }

    /// Writes a row of a waveform, each column in the look of its layer; handles and the playhead are lines over it.
    mutating func put(
        cells text: String, layers: [ColumnLayer], _ row: Int, _ column: Int, held: TimelineTarget, line: Character
    ) {
        guard (0..<rows).contains(row) else { return }
        for (index, (character, layer)) in zip(text, layers).enumerated() where column + index < columns {
            let isLine = layer.target != nil
            cells[row * columns + column + index] = Cell(
                character: isLine ? line : character == "\u{2800}" ? " " : character,
                style: layer.target == held && layer != .playhead ? .heldHandle : layer.style)
        }
    }

    /// Writes cells as they are.
    mutating func put(_ picture: [[Cell]], _ row: Int, _ column: Int) {
        for (y, line) in picture.enumerated() {
            for (x, cell) in line.enumerated() where (0..<rows).contains(row + y) && (0..<columns).contains(column + x)
            {
                cells[(row + y) * columns + column + x] = cell
            }
        }
    }

    /// Gives a part of a row another style, and keeps what is written there.
    mutating func mark(_ row: Int, _ range: Range<Int>, _ style: Style) {
        guard (0..<rows).contains(row) else { return }
        for column in range.clamped(to: 0..<columns) { cells[row * columns + column].style = style }
    }

    mutating func fill(_ row: Int, _ range: Range<Int>, _ character: Character, _ style: Style = .plain) {
        guard (0..<rows).contains(row) else { return }
        for column in range.clamped(to: 0..<columns) {
            cells[row * columns + column] = Cell(character: character, style: style)
        }
    }

    /// Returns the upper left part.
    func cut(to size: Size) -> Screen {
        if size == self.size { return self }
        var part = Screen(size)
        for row in 0..<part.rows {
            for column in 0..<part.columns { part.cells[row * part.columns + column] = self[row, column] }
            // The first half of a wide character is none.
            if self[row, part.columns - 1].character?.columns == 2 { part.cells[(row + 1) * part.columns - 1] = .blank }
        }
        return part
    }

    /// The rows as text, without the spaces at their ends.
    public var lines: [String] {
        (0..<rows).map { row in
            let text = String((0..<columns).compactMap { self[row, $0].character })
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The places of the clip's screen.
struct ClipLayout: Sendable, Hashable {
    /// The first column of the strip.
    static let left = 1

    /// The columns of the strip.
    let columns: Range<Int>
    /// The row of the times above the strip.
    let ruler = 2
    /// The rows of the strip.
    let strip: Range<Int>

    init(_ size: Screen.Size) {
        columns = Self.left..<max(Self.left + 1, size.columns - 1)
        // Below are the signs of the bounds, three lines of numbers, the note, and the last row.
        strip = 3..<max(6, size.rows - 8)
    }

    /// The row of the signs of the bounds.
    var signs: Int { strip.upperBound }
}

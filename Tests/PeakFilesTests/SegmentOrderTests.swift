// SPDX-License-Identifier: Apache-2.0

import PeakFiles
import Testing

@Suite struct SegmentOrderTests {
    /// What is looked at, the playhead, what is made already, and the order of the rest of ten segments.
    static let table: [(visible: Range<Int>, center: Int, done: Set<Int>, order: [Int])] = [
        (0..<1, 0, [], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (4..<7, 5, [], [5, 6, 4, 7, 8, 9, 0, 1, 2, 3]),
        (4..<7, 4, [], [4, 5, 6, 7, 8, 9, 0, 1, 2, 3]),
        (4..<7, 5, [5, 8], [6, 4, 7, 9, 0, 1, 2, 3]),
        (4..<7, 9, [], [4, 5, 6, 7, 8, 9, 0, 1, 2, 3]),
        (4..<7, 1, [], [4, 5, 6, 7, 8, 9, 0, 1, 2, 3]),
        (0..<10, 7, [], [7, 8, 9, 0, 1, 2, 3, 4, 5, 6]),
        (9..<10, 9, [], [9, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (50..<60, 55, [], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (0..<0, 0, Set(0..<10), []),
    ]

    @Test(arguments: table.indices) func `the part that is looked at comes first, then what follows, then the rest`(
        _ index: Int
    ) {
        let row = Self.table[index]
        let order = SegmentOrder(visible: row.visible, center: row.center)
        var done = row.done
        var made: [Int] = []
        while let next = order.next(of: 10, isDone: { done.contains($0) }), made.count < 20 {
            made.append(next)
            done.insert(next)
        }
        #expect(made == row.order)
    }

    @Test func `a track without a segment has none to make`() {
        #expect(SegmentOrder(visible: 3..<5, center: 4).next(of: 0) { _ in false } == nil)
    }
}

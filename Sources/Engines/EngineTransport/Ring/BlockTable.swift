// SPDX-License-Identifier: Apache-2.0

/// The blocks that have been read from the ring but not released, in order, in memory that is allocated once.
///
/// Entries have numbers that never repeat; `first..<end` are in the table. The headers in the ring belong to the
/// engine, so the reader uses only these copies.
struct BlockTable: ~Copyable {
    struct Entry {
        var header: BlockHeader
        /// The offset at which the record begins, in bytes since the beginning.
        var start: UInt64
        /// The number of the block's first frame.
        var index: Int64
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let capacity: Int
    private(set) var first = 0
    private(set) var end = 0

    /// Creates an empty table.
    ///
    /// - Parameter capacity: The maximum number of entries; a power of two.
    init(capacity: Int) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
    }

    deinit { entries.deallocate() }

    var isEmpty: Bool { first == end }
    var isFull: Bool { end - first == capacity }

    subscript(number: Int) -> Entry { entries[number & (capacity - 1)] }

    mutating func append(_ entry: Entry) {
        (entries + (end & (capacity - 1))).initialize(to: entry)
        end += 1
    }

    mutating func removeFirst() { first += 1 }

    /// Returns the number of the entry that contains a frame, or of the empty entry just before it; `nil` if there is
    /// none.
    func number(of index: Int64) -> Int? {
        var low = first
        var high = end
        // Find the first entry that does not end before `index`.
        while low < high {
            let middle = (low + high) / 2
            let entry = self[middle]
            let isBefore =
                entry.header.frames == 0
                ? entry.index < index : entry.index + Int64(entry.header.frames) <= index
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low < end && self[low].index <= index ? low : nil
    }
}

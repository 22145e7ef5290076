// SPDX-License-Identifier: Apache-2.0

/// The blocks that were read from the ring and are not released yet, in order, in room that is taken once.
///
/// Entries have numbers that never repeat; `first..<end` are there. The headers in the ring belong to the engine;
/// these copies are what the reader goes by.
struct BlockTable: ~Copyable {
    struct Entry {
        var header: BlockHeader
        /// Where its record begins, in bytes since the beginning.
        var start: UInt64
        /// Number of its first frame.
        var index: Int64
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let capacity: Int
    private(set) var first = 0
    private(set) var end = 0

    /// `capacity` is a power of two.
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

    /// The entry in which the frame is, or the empty one just before it; nil if there is none.
    func number(of index: Int64) -> Int? {
        var low = first
        var high = end
        // The first entry that does not end before `index`.
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

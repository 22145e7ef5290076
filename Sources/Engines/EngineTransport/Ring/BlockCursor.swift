// SPDX-License-Identifier: Apache-2.0

/// The place of reading among the blocks that were read from a ring and are not released.
///
/// Frames have numbers that never repeat. It allocates only when it is created.
struct BlockCursor: ~Copyable {
    private var table: BlockTable
    /// The entry to continue with, and the number of its frames that have been consumed.
    private var entry = 0
    private var consumed = 0
    /// The number of the next frame to append.
    private(set) var end: Int64 = 0
    /// The number of the first frame that is not released.
    private var floor: Int64 = 0

    /// Creates a cursor without blocks.
    ///
    /// - Parameter capacity: The maximum number of blocks; a power of two.
    init(capacity: Int) { table = BlockTable(capacity: capacity) }

    var isFull: Bool { table.isFull }
    var count: Int { table.end - table.first }
    /// The offset at which the oldest block begins, in bytes since the beginning; `nil` if there is none.
    var oldestStart: UInt64? { table.isEmpty ? nil : table[table.first].start }
    /// `true` if there is no block to continue with.
    var isAtEnd: Bool { entry >= table.end }
    /// The block to continue with, and the number of its frames that have been consumed; `nil` at the end.
    var current: (block: BlockTable.Entry, consumed: Int)? { isAtEnd ? nil : (table[entry], consumed) }

    /// Appends a block; there must be room.
    ///
    /// - Parameter start: The offset at which its record begins, in bytes since the beginning.
    mutating func append(_ header: BlockHeader, start: UInt64) {
        table.append(BlockTable.Entry(header: header, start: start, index: end))
        end += Int64(header.frames)
    }

    mutating func advance(by frames: Int) {
        guard !isAtEnd, frames >= 0 else { return }
        let count = Int(table[entry].header.frames)
        consumed = min(consumed + min(frames, count), count)
        if consumed == count {
            entry += 1
            consumed = 0
        }
    }

    /// Moves to a frame, and returns `false` if it is released or was not appended.
    mutating func move(to index: Int64) -> Bool {
        guard index >= floor else { return false }
        if let number = table.number(of: index) {
            entry = number
            consumed = Int(index - table[number].index)
            return true
        }
        guard index == end else { return false }
        entry = table.end
        consumed = 0
        return true
    }

    mutating func release(before index: Int64) {
        floor = max(floor, min(index, end))
        while !table.isEmpty {
            let oldest = table[table.first]
            guard oldest.index + Int64(oldest.header.frames) <= floor,
                oldest.header.frames > 0 || table.first < entry
            else { break }
            table.removeFirst()
        }
        leaveRemoved()
        guard !isAtEnd else { return }
        // An empty block that has not been read stays, even if what follows it was released.
        let next = table[entry]
        consumed = min(max(consumed, Int(max(0, floor - next.index))), Int(next.header.frames))
    }

    mutating func discard(before generation: UInt32) {
        while !table.isEmpty, table[table.first].header.generation < generation {
            let oldest = table[table.first]
            floor = max(floor, oldest.index + Int64(oldest.header.frames))
            table.removeFirst()
        }
        leaveRemoved()
    }

    private mutating func leaveRemoved() {
        guard entry < table.first else { return }
        entry = table.first
        consumed = 0
    }
}

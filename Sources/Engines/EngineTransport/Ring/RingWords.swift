// SPDX-License-Identifier: Apache-2.0

/// The words and the records of a ring, as both of its ends see them.
///
/// It holds addresses only, so the mappings must outlive it. The engine may change `head`, `waiting` and the records at
/// any time; the session alone can write the other words.
struct RingWords {
    /// The beginning of the records.
    let data: UnsafeMutableRawPointer
    /// The number of bytes for records.
    let capacity: Int
    let head: SharedWord
    /// The number of the engine's wait for room; 0 if it does not wait.
    let waiting: SharedWord
    let tail: SharedWord
    /// The number of the reader's wait for sound; 0 if it does not wait.
    let hungry: SharedWord
    let minimumGeneration: SharedWord

    init(ring: SharedMapping, page: SharedMapping, capacity: Int) {
        self.capacity = capacity
        data = ring.address + RingLayout.data
        head = SharedWord(at: ring.address + RingLayout.head)
        waiting = SharedWord(at: ring.address + RingLayout.waiting)
        tail = SharedWord(at: page.address + RingLayout.tail)
        hungry = SharedWord(at: page.address + RingLayout.hungry)
        minimumGeneration = SharedWord(at: page.address + RingLayout.minimumGeneration)
    }

    /// Returns the offset of a record within the ring.
    ///
    /// - Parameter start: The offset of the record in the stream of bytes since the beginning.
    func offset(of start: UInt64) -> Int { Int(start % UInt64(capacity)) }

    /// Reads the header of a record without trusting it, or returns `nil` unless everything in it is consistent.
    ///
    /// - Parameter available: The number of bytes from the record up to the head.
    func record(at start: UInt64, available: Int) -> (header: BlockHeader, byteCount: Int)? {
        let offset = offset(of: start)
        return BlockHeader.read(
            from: data + offset, start: start, offset: offset, available: available, capacity: capacity,
            limit: RingLayout.largestRecord(capacity: capacity))
    }

    /// Returns whether half of the ring or more is free.
    func isLow(head: UInt64, tail: UInt64) -> Bool { head &- tail <= UInt64(capacity / 2) }
}

// SPDX-License-Identifier: Apache-2.0

/// The writing side of a ring: the engine renders straight into it.
///
/// It is used only on the engine's thread.
public final class RingWriter {
    private let ring: SharedMapping
    private let page: SharedMapping
    private let readable: EventDescriptor
    private let words: RingWords

    private var head: UInt64
    /// The number of bytes before the end of the ring that the next record cannot use.
    private var pendingSkip = 0
    private var reserved = 0
    private var waitTicket: UInt64
    private var answeredHunger: UInt64 = 0

    /// Maps the memory that the session handed over; the reader's page can be mapped for reading only.
    ///
    /// Writing continues behind any records in the ring, which a previous writer left there.
    public convenience init(
        ring: OwnedDescriptor, readerPage: OwnedDescriptor, readable: EventDescriptor, capacity: Int
    ) throws(SystemError) {
        guard RingLayout.isValid(capacity: capacity) else { throw SystemError("ring of \(capacity) bytes", 22) }
        try self.init(
            ring: try SharedMapping(ring, size: RingLayout.data + capacity, writable: true),
            page: try SharedMapping(readerPage, size: RingLayout.readerPageSize, writable: false),
            readable: readable, capacity: capacity)
    }

    init(ring: SharedMapping, page: SharedMapping, readable: EventDescriptor, capacity: Int) throws(SystemError) {
        self.ring = ring
        self.page = page
        self.readable = readable
        words = RingWords(ring: ring, page: page, capacity: capacity)
        head = words.head.load()
        guard head % UInt64(RingLayout.line) == 0, head &- words.tail.load() <= UInt64(capacity) else {
            throw SystemError("ring with an invalid header", 22)
        }
        // A wait of the previous writer is not a wait of this one. The reader remembers the last ticket that it
        // answered, which was one of the previous writer's. Starting at `head` gives other numbers, because a writer
        // waits less often than it writes bytes.
        words.waiting.store(0)
        waitTicket = head
    }

    /// The number of bytes for records in the ring.
    public var capacity: Int { words.capacity }

    /// The maximum number of floats that can be reserved at once.
    public var largestReservation: Int {
        (RingLayout.largestRecord(capacity: capacity) - RingLayout.line) / MemoryLayout<Float>.size
    }

    /// The minimum generation that the reader accepts; it drops blocks of older generations unread.
    public var minimumGeneration: UInt32 { UInt32(truncatingIfNeeded: words.minimumGeneration.loadRelaxed()) }

    /// The number of bytes that the reader still holds or has not read.
    public var used: Int { Int(truncatingIfNeeded: head &- words.tail.load()) }

    /// Reserves contiguous room for `floats` floats, or returns `nil` if there is none yet.
    ///
    /// A second call without `commit` gives up the first reservation.
    public func reserve(floats: Int) -> UnsafeMutablePointer<Float>? {
        let need = RingLayout.line + RingLayout.rounded(floats * MemoryLayout<Float>.size)
        let offset = words.offset(of: head)
        let toWrap = capacity - offset
        let skip = toWrap < need ? toWrap : 0
        guard floats <= largestReservation, capacity - used >= skip + need else {
            reserved = 0
            return nil
        }
        pendingSkip = skip
        reserved = need
        return (words.data + ((offset + skip) % capacity + RingLayout.line)).assumingMemoryBound(to: Float.self)
    }

    /// Publishes `header.frames` frames that were written into the reservation.
    ///
    /// Returns `false`, and publishes nothing, if that is more than was reserved.
    @discardableResult
    public func commit(_ header: BlockHeader) -> Bool {
        guard let size = header.byteCount, size <= reserved else { return false }
        if pendingSkip > 0 {
            BlockHeader.skip().write(
                to: words.data + words.offset(of: head), start: head, byteCount: pendingSkip)
            head += UInt64(pendingSkip)
        }
        header.write(to: words.data + words.offset(of: head), start: head, byteCount: size)
        head += UInt64(size)
        pendingSkip = 0
        reserved = 0
        words.head.store(head)
        // The reader writes a new number each time that it begins to wait, and receives one signal for each.
        let hunger = words.hungry.load()
        if hunger != 0, hunger != answeredHunger {
            answeredHunger = hunger
            readable.signal()
        }
        return true
    }

    /// Asks the reader to wake this writer when half of the ring is free.
    ///
    /// Returns `true` if there is already room for `floats` floats; the caller must then not sleep.
    public func prepareToWait(floats: Int) -> Bool {
        beginWait()
        if reserve(floats: floats) != nil {
            endWait()
            return true
        }
        return false
    }

    /// Asks the reader to wake this writer at the next release that leaves half of the ring free.
    ///
    /// Before sleeping, check once more for the condition that is waited for.
    public func beginWait() {
        waitTicket += 1
        words.waiting.store(waitTicket)
    }

    /// Withdraws the request to be woken.
    public func endWait() {
        words.waiting.store(0)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The writing side of a ring: the engine renders straight into it.
///
/// Used on the engine's thread only.
public final class RingWriter {
    private let ring: SharedMapping
    private let page: SharedMapping
    private let readable: EventDescriptor
    private let data: UnsafeMutableRawPointer
    /// Bytes of records that the ring holds.
    public let capacity: Int

    private let headWord: SharedWord
    private let waitingWord: SharedWord
    private let tailWord: SharedWord
    private let hungryWord: SharedWord
    private let generationWord: SharedWord

    private var head: UInt64
    /// Bytes before the wrap that the next record cannot use.
    private var pendingSkip = 0
    private var reserved = 0
    private var waitTicket: UInt64
    private var answeredHunger: UInt64 = 0

    /// Maps what the session handed over; its page can be mapped for reading only.
    ///
    /// Goes on behind what is in the ring: that is of a writer that is gone.
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
        self.capacity = capacity
        data = ring.address + RingLayout.data
        headWord = SharedWord(at: ring.address + RingLayout.head)
        waitingWord = SharedWord(at: ring.address + RingLayout.waiting)
        tailWord = SharedWord(at: page.address + RingLayout.tail)
        hungryWord = SharedWord(at: page.address + RingLayout.hungry)
        generationWord = SharedWord(at: page.address + RingLayout.minimumGeneration)
        head = headWord.load()
        guard head % UInt64(RingLayout.line) == 0, head &- tailWord.load() <= UInt64(capacity) else {
            throw SystemError("ring with a head that cannot be", 22)
        }
        // A wish of the writer before is no wish of this one. What the reader answered last was one of its numbers: these
        // are others, since a writer waits for less often than it writes bytes.
        waitingWord.store(0)
        waitTicket = head
    }

    /// The most that may be reserved at once.
    public var largestReservation: Int {
        (RingLayout.largestRecord(capacity: capacity) - RingLayout.line) / MemoryLayout<Float>.size
    }

    /// Blocks of older generations will be dropped unread.
    public var minimumGeneration: UInt32 { UInt32(truncatingIfNeeded: generationWord.loadRelaxed()) }

    /// Bytes that the reader still holds or has not read.
    public var used: Int { Int(truncatingIfNeeded: head &- tailWord.load()) }

    /// Room for so many floats in one piece, or nil if there is none yet.
    ///
    /// A second call without `commit` gives up the first.
    public func reserve(floats: Int) -> UnsafeMutablePointer<Float>? {
        let need = RingLayout.line + RingLayout.rounded(floats * MemoryLayout<Float>.size)
        let offset = Int(head % UInt64(capacity))
        let toWrap = capacity - offset
        let skip = toWrap < need ? toWrap : 0
        guard floats <= largestReservation, capacity - used >= skip + need else {
            reserved = 0
            return nil
        }
        pendingSkip = skip
        reserved = need
        return (data + ((offset + skip) % capacity + RingLayout.line)).assumingMemoryBound(to: Float.self)
    }

    /// Publishes what was written into the reservation: `header.frames` frames.
    ///
    /// Returns false, and publishes nothing, if that is more than was reserved.
    @discardableResult
    public func commit(_ header: BlockHeader) -> Bool {
        guard let size = header.byteCount, size <= reserved else { return false }
        if pendingSkip > 0 {
            BlockHeader.skip().write(
                to: data + Int(head % UInt64(capacity)), start: head, byteCount: pendingSkip)
            head += UInt64(pendingSkip)
        }
        header.write(to: data + Int(head % UInt64(capacity)), start: head, byteCount: size)
        head += UInt64(size)
        pendingSkip = 0
        reserved = 0
        headWord.store(head)
        // Each time that the reader begins to wait it writes another number: one signal for each.
        let hunger = hungryWord.load()
        if hunger != 0, hunger != answeredHunger {
            answeredHunger = hunger
            readable.signal()
        }
        return true
    }

    /// Asks to be woken when half of the ring is free.
    ///
    /// True if there is room for so many floats by now: do not sleep.
    public func prepareToWait(floats: Int) -> Bool {
        beginWait()
        if reserve(floats: floats) != nil {
            endWait()
            return true
        }
        return false
    }

    /// Asks to be woken at the next release that leaves half of the ring free.
    ///
    /// Look once more before sleeping at what it is that is waited for.
    public func beginWait() {
        waitTicket += 1
        waitingWord.store(waitTicket)
    }

    /// Takes the wish to be woken back.
    public func endWait() {
        waitingWord.store(0)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Atomics

/// The reading side of a ring, which trusts nothing that the engine can write.
///
/// One reader, on one thread; only `isBroken`, `isLow`, `written`, `newest` and `isAwaited` may be asked from elsewhere. No call allocates, locks or waits. What
/// was read stays until it is released, so that it can be read again.
public final class RingReader: @unchecked Sendable /* used on one thread at a time; `broken` is atomic */ {
    /// A block, or what is left of it.
    public struct Block {
        public var header: BlockHeader
        public var samples: UnsafePointer<Float>
        /// Frames that are left.
        public var frames: Int
        public var position: Int64
        /// Number of the first frame that is left.
        public var index: Int64
    }

    private let memory: RingMemory
    private let data: UnsafeMutableRawPointer
    private let alarm: EventDescriptor
    private let head: SharedWord
    private let waiting: SharedWord
    private let tail: SharedWord
    private let hungry: SharedWord
    private let minimumWord: SharedWord

    private var table = BlockTable(capacity: 2048)
    /// The entry to go on with, and the frames of it that are used up.
    private var entry = 0
    private var consumed = 0
    /// Bytes that were looked at, and bytes that are given back.
    private var parsed: UInt64 = 0
    private var published: UInt64 = 0
    private var nextIndex: Int64 = 0
    private var floor: Int64 = 0
    private var minimum: UInt32 = 0
    private var latest: UInt32 = 0
    private var hunger: UInt64 = 0
    private var isArmed = false
    private var answeredWait: UInt64 = 0
    /// Rings in a row with nothing new, and the head at the last one.
    private var idleRings = 0
    private var rungAt: UInt64 = 0
    private static let mostIdleRings = 1_000
    /// What rings and blocks without frames cost, and frames bring: many with little to hear keep an output busy for nothing.
    private var credit = RingReader.mostCredit
    private static let mostCredit = Int(Limits.tracks)
    private static let ringCost = 16
    private static let framesForOne = 4
    private let broken = ManagedAtomic(false)
    private var wasLow = true

    /// `alarm` is rung when the ring turns out to be broken, and when it falls to half.
    public init(_ memory: RingMemory, alarm: EventDescriptor) {
        self.memory = memory
        self.alarm = alarm
        let ring = memory.ringMapping.address
        let page = memory.readerMapping.address
        data = ring + RingLayout.data
        head = SharedWord(at: ring + RingLayout.head)
        waiting = SharedWord(at: ring + RingLayout.waiting)
        tail = SharedWord(at: page + RingLayout.tail)
        hungry = SharedWord(at: page + RingLayout.hungry)
        minimumWord = SharedWord(at: page + RingLayout.minimumGeneration)
    }

    /// The engine wrote nonsense; the ring reads as empty from then on.
    ///
    /// Any thread.
    public var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// Half of it or more is free: an engine that has something to render should do it now.
    ///
    /// Any thread.
    public var isLow: Bool { isLow(head.load(), tail.load()) }

    private func isLow(_ head: UInt64, _ tail: UInt64) -> Bool { head &- tail <= UInt64(memory.capacity / 2) }

    /// How much the engine says that it has ever written, in bytes; worth comparing with itself, and no more.
    ///
    /// Any thread.
    public var written: UInt64 { head.load() }

    /// The newest block that is in the ring; nil if none is.
    ///
    /// Any thread, but only once nobody writes any more.
    public var newest: BlockHeader? {
        let end = head.load()
        var (start, found) = (tail.load(), BlockHeader?.none)
        while start != end {
            guard end &- start <= UInt64(memory.capacity),
                let record = record(at: start, available: Int(end &- start))
            else { return nil }
            if record.header.flags != .skip { found = record.header }
            start += UInt64(record.byteCount)
        }
        return found
    }

    /// The writer sleeps until there is room, as far as it can be believed.
    ///
    /// Any thread.
    public var isAwaited: Bool { waiting.load() != 0 }

    /// Readable when sound comes after `arm` returned false.
    public var readiness: Int32 { memory.rings.descriptor.rawValue }

    public func next() -> Block? {
        guard entry < table.end || parse() else { return nil }
        let found = table[entry]
        let header = found.header
        let offset = Int(found.start % UInt64(memory.capacity)) + RingLayout.line
        let span = header.positionEnd - header.position
        return Block(
            header: header,
            samples: UnsafePointer(
                (data + offset + consumed * Int(header.channels) * MemoryLayout<Float>.size)
                    .assumingMemoryBound(to: Float.self)),
            frames: Int(header.frames) - consumed,
            position: header.position + scaled(span, consumed, Int(header.frames)),
            index: found.index + Int64(consumed))
    }

    /// `span * part / whole` without overflow; exact where a unit is a frame.
    private func scaled(_ span: Int64, _ part: Int, _ whole: Int) -> Int64 {
        guard part > 0, whole > 0 else { return 0 }
        let product = span.multipliedFullWidth(by: Int64(part))
        return Int64(whole).dividingFullWidth(product).quotient
    }

    public func advance(by frames: Int) {
        guard entry < table.end, frames >= 0 else { return }
        let count = Int(table[entry].header.frames)
        consumed = min(consumed + min(frames, count), count)
        if consumed == count {
            entry += 1
            consumed = 0
        }
    }

    public func rewind(to index: Int64) -> Bool {
        guard index >= floor else { return false }
        while index > nextIndex { guard parse() else { return false } }
        if let number = table.number(of: index) {
            entry = number
            consumed = Int(index - table[number].index)
            return true
        }
        guard index == nextIndex else { return false }
        entry = table.end
        consumed = 0
        return true
    }

    public func release(before index: Int64) {
        floor = max(floor, min(index, nextIndex))
        let wasFull = table.isFull
        while !table.isEmpty {
            let oldest = table[table.first]
            guard oldest.index + Int64(oldest.header.frames) <= floor,
                oldest.header.frames > 0 || table.first < entry
            else { break }
            table.removeFirst()
        }
        if entry < table.first {
            entry = table.first
            consumed = 0
        }
        if entry < table.end {
            // An empty block that was not read stays, also when what comes behind it was released.
            let next = table[entry]
            consumed = min(max(consumed, Int(max(0, floor - next.index))), Int(next.header.frames))
        }
        publish()
        // What could not be looked at for want of room in the table has had its signal already.
        if wasFull, isArmed, !table.isFull { memory.rings.signal() }
    }

    public func discard(before generation: UInt32) {
        guard generation > minimum else { return }
        minimum = generation
        credit = Self.mostCredit
        minimumWord.store(UInt64(generation))
        while !table.isEmpty, table[table.first].header.generation < generation {
            let oldest = table[table.first]
            floor = max(floor, oldest.index + Int64(oldest.header.frames))
            table.removeFirst()
        }
        if entry < table.first {
            entry = table.first
            consumed = 0
        }
        if entry == table.end { _ = parse() }
        publish()
    }

    public func arm() -> Bool {
        hunger += 1
        hungry.store(hunger)
        isArmed = true
        guard next() != nil else { return false }
        hungry.store(0)
        isArmed = false
        return true
    }

    public func acknowledge() {
        let rang = memory.rings.take()
        hungry.store(0)
        isArmed = false
        guard rang else { return }
        // A ring comes with sound, or a little after it was found; who rings for nothing would keep the output awake.
        let seen = head.load()
        idleRings = seen == rungAt ? idleRings + 1 : 0
        rungAt = seen
        credit -= Self.ringCost
        if idleRings > Self.mostIdleRings || credit < 0 { breakDown() }
    }

    /// Takes one more block into the table, and drops stale ones on the way.
    ///
    /// False if there is none.
    private func parse() -> Bool {
        var found = false
        while !found, !table.isFull, !broken.load(ordering: .relaxed) {
            let end = head.load()
            let available = end &- parsed
            guard available > 0 else { break }
            // Nothing but 0...capacity can be true; a head that went back shows as a huge number.
            guard end &- published <= UInt64(memory.capacity), available <= end &- published,
                let record = record(at: parsed, available: Int(available)),
                record.header.flags == .skip || record.header.generation >= latest
            else {
                breakDown()
                break
            }
            let start = parsed
            parsed += UInt64(record.byteCount)
            guard record.header.flags != .skip else { continue }
            latest = record.header.generation
            let frames = Int(record.header.frames)
            credit = frames == 0 ? credit - 1 : min(credit + frames / Self.framesForOne, Self.mostCredit)
            if credit < 0 {
                breakDown()
                break
            }
            guard latest >= minimum else { continue }
            table.append(BlockTable.Entry(header: record.header, start: start, index: nextIndex))
            nextIndex += Int64(record.header.frames)
            found = true
        }
        if table.first >= table.end - 1 { publish() }
        return found
    }

    private func record(at start: UInt64, available: Int) -> (header: BlockHeader, byteCount: Int)? {
        let offset = Int(start % UInt64(memory.capacity))
        return BlockHeader.read(
            from: data + offset, start: start, offset: offset, available: available, capacity: memory.capacity,
            limit: RingLayout.largestRecord(capacity: memory.capacity))
    }

    /// Gives room back, and wakes the engine if it waits for that and there is enough for a while.
    private func publish() {
        let start = table.isEmpty ? parsed : table[table.first].start
        if start != published {
            published = start
            tail.store(start)
            noteLevel(since: start)
        }
        let wish = waiting.load()
        guard wish != 0, wish != answeredWait else { return }
        let used = head.load() &- start
        guard used <= UInt64(memory.capacity / 2) else { return }
        answeredWait = wish
        memory.wake.signal()
    }

    /// Tells once each time that it falls to half.
    private func noteLevel(since start: UInt64) {
        let isLow = isLow(head.load(), start)
        guard isLow != wasLow else { return }
        wasLow = isLow
        if isLow { alarm.signal() }
    }

    private func breakDown() {
        broken.store(true, ordering: .releasing)
        alarm.signal()
    }
}

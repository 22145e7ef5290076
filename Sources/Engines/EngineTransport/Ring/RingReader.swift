// SPDX-License-Identifier: Apache-2.0

import Atomics

/// The reading side of a ring, which trusts nothing that the engine can write.
///
/// There is one reader, on one thread. Only `isBroken`, `isLow`, `written`, `newest` and `isAwaited` may be used from
/// other threads. No call allocates, locks or waits. What was read stays in the ring until it is released, so that it
/// can be read again.
public final class RingReader: @unchecked Sendable /* used on one thread at a time; `broken` is atomic */ {
    /// A block, or the rest of it.
    public struct Block {
        public var header: BlockHeader
        public var samples: UnsafePointer<Float>
        /// The number of frames that are left.
        public var frames: Int
        public var position: Int64
        /// The number of the first frame that is left.
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
    /// The entry to continue with, and the number of its frames that have been consumed.
    private var entry = 0
    private var consumed = 0
    /// The number of bytes that have been parsed, and the number that have been given back to the engine.
    private var parsed: UInt64 = 0
    private var published: UInt64 = 0
    private var nextIndex: Int64 = 0
    private var floor: Int64 = 0
    private var minimum: UInt32 = 0
    private var latest: UInt32 = 0
    private var hunger: UInt64 = 0
    private var isArmed = false
    private var answeredWait: UInt64 = 0
    /// The number of consecutive signals without new data, and the head at the last signal.
    private var idleRings = 0
    private var rungAt: UInt64 = 0
    private static let mostIdleRings = 1_000
    /// The credit that signals and blocks without frames use up, and that frames restore.
    ///
    /// Without it, an engine could keep an output busy with many signals or blocks that contain little or no sound.
    private var credit = RingReader.mostCredit
    private static let mostCredit = Int(Limits.tracks)
    private static let ringCost = 16
    private static let framesForOne = 4
    private let broken = ManagedAtomic(false)
    private var wasLow = true

    /// Creates a reader.
    ///
    /// - Parameter alarm: The eventfd that is signalled when the ring turns out to be broken, and when its level falls
    ///   to half.
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

    /// `true` once the engine has written invalid data; from then on the ring reads as empty.
    ///
    /// It may be read on any thread.
    public var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// `true` while half of the ring or more is free: an engine that has something to render should do it now.
    ///
    /// It may be read on any thread.
    public var isLow: Bool { isLow(head.load(), tail.load()) }

    private func isLow(_ head: UInt64, _ tail: UInt64) -> Bool { head &- tail <= UInt64(memory.capacity / 2) }

    /// The number of bytes that the engine claims to have ever written, which is only useful to compare with itself.
    ///
    /// It may be read on any thread.
    public var written: UInt64 { head.load() }

    /// The newest block in the ring, or `nil` if there is none.
    ///
    /// It may be read on any thread, but only once nothing writes to the ring any more.
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

    /// `true` while the writer claims to sleep until there is room.
    ///
    /// It may be read on any thread.
    public var isAwaited: Bool { waiting.load() != 0 }

    /// A file descriptor that becomes readable when sound arrives after `arm` has returned `false`.
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

    /// Returns `span * part / whole` without overflow; the result is exact where a unit is a frame.
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
            // An empty block that has not been read stays, even if what follows it was released.
            let next = table[entry]
            consumed = min(max(consumed, Int(max(0, floor - next.index))), Int(next.header.frames))
        }
        publish()
        // The signal for blocks that did not fit into the table has already been taken, so repeat it.
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
        // The engine signals with sound, or a little after the sound was found. Repeated signals without sound would
        // keep the output awake.
        let seen = head.load()
        idleRings = seen == rungAt ? idleRings + 1 : 0
        rungAt = seen
        credit -= Self.ringCost
        if idleRings > Self.mostIdleRings || credit < 0 { breakDown() }
    }

    /// Takes one more block into the table, and drops stale blocks on the way.
    ///
    /// Returns `false` if there is none.
    private func parse() -> Bool {
        var found = false
        while !found, !table.isFull, !broken.load(ordering: .relaxed) {
            let end = head.load()
            let available = end &- parsed
            guard available > 0 else { break }
            // Only 0...capacity can be valid; a head that went back appears as a huge number.
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

    /// Gives room back, and wakes an engine that waits for room once there is enough for a while.
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

    /// Signals the alarm once each time that the level falls to half.
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

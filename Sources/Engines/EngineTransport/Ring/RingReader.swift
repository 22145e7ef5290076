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
    private let words: RingWords
    private let alarm: EventDescriptor

    private var blocks = BlockCursor(capacity: 2048)
    /// The number of bytes that have been parsed, and the number that have been given back to the engine.
    private var parsed: UInt64 = 0
    private var published: UInt64 = 0
    private var minimum: UInt32 = 0
    private var latest: UInt32 = 0
    private var allowance = RingAllowance()
    private var hunger: UInt64 = 0
    private var isArmed = false
    private var answeredWait: UInt64 = 0
    private var wasLow = true
    private let broken = ManagedAtomic(false)

    /// Creates a reader.
    ///
    /// - Parameter alarm: The eventfd that is signalled when the ring turns out to be broken, and when its level falls
    ///   to half.
    public init(_ memory: RingMemory, alarm: EventDescriptor) {
        self.memory = memory
        self.alarm = alarm
        words = RingWords(ring: memory.ringMapping, page: memory.readerMapping, capacity: memory.capacity)
    }

    /// `true` once the engine has written invalid data; from then on the ring reads as empty.
    ///
    /// It may be read on any thread.
    public var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// `true` while half of the ring or more is free: an engine that has something to render should do it now.
    ///
    /// It may be read on any thread.
    public var isLow: Bool { words.isLow(head: words.head.load(), tail: words.tail.load()) }

    /// The number of bytes that the engine claims to have ever written, which is only useful to compare with itself.
    ///
    /// It may be read on any thread.
    public var written: UInt64 { words.head.load() }

    /// The newest block in the ring, or `nil` if there is none.
    ///
    /// It may be read on any thread, but only once nothing writes to the ring any more.
    public var newest: BlockHeader? {
        let end = words.head.load()
        var (start, found) = (words.tail.load(), BlockHeader?.none)
        while start != end {
            guard end &- start <= UInt64(memory.capacity),
                let record = words.record(at: start, available: Int(end &- start))
            else { return nil }
            if record.header.flags != .skip { found = record.header }
            start += UInt64(record.byteCount)
        }
        return found
    }

    /// `true` while the writer claims to sleep until there is room.
    ///
    /// It may be read on any thread.
    public var isAwaited: Bool { words.waiting.load() != 0 }

    /// A file descriptor that becomes readable when sound arrives after `arm` has returned `false`.
    public var readiness: Int32 { memory.rings.descriptor.rawValue }

    public func next() -> Block? {
        if blocks.isAtEnd { guard parse() else { return nil } }
        guard let (found, consumed) = blocks.current else { return nil }
        let header = found.header
        let offset = words.offset(of: found.start) + RingLayout.line
        let span = header.positionEnd - header.position
        return Block(
            header: header,
            samples: UnsafePointer(
                (words.data + offset + consumed * Int(header.channels) * MemoryLayout<Float>.size)
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

    public func advance(by frames: Int) { blocks.advance(by: frames) }

    public func rewind(to index: Int64) -> Bool {
        while index > blocks.end { guard parse() else { return false } }
        return blocks.move(to: index)
    }

    public func release(before index: Int64) {
        let wasFull = blocks.isFull
        blocks.release(before: index)
        publish()
        // The signal for blocks that did not fit into the table has already been taken, so repeat it.
        if wasFull, isArmed, !blocks.isFull { memory.rings.signal() }
    }

    public func discard(before generation: UInt32) {
        guard generation > minimum else { return }
        minimum = generation
        allowance.renew()
        words.minimumGeneration.store(UInt64(generation))
        blocks.discard(before: generation)
        if blocks.isAtEnd { _ = parse() }
        publish()
    }

    public func arm() -> Bool {
        hunger += 1
        words.hungry.store(hunger)
        isArmed = true
        guard next() != nil else { return false }
        words.hungry.store(0)
        isArmed = false
        return true
    }

    public func acknowledge() {
        let rang = memory.rings.take()
        words.hungry.store(0)
        isArmed = false
        guard rang else { return }
        if !allowance.allowsRing(head: words.head.load()) { breakDown() }
    }

    /// Takes one more block into the table, and drops stale blocks on the way.
    ///
    /// Returns `false` if there is none.
    private func parse() -> Bool {
        var found = false
        while !found, !blocks.isFull, !broken.load(ordering: .relaxed) {
            let end = words.head.load()
            let available = end &- parsed
            guard available > 0 else { break }
            // Only 0...capacity can be valid; a head that went back appears as a huge number.
            guard end &- published <= UInt64(memory.capacity), available <= end &- published,
                let record = words.record(at: parsed, available: Int(available)),
                record.header.flags == .skip || record.header.generation >= latest
            else {
                breakDown()
                break
            }
            let start = parsed
            parsed += UInt64(record.byteCount)
            guard record.header.flags != .skip else { continue }
            latest = record.header.generation
            guard allowance.allowsBlock(frames: Int(record.header.frames)) else {
                breakDown()
                break
            }
            guard latest >= minimum else { continue }
            blocks.append(record.header, start: start)
            found = true
        }
        if blocks.count <= 1 { publish() }
        return found
    }

    /// Gives room back, and wakes an engine that waits for room once there is enough for a while.
    private func publish() {
        let start = blocks.oldestStart ?? parsed
        if start != published {
            published = start
            words.tail.store(start)
            noteLevel(since: start)
        }
        let wish = words.waiting.load()
        guard wish != 0, wish != answeredWait else { return }
        guard words.isLow(head: words.head.load(), tail: start) else { return }
        answeredWait = wish
        memory.wake.signal()
    }

    /// Signals the alarm once each time that the level falls to half.
    private func noteLevel(since start: UInt64) {
        let isLow = words.isLow(head: words.head.load(), tail: start)
        guard isLow != wasLow else { return }
        wasLow = isLow
        if isLow { alarm.signal() }
    }

    private func breakDown() {
        broken.store(true, ordering: .releasing)
        alarm.signal()
    }
}

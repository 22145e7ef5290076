// SPDX-License-Identifier: Apache-2.0

/// Where the words and the records of a ring lie in its two pieces of shared memory.
///
/// The *ring memory* is written by the engine: the head, a word that says that it waits for room, and the data. The
/// *reader's page* is written by the session, and the engine can only map it for reading. Head and tail count bytes
/// since the beginning and never go back; a record lies at its count modulo the capacity. Each word has a cache
/// line of its own.
public enum RingLayout {
    /// A cache line; records begin at multiples of it and headers have this size.
    static let line = 64

    // In the ring memory.
    static let head = 0
    static let waiting = 64
    static let data = 4096

    // In the reader's page.
    static let tail = 0
    static let hungry = 64
    static let minimumGeneration = 128
    static let readerPageSize = 4096

    /// Bytes of records: 6 s of stereo at 44.1 kHz.
    public static let defaultCapacity = 2 << 20
    /// A quarter of it must hold the smallest block that the contract allows, 8 * 1024 floats.
    public static let minimumCapacity = 256 << 10

    /// What the engine may ask for at once.
    ///
    /// A quarter, since half of the capacity must be enough for a block and the space skipped before it: the session
    /// wakes an engine that waits only when half is free.
    static func largestRecord(capacity: Int) -> Int { capacity / 4 / line * line }

    static func isValid(capacity: Int) -> Bool {
        capacity >= minimumCapacity && capacity <= 1 << 28 && capacity % 4096 == 0
    }

    static func rounded(_ bytes: Int) -> Int { (bytes + line - 1) / line * line }
}

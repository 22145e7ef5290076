// SPDX-License-Identifier: Apache-2.0

/// The layout of the words and records of a ring in its two pieces of shared memory.
///
/// The engine writes the *ring memory*: the head, a word that says that the engine waits for room, and the data. The
/// session writes the *reader's page*, which the engine can only map for reading. Head and tail count bytes since the
/// beginning and never decrease; a record is at its count modulo the capacity. Each word has a cache line of its own.
public enum RingLayout {
    /// The size of a cache line, in bytes; records begin at multiples of it, and a header has this size.
    static let line = 64

    // Offsets in the ring memory.
    static let head = 0
    static let waiting = 64
    static let data = 4096

    // Offsets in the reader's page.
    static let tail = 0
    static let hungry = 64
    static let minimumGeneration = 128
    static let readerPageSize = 4096

    /// The default number of bytes for records: 6 s of stereo at 44.1 kHz.
    public static let defaultCapacity = 2 << 20
    /// The smallest capacity: a quarter of it must hold the smallest block that the contract allows, 8 * 1024 floats.
    public static let minimumCapacity = 256 << 10

    /// Returns the size of the largest record that the engine may reserve at once.
    ///
    /// It is a quarter, because half of the capacity must be enough for a block and the space skipped before it: the
    /// session wakes an engine that waits only when half is free.
    static func largestRecord(capacity: Int) -> Int { capacity / 4 / line * line }

    static func isValid(capacity: Int) -> Bool {
        capacity >= minimumCapacity && capacity <= 1 << 28 && capacity % 4096 == 0
    }

    static func rounded(_ bytes: Int) -> Int { (bytes + line - 1) / line * line }
}

// SPDX-License-Identifier: Apache-2.0

import Atomics

/// One 64-bit word in shared memory, read and written as a whole.
///
/// Loads and stores are sequentially consistent: both directions of waking up rest on "write mine, then read yours".
struct SharedWord {
    private let word: UnsafeAtomic<UInt64>

    /// `address` is aligned to 8 bytes and outlives the word.
    init(at address: UnsafeMutableRawPointer) {
        word = UnsafeAtomic(at: address.assumingMemoryBound(to: UnsafeAtomic<UInt64>.Storage.self))
    }

    func load() -> UInt64 { word.load(ordering: .sequentiallyConsistent) }
    func store(_ value: UInt64) { word.store(value, ordering: .sequentiallyConsistent) }

    /// Once, so that the other side cannot change what was checked.
    func loadRelaxed() -> UInt64 { word.load(ordering: .relaxed) }
    func storeRelaxed(_ value: UInt64) { word.store(value, ordering: .relaxed) }
}

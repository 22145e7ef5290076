// SPDX-License-Identifier: Apache-2.0

import Atomics

/// A 64-bit word in shared memory, which is read and written as a whole.
///
/// Loads and stores are sequentially consistent, because waking up in both directions relies on "write mine, then read
/// yours".
struct SharedWord {
    private let word: UnsafeAtomic<UInt64>

    /// Creates a word at `address`, which is aligned to 8 bytes and outlives the word.
    init(at address: UnsafeMutableRawPointer) {
        word = UnsafeAtomic(at: address.assumingMemoryBound(to: UnsafeAtomic<UInt64>.Storage.self))
    }

    func load() -> UInt64 { word.load(ordering: .sequentiallyConsistent) }
    func store(_ value: UInt64) { word.store(value, ordering: .sequentiallyConsistent) }

    /// Returns the value, loaded once, so that the other side cannot change it after it has been checked.
    func loadRelaxed() -> UInt64 { word.load(ordering: .relaxed) }
    func storeRelaxed(_ value: UInt64) { word.store(value, ordering: .relaxed) }
}

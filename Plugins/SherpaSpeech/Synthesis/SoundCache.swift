// SPDX-License-Identifier: Apache-2.0

/// The sounds that were made last, for when they are wanted again.
struct SoundCache {
    /// Everything on which a sound depends.
    struct Key: Hashable, Sendable {
        var voice: String
        var speaker: Int
        /// The speed in thousandths.
        var speed: Int
        var symbols: [Int32]
    }

    private struct Entry {
        var sound: Sound
        var use: UInt64
    }

    /// The maximum of the samples of all sounds, in bytes: some 25 minutes.
    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private(set) var bytes = 0
    private var uses: UInt64 = 0

    init(limit: Int = 64 << 20) { self.limit = limit }

    mutating func sound(for key: Key) -> Sound? {
        guard let entry = entries[key] else { return nil }
        uses += 1
        entries[key]?.use = uses
        return entry.sound
    }

    mutating func keep(_ sound: Sound, for key: Key) {
        let size = Self.size(sound, key)
        guard size <= limit, entries[key] == nil else { return }
        uses += 1
        entries[key] = Entry(sound: sound, use: uses)
        bytes += size
        guard bytes > limit else { return }
        // Sorted once for many removals, which keep a part free for the next ones.
        for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
            guard bytes > limit / 8 * 7 else { return }
            entries[key] = nil
            bytes -= Self.size(entry.sound, key)
        }
    }

    private static func size(_ sound: Sound, _ key: Key) -> Int {
        2 * sound.samples.count + 4 * key.symbols.count + 200
    }
}

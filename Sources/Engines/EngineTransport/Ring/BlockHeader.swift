// SPDX-License-Identifier: Apache-2.0

/// The header before the samples of each record in the ring: eight words, little endian.
public struct BlockHeader: Sendable, Hashable {
    public struct Flags: OptionSet, Sendable, Hashable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// `ROSTRUM_BLOCK_END`; this flag and the next two have the values of the contract.
        public static let end = Flags(rawValue: 1)
        public static let trackEnd = Flags(rawValue: 2)
        public static let damaged = Flags(rawValue: 4)
        /// The bits of the contract's flags; a set of literals would be an array, which allocates if not optimized.
        static let known = end.rawValue | trackEnd.rawValue | damaged.rawValue
        /// A record without sound that fills the rest of the ring up to its end.
        static let skip = Flags(rawValue: 1 << 31)
    }

    public var generation: UInt32
    public var track: UInt32
    public var flags: Flags
    public var sampleRate: UInt32
    public var channels: UInt32
    public var frames: UInt32
    public var position: Int64
    public var positionEnd: Int64

    public init(
        generation: UInt32, track: UInt32, flags: Flags, sampleRate: UInt32, channels: UInt32, frames: UInt32,
        position: Int64, positionEnd: Int64
    ) {
        self.generation = generation
        self.track = track
        self.flags = flags
        self.sampleRate = sampleRate
        self.channels = channels
        self.frames = frames
        self.position = position
        self.positionEnd = positionEnd
    }

    static func skip() -> BlockHeader {
        BlockHeader(
            generation: 0, track: 0, flags: .skip, sampleRate: 0, channels: 0, frames: 0, position: 0, positionEnd: 0)
    }

    static let magic: UInt32 = 0x6d70_7372

    /// The size of the whole record, or `nil` if the numbers are far beyond any valid block.
    var byteCount: Int? {
        guard frames <= 1 << 26, channels <= 8 else { return nil }
        return RingLayout.line + RingLayout.rounded(Int(frames) * Int(channels) * 4)
    }

    /// Writes the header at `address`.
    ///
    /// - Parameter start: The offset of the record in the stream of bytes since the beginning.
    func write(to address: UnsafeMutableRawPointer, start: UInt64, byteCount: Int) {
        let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
            UInt64(Self.magic) | UInt64(byteCount) << 32,
            UInt64(generation) | UInt64(flags.rawValue) << 32,
            UInt64(sampleRate) | UInt64(channels) << 32,
            UInt64(frames) | UInt64(track) << 32,
            UInt64(bitPattern: position), UInt64(bitPattern: positionEnd), start
        )
        func put(_ value: UInt64, _ index: Int) { SharedWord(at: address + index * 8).storeRelaxed(value.littleEndian) }
        put(words.0, 0)
        put(words.1, 1)
        put(words.2, 2)
        put(words.3, 3)
        put(words.4, 4)
        put(words.5, 5)
        put(words.6, 6)
    }

    /// Reads a header without trusting it, or returns `nil` unless everything in it is consistent.
    ///
    /// Each word is read exactly once.
    ///
    /// - Parameters:
    ///   - offset: The offset of the record within the ring.
    ///   - available: The number of bytes from the record up to the head.
    ///   - limit: The size of the largest record with samples.
    static func read(
        from address: UnsafeMutableRawPointer, start: UInt64, offset: Int, available: Int, capacity: Int, limit: Int
    ) -> (header: BlockHeader, byteCount: Int)? {
        func get(_ index: Int) -> UInt64 { SharedWord(at: address + index * 8).loadRelaxed().littleEndian }
        func low(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word) }
        func high(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word >> 32) }
        let (first, second, third, fourth) = (get(0), get(1), get(2), get(3))
        guard low(first) == magic, get(6) == start else { return nil }
        let byteCount = Int(high(first))
        guard byteCount >= RingLayout.line, byteCount % RingLayout.line == 0, byteCount <= available,
            byteCount <= capacity - offset
        else { return nil }
        let header = BlockHeader(
            generation: low(second), track: high(fourth), flags: Flags(rawValue: high(second)), sampleRate: low(third),
            channels: high(third), frames: low(fourth), position: Int64(bitPattern: get(4)),
            positionEnd: Int64(bitPattern: get(5)))
        if header.flags == .skip {
            return byteCount == capacity - offset ? (header, byteCount) : nil
        }
        guard byteCount == header.byteCount, byteCount <= limit, header.isPlausible else { return nil }
        return (header, byteCount)
    }

    /// `true` if the header is within what the contract allows.
    public var isPlausible: Bool {
        (1_000...384_000).contains(sampleRate) && (1...8).contains(channels) && track < Limits.tracks
            && position >= 0 && positionEnd >= position && positionEnd <= Limits.units
            && flags.rawValue & ~Flags.known == 0
            && (frames > 0 || flags.contains(.end) || flags.contains(.trackEnd))
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import CNettle
import MediaPlayback
import PlaybackCore

/// One place as it is stored in the journal.
///
/// The layout is little-endian: magic number, length of the body, SHA-256 of the body, body. The body has the sequence
/// number, the wall clock in milliseconds, track and units, and then owner, kind, engine and URI, each behind its
/// length. A record that was written in part, or partly overwritten, does not match its hash.
struct JournalRecord: Hashable {
    /// The number of the record, which increases with every record of a file.
    var sequence: UInt64
    var place: SavedPlace

    /// The letters RPJ1.
    private static let magic: UInt32 = 0x314A_5052
    private static let headSize = 8 + Int(SHA256_DIGEST_SIZE)

    /// Returns the bytes of the record, or `nil` if they exceed `limit` or the position is negative.
    ///
    /// No real path is long enough to exceed the limit.
    func encoded(limit: Int) -> [UInt8]? {
        guard place.position.track >= 0, place.position.units >= 0 else { return nil }
        var body: [UInt8] = []
        body.append(number: sequence)
        body.append(number: UInt64(bitPattern: place.updatedAt))
        body.append(number: UInt64(place.position.track))
        body.append(number: UInt64(bitPattern: place.position.units))
        for word in [place.owner.rawValue, place.kind.rawValue, place.engine.rawValue, place.uri] {
            body.append(number: UInt32(clamping: word.utf8.count))
            body += word.utf8
        }
        guard Self.headSize + body.count <= limit else { return nil }
        var record: [UInt8] = []
        record.reserveCapacity(Self.headSize + body.count)
        record.append(number: Self.magic)
        record.append(number: UInt32(body.count))
        record += Self.digest(body[...])
        return record + body
    }

    init(sequence: UInt64, place: SavedPlace) {
        self.sequence = sequence
        self.place = place
    }

    /// Reads a record, or returns `nil` if the bytes are not a complete valid record.
    init?(_ bytes: ArraySlice<UInt8>) {
        var head = bytes
        guard head.takeNumber(UInt32.self) == Self.magic, let length = head.takeNumber(UInt32.self),
            let digest = head.take(Int(SHA256_DIGEST_SIZE)), var body = head.take(Int(length)),
            Self.digest(body) == Array(digest)
        else { return nil }
        guard let sequence = body.takeNumber(UInt64.self), let at = body.takeNumber(UInt64.self),
            let track = body.takeNumber(UInt64.self).flatMap(Int.init(exactly:)),
            let units = body.takeNumber(UInt64.self).flatMap(Int64.init(exactly:)),
            let owner = body.takeWord(), let kind = body.takeWord().flatMap(ContentKind.init),
            let engine = body.takeWord(), let uri = body.takeWord()
        else { return nil }
        self.sequence = sequence
        place = SavedPlace(
            owner: OwnerID(owner), uri: uri, kind: kind, engine: EngineID(engine),
            position: MediaPosition(track: track, units: units), provenance: .heard,
            updatedAt: Int64(bitPattern: at))
    }

    /// Returns `true` if this record is of the same item and at least as new.
    func covers(_ other: JournalRecord) -> Bool {
        place.owner == other.place.owner && place.uri == other.place.uri && sequence >= other.sequence
    }

    /// Returns the newest record of each owner and kind.
    static func last(of records: [JournalRecord]) -> [JournalRecord] {
        records.filter { record in
            !records.contains {
                $0.place.owner == record.place.owner && $0.place.kind == record.place.kind
                    && $0.sequence > record.sequence
            }
        }
    }

    private static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        bytes.withUnsafeBufferPointer { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return digest
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take(_ count: Int) -> ArraySlice? {
        guard count >= 0, count <= self.count else { return nil }
        defer { removeFirst(count) }
        return prefix(count)
    }

    fileprivate mutating func takeNumber<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        guard let bytes = take(MemoryLayout<Number>.size) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    fileprivate mutating func takeWord() -> String? {
        guard let length = takeNumber(UInt32.self), let bytes = take(Int(length)) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Glibc
import MediaPlayback
import PlaybackCore

/// The file `places.journal` beside the library: the current place, written eight times a second during playback.
///
/// The file has its full size from the start and is written in place, so that a full disk does not stop it, and a write
/// that is cut short leaves the previous record intact. Eight items have two slots each: the place of one item stays
/// while other items are written, until the library has it.
struct PlaceJournalFile {
    static let slotSize = 16_384
    static let slots = 16
    /// The slots of one item, which is the fewest that are of use.
    private static let fewestSlots = 2

    let path: String
    private let waits: Bool
    private var file: BlockFile?
    /// The slot of the write in progress.
    private var writing: Int?
    private var sequence: UInt64 = 0
    /// The record in each slot, as far as it is known.
    private var records: [JournalRecord?] = []

    /// Creates a journal without touching the file.
    ///
    /// - Parameter waits: `true` to behave as on a file system without asynchronous direct writes.
    init(path: String, waits: Bool = false) {
        self.path = path
        self.waits = waits
    }

    /// Returns the newest valid record of each item, or an empty array if there is no file.
    static func read(_ path: String) -> [JournalRecord] { newest(slots(ofFileAt: path)) }

    /// Removes records from the file, once the library has them.
    ///
    /// Newer records are kept: if the library was out of reach for a while, this session has written some since.
    static func erase(_ path: String, _ records: [JournalRecord]) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        for (slot, record) in slots(ofFileAt: path).enumerated() {
            guard let record, records.contains(where: { $0.covers(record) }) else { continue }
            _ = pwrite(file, [UInt8](repeating: 0, count: 8), 8, off_t(slot * slotSize))
        }
        _ = fdatasync(file)
    }

    private static func slots(ofFileAt path: String) -> [JournalRecord?] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return Array(repeating: nil, count: slots) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: slotSize * slots)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { room in
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
                return pread(file, rest.baseAddress, rest.count, off_t(count))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            count += got
        }
        return (0..<slots).map { JournalRecord(bytes[$0 * slotSize..<($0 + 1) * slotSize]) }
    }

    private static func newest(_ records: [JournalRecord?]) -> [JournalRecord] {
        var newest: [String: JournalRecord] = [:]
        for case let record? in records {
            let key = record.place.owner.rawValue + "\n" + record.place.uri
            if record.sequence >= newest[key]?.sequence ?? 0 { newest[key] = record }
        }
        return newest.values.sorted { $0.sequence < $1.sequence }
    }

    /// Begins to write a place.
    ///
    /// The place survives a power cut once `settle` has returned `true`, or a few milliseconds later if `settle` is not
    /// called.
    mutating func write(_ place: SavedPlace) throws(PlaceStoreError) {
        _ = try settle()
        try openFile()
        let record = JournalRecord(sequence: sequence &+ 1, place: place)
        guard let bytes = record.encoded(limit: Self.slotSize) else { return }
        let slot = slot(for: place)
        try write(bytes, to: slot)
        sequence = record.sequence
        records[slot] = record
    }

    /// Waits for the last write.
    ///
    /// - Returns: `true` if something was written since the last call, and is safe.
    mutating func settle() throws(PlaceStoreError) -> Bool {
        guard let slot = writing, let file else { return false }
        writing = nil
        do {
            return try file.settle()
        } catch {
            // The next write goes to this slot, too, because the other slot of the item is intact.
            records[slot] = nil
            throw failure(error)
        }
    }

    /// Returns the older of the item's own two slots, or else of the pair that was written longest ago.
    private func slot(for place: SavedPlace) -> Int {
        let isOwn = { (record: JournalRecord?) in record?.place.uri == place.uri && record?.place.owner == place.owner }
        func age(_ slot: Int) -> UInt64 { records[slot]?.sequence ?? 0 }
        let pairs = stride(from: 0, to: records.count, by: 2)
        let pair =
            pairs.first { isOwn(records[$0]) || isOwn(records[$0 + 1]) }
            ?? pairs.min { max(age($0), age($0 + 1)) < max(age($1), age($1 + 1)) } ?? 0
        return age(pair) <= age(pair + 1) ? pair : pair + 1
    }

    /// Removes the records of an item, once the library has a place of it made at `time` or later.
    mutating func forget(owner: OwnerID, uri: String, upTo time: Int64) throws(PlaceStoreError) {
        for (slot, _) in outdated(owner: owner, uri: uri, upTo: time) {
            _ = try settle()
            // If the power fails before this is on the disk, the time of the library's place still decides.
            try write([UInt8](repeating: 0, count: 8), to: slot)
            records[slot] = nil
        }
    }

    /// Returns the records that are to go once the library has a place of the item made at `time` or later.
    ///
    /// The oldest comes first: wherever the removal is cut short, no record is left that a newer one had replaced.
    func outdated(owner: OwnerID, uri: String, upTo time: Int64) -> [(slot: Int, record: JournalRecord)] {
        let own = records.enumerated().compactMap { slot, record -> (slot: Int, record: JournalRecord)? in
            guard let record, record.place.owner == owner, record.place.uri == uri else { return nil }
            return (slot, record)
        }
        // Records with a lower sequence number are older, even if the clock was ahead when they were written.
        let known = own.filter { $0.record.place.updatedAt <= time }.map(\.record.sequence).max() ?? 0
        return own.filter { $0.record.sequence <= known }.sorted { $0.record.sequence < $1.record.sequence }
    }

    private mutating func write(_ bytes: [UInt8], to slot: Int) throws(PlaceStoreError) {
        do {
            writing = slot
            try file?.begin(bytes, at: slot * Self.slotSize)
        } catch {
            writing = nil
            records[slot] = nil
            throw failure(error)
        }
    }

    private mutating func openFile() throws(PlaceStoreError) {
        if file?.isLinked == true { return }
        file = nil
        do {
            file = try BlockFile(
                path: path, size: Self.slotSize * Self.slots, least: Self.slotSize * Self.fewestSlots,
                largest: Self.slotSize, waits: waits)
        } catch {
            throw failure(error)
        }
        // The directory entry has to survive a power cut, too.
        syncFolder()
        let count = (file?.size ?? 0) / Self.slotSize / 2 * 2
        records = Array(Self.slots(ofFileAt: path).prefix(count))
        sequence = records.compactMap { $0?.sequence }.max() ?? 0
    }

    private func syncFolder() {
        guard let end = path.lastIndex(of: "/") else { return }
        let folder = open(String(path[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        close(folder)
    }

    private func failure(_ failure: BlockFile.Failure) -> PlaceStoreError {
        PlaceStoreError(
            failure.code == ENOSPC || failure.code == EDQUOT ? .diskFull : .unavailable,
            "\(path): \(failure.call): \(String(cString: strerror(failure.code)))")
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Glibc
import MediaPlayback
import PlaybackCore

/// `places.journal` beside the library: where listening is now, written some seven times a second while something sounds.
///
/// The file has its full size from the start and is written in place, so that a full disk does not stop it, and a write
/// that was cut short leaves the record before it. Two items have two slots each: what one was left at stands while the
/// next one is written, until the library has it.
struct PlaceJournalFile {
    static let slotSize = 16_384
    static let slots = 4

    let path: String
    private var descriptor: Int32 = -1
    private var sequence: UInt64 = 0
    /// What is in each slot, as far as it is known.
    private var records: [JournalRecord?] = Array(repeating: nil, count: slots)

    init(path: String) {
        self.path = path
    }

    /// Whole records of the file, the newest of each item; none if there is no file.
    static func read(_ path: String) -> [JournalRecord] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return newest(slots(of: file))
    }

    /// Forgets all records, once the library has them.
    static func erase(_ path: String) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        for slot in 0..<slots { _ = pwrite(file, [UInt8](repeating: 0, count: 8), 8, off_t(slot * slotSize)) }
        _ = fdatasync(file)
    }

    private static func slots(of file: Int32) -> [JournalRecord?] {
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

    /// Writes a place; when this returns, it survives a power cut.
    mutating func write(_ place: SavedPlace) throws(PlaceStoreError) {
        try openFile()
        let record = JournalRecord(sequence: sequence + 1, place: place)
        guard let bytes = record.encoded(limit: Self.slotSize) else { return }
        let slot = slot(for: place)
        try write(bytes, to: slot)
        sequence += 1
        records[slot] = record
        guard fdatasync(descriptor) == 0 else { throw failure("fdatasync") }
    }

    /// The older of the item's own two slots, else of the pair that was written longest ago.
    private func slot(for place: SavedPlace) -> Int {
        let isOwn = { (record: JournalRecord?) in record?.place.uri == place.uri && record?.place.owner == place.owner }
        func age(_ slot: Int) -> UInt64 { records[slot]?.sequence ?? 0 }
        let pair =
            [0, 2].first { isOwn(records[$0]) || isOwn(records[$0 + 1]) }
            ?? [0, 2].min { max(age($0), age($0 + 1)) < max(age($1), age($1 + 1)) } ?? 0
        return age(pair) <= age(pair + 1) ? pair : pair + 1
    }

    /// The library has a place of this item that is as new.
    mutating func forget(owner: OwnerID, uri: String, upTo time: Int64) throws(PlaceStoreError) {
        for slot in records.indices {
            guard let place = records[slot]?.place, place.owner == owner, place.uri == uri, place.updatedAt <= time
            else { continue }
            // If this is not on the disk before the power goes, the time of the library's place tells.
            try write([UInt8](repeating: 0, count: 8), to: slot)
            records[slot] = nil
        }
    }

    private func write(_ bytes: [UInt8], to slot: Int) throws(PlaceStoreError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { whole in
                let rest = UnsafeRawBufferPointer(rebasing: whole[done...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(slot * Self.slotSize + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("pwrite") }
            done += count
        }
    }

    private mutating func openFile() throws(PlaceStoreError) {
        if descriptor >= 0 {
            // Somebody removed it: what is written to the open one would be lost.
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return }
            closeFile()
        }
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("open") }
        let error = posix_fallocate(descriptor, 0, off_t(Self.slotSize * Self.slots))
        guard error == 0 else {
            errno = error
            let failure = failure("posix_fallocate")
            closeFile()
            throw failure
        }
        // Its name, too, has to survive.
        guard fsync(descriptor) == 0 else { throw failure("fsync") }
        syncFolder()
        records = Self.slots(of: descriptor)
        sequence = records.compactMap { $0?.sequence }.max() ?? 0
    }

    private func syncFolder() {
        guard let end = path.lastIndex(of: "/") else { return }
        let folder = open(String(path[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        close(folder)
    }

    mutating func closeFile() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func failure(_ call: String) -> PlaceStoreError {
        let code = errno
        return PlaceStoreError(
            code == ENOSPC || code == EDQUOT ? .diskFull : .unavailable,
            "\(path): \(call): \(String(cString: strerror(code)))")
    }
}

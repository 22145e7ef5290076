// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import MediaPlayback

/// The files of the reading list: each document as it was sent, and one entry for each, in JSON.
///
/// A file is written under another name and brought to the disk before it is named, so that a kill loses nothing that was
/// there. An entry that cannot be read is left where it is, and is not listed.
struct ReadingListFolder: Sendable {
    let path: String

    private static let ending = ".entry.json"
    private static let largestEntry = 64 << 10
    private static let step = 1 << 20

    func entries() -> [ReadingListEntry] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var entries: [ReadingListEntry] = []
        while let item = readdir(folder) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(Self.ending), name.first != ".", let entry = entry(name) else { continue }
            entries.append(entry)
        }
        return entries.sorted { ($0.addedAt, $0.id) > ($1.addedAt, $1.id) }
    }

    private func entry(_ name: String) -> ReadingListEntry? {
        let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.largestEntry)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0, let entry = try? JSONDecoder().decode(ReadingListEntry.self, from: Data(bytes[..<count])),
            entry.id + Self.ending == name, !entry.file.utf8.contains(UInt8(ascii: "/")),
            access(path(of: entry), R_OK) == 0
        else { return nil }
        return entry
    }

    func path(of entry: ReadingListEntry) -> String { "\(path)/\(entry.file)" }

    func write(_ entry: ReadingListEntry) throws(ItemError) {
        guard let data = try? JSONEncoder().encode(entry) else {
            throw ItemError(.unreadable, "the reading list cannot be written: \(entry.url)")
        }
        try write("\(entry.id)\(Self.ending)") { file in
            data.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == data.count
        }
    }

    /// Copies a document into the folder.
    func write(_ page: ReceivedPage, as name: String) throws(ItemError) {
        try write(name) { file in
            var buffer = [UInt8](repeating: 0, count: Self.step)
            var place: off_t = 0
            while true {
                let count = pread(page.descriptor, &buffer, buffer.count, place)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return false }
                if count == 0 { return true }
                var done = 0
                while done < count {
                    let written = buffer[done..<count].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                    if written < 0, errno == EINTR { continue }
                    guard written > 0 else { return false }
                    done += written
                }
                place += off_t(count)
            }
        }
    }

    func remove(_ entry: ReadingListEntry) throws(ItemError) {
        guard unlink("\(path)/\(entry.id)\(Self.ending)") == 0 || errno == ENOENT else { throw failure() }
        unlink(path(of: entry))
    }

    private func write(_ name: String, _ fill: (Int32) -> Bool) throws(ItemError) {
        try makeFolder()
        let draft = "\(path)/.\(name).\(getpid())"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure() }
        defer { close(file) }
        guard fill(file), fsync(file) == 0, rename(draft, "\(path)/\(name)") == 0 else {
            let error = failure()
            unlink(draft)
            throw error
        }
    }

    private func makeFolder() throws(ItemError) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw failure() }
        }
    }

    private func failure() -> ItemError {
        ItemError(.unreadable, "the reading list cannot be written: \(path): \(String(cString: strerror(errno)))")
    }
}

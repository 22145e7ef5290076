// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import DocumentOrders
import Glibc
import MediaPlayback

/// The folder with what was made of documents, of bounded size.
///
/// A draft has no name until it is complete, so a kill leaves nothing. Nothing in the folder is trusted: a script file that is
/// damaged is refused by its reader, and made anew. What was used longest ago is removed first.
struct DocumentCache: Sendable {
    /// The reading text and the script of a document.
    struct Files {
        var text: SharedDescriptor
        var script: SharedDescriptor
    }

    let folder: String
    /// The total size of all files, in bytes.
    var limit: Int64 = 512 << 20

    /// Returns the key of a document with what it is made with; `nil` for a pipe.
    ///
    /// A file is known by its inode and the time of its last change, which no program can set back.
    static func key(of descriptor: Int32, _ order: DocumentOrder, _ dictionary: Int32?) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var words = [UInt64(DocumentOrder.version)] + identity(status)
        if let dictionary {
            var other = stat()
            guard fstat(dictionary, &other) == 0 else { return nil }
            words += identity(other)
        }
        // FNV-1a of the order: the name decides the format of some files.
        words.append(order.encoded.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        return words.map { String($0, radix: 36) }.joined(separator: "-")
    }

    private static func identity(_ status: stat) -> [UInt64] {
        [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(clamping: status.st_size),
            UInt64(bitPattern: Int64(status.st_ctim.tv_sec)), UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)), UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
        ]
    }

    func open(_ key: String) -> Files? {
        let opened = ["text", "script"].compactMap { ending -> SharedDescriptor? in
            let raw = Glibc.open("\(folder)/\(key).\(ending)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard raw >= 0 else { return nil }
            let descriptor = SharedDescriptor(owning: raw)
            var status = stat()
            guard fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            // Marks the file as just used.
            futimens(raw, nil)
            return descriptor
        }
        return opened.count == 2 ? Files(text: opened[0], script: opened[1]) : nil
    }

    /// Returns two empty files without a name.
    func begin(_ name: String) throws(ItemError) -> Files {
        makeFolder()
        return Files(text: try draft(name), script: try draft(name))
    }

    private func draft(_ name: String) throws(ItemError) -> SharedDescriptor {
        var raw = gnu_open_nameless(folder, 0o600)
        // A disk that is full or read-only keeps nothing; memory does.
        if raw < 0 { raw = ctransport_memory_descriptor("rostrum-document") }
        guard raw >= 0 else {
            throw ItemError(.unreadable, "\(name): no room for what is read: \(String(cString: strerror(errno)))")
        }
        return SharedDescriptor(owning: raw)
    }

    /// Keeps a complete draft, if the disk does; returns files that cannot be written to any more where that is possible.
    func keep(_ draft: Files, as key: String) -> Files {
        for (file, ending) in [(draft.text, "text"), (draft.script, "script")] {
            let path = "\(folder)/\(key).\(ending)"
            unlink(path)
            guard gnu_link_nameless(file.rawValue, path) == 0 else { return draft }
        }
        makeRoom(keeping: key)
        return open(key) ?? draft
    }

    private func makeFolder() {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
    }

    /// Removes the documents that were used longest ago until the rest is within the limit.
    private func makeRoom(keeping kept: String) {
        var files: [(name: String, used: timespec, size: Int64)] = []
        guard let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard name.first != ".", lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            files.append((name, status.st_mtim, Int64(status.st_size)))
        }
        var total = files.reduce(0) { $0 + $1.size }
        files.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
        for file in files where total > limit && !file.name.hasPrefix(kept) {
            unlink("\(folder)/\(file.name)")
            total -= file.size
        }
    }
}

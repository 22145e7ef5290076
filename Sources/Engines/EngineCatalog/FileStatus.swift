// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// What of a file decides whether it is trusted, and whether it is still the same.
struct FileStatus: Hashable {
    var mode: UInt32
    var owner: UInt32
    var inode: UInt64
    var modified: Int64
    var modifiedNanoseconds: Int
    var changed: Int64
    var changedNanoseconds: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        mode = UInt32(status.st_mode)
        owner = status.st_uid
        inode = UInt64(status.st_ino)
        modified = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = status.st_mtim.tv_nsec
        changed = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = status.st_ctim.tv_nsec
    }

    var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    /// The folder as somewhere to replace an entry that is there: if it is sticky, who may write in it may not.
    var asParent: FileStatus {
        var status = self
        if mode & UInt32(S_ISVTX) != 0 { status.mode &= ~0o022 }
        return status
    }

    var isFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

    /// Why others than root and `user` could change it, or nil.
    func distrust(user: UInt32) -> String? {
        if owner != 0, owner != user { return "belongs to another user" }
        if mode & 0o022 != 0 { return "may be written by others: chmod go-w" }
        return nil
    }

    /// Without links and dots; nil if there is no such file.
    static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// It was not given out, which says nothing about what is in it.
    struct Unreadable: Error {}

    /// The whole of a small file, and its status at that time; nil if it is no file, cannot be read, or is larger than `limit`.
    static func read(_ path: String, limit: Int) -> (bytes: [UInt8], status: FileStatus)? {
        do throws(Unreadable) {
            return try contents(of: path, limit: limit)
        } catch {
            return nil
        }
    }

    /// Nil if it is no file, or larger than `limit`.
    static func contents(of path: String, limit: Int) throws(Unreadable) -> (bytes: [UInt8], status: FileStatus)? {
        var found = stat()
        let descriptor = gnu_open_file(path, O_NONBLOCK, &found)
        if descriptor == -2 { return nil }
        guard descriptor >= 0 else { throw Unreadable() }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.isFile else { return nil }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 8192)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Unreadable() }
            if count == 0 { return (bytes, status) }
            bytes += part.prefix(count)
        }
        return nil
    }

    /// Names in a folder, sorted; empty if it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }
}

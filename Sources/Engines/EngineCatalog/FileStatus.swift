// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// The properties of a file that decide whether it is trusted, and whether it is unchanged.
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
    /// The status of a folder as the parent of an entry that could be replaced.
    ///
    /// In a sticky folder, a user who may write to the folder still may not replace an existing entry.
    var asParent: FileStatus {
        var status = self
        if mode & UInt32(S_ISVTX) != 0 { status.mode &= ~0o022 }
        return status
    }

    var isFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

    /// Returns the reason why users other than root and `user` could change the file, or `nil`.
    func distrust(user: UInt32) -> String? {
        if owner != 0, owner != user { return "belongs to another user" }
        if mode & 0o022 != 0 { return "may be written by others: chmod go-w" }
        return nil
    }

    /// Returns a path without links and dots, or `nil` if there is no such file.
    static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// A failure to read a file, which says nothing about its content.
    struct Unreadable: Error {}

    /// Returns the whole content of a small file, and its status at that time.
    ///
    /// It returns `nil` if the path is not a file, cannot be read, or is larger than `limit`.
    static func read(_ path: String, limit: Int) -> (bytes: [UInt8], status: FileStatus)? {
        do throws(Unreadable) {
            return try contents(of: path, limit: limit)
        } catch {
            return nil
        }
    }

    /// Returns the whole content of a small file and its status, or `nil` if it is not a file or is larger than
    /// `limit`.
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

    /// Returns the names in a folder, sorted; the list is empty if the folder cannot be read.
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

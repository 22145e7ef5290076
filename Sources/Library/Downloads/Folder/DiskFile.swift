// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Single calls on files, with faults that say what to do.
enum DiskFile {
    static func draftName(_ name: String) -> String { name.first == "." ? "\(name).new" : ".\(name).new" }

    /// Returns the content of a regular file that is no larger than the limit.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(done)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            done += count
        }
        return bytes
    }

    /// Writes a file under another name, brings it to the disk, and then gives it its name.
    static func replace(_ path: String, with bytes: [UInt8]) throws(DownloadFault) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let (folder, name) = (String(path[..<slash]), String(path[slash...].dropFirst()))
        let draft = "\(folder)/\(draftName(name))"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw fault(path) }
        defer { close(file) }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let cause = fault(path)
                unlink(draft)
                throw cause
            }
            done += count
        }
        guard fsync(file) == 0, rename(draft, path) == 0 else {
            let cause = fault(path)
            unlink(draft)
            throw cause
        }
        sync(folder: folder)
    }

    static func makeFolder(_ path: String) throws(DownloadFault) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o755) == 0 || errno == EEXIST || access(made, F_OK) == 0 else { throw fault(made) }
        }
    }

    /// Removes a file; one that is not there is no fault.
    static func remove(_ path: String) throws(DownloadFault) {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw fault(path) }
    }

    /// Returns the size of a regular file.
    static func size(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Opens a draft that is as long as what is known of it.
    static func openDraft(_ path: String, bytes: Int64) throws(DownloadFault) -> Int32 {
        // One that starts over is another file: whoever still writes into the old one does no harm.
        if bytes == 0 { try remove(path) }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { throw fault(path) }
        guard ftruncate(file, off_t(bytes)) == 0 else {
            let cause = fault(path)
            close(file)
            throw cause
        }
        return file
    }

    static func length(_ file: Int32) -> Int64 {
        var status = stat()
        return fstat(file, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Brings a complete draft to the disk and gives it its name.
    static func finish(_ file: Int32, _ draft: String, as path: String) throws(DownloadFault) {
        guard fsync(file) == 0, rename(draft, path) == 0 else { throw fault(path) }
        sync(folder: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    }

    private static func sync(folder: String) {
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }

    /// Returns the fault that `errno` stands for.
    static func fault(_ path: String) -> DownloadFault {
        let cause = errno
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(cause)
        let advice = isFull ? "; make room, and download it again" : ""
        return DownloadFault(
            isFull ? .full : .disk, "\(path) cannot be written: \(String(cString: strerror(cause)))\(advice)")
    }

    /// Returns what tells one start of the machine from another.
    static func boot() -> String? {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].filter { $0 > 0x20 }, as: UTF8.self) : nil
    }
}

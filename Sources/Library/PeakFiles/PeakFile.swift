// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open file of the cache, read and written at offsets.
///
/// It closes its descriptor. It is used by one task at a time.
final class PeakFile {
    let path: String
    private let descriptor: Int32

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a regular file to be read; `nil` if there is none.
    static func open(_ path: String) -> PeakFile? {
        let raw = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard raw >= 0 else { return nil }
        let file = PeakFile(path: path, descriptor: raw)
        return file.size == nil ? nil : file
    }

    /// Opens or creates a file to be read and written.
    static func create(_ path: String, empty: Bool = false) throws(PeakFileError) -> PeakFile {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (empty ? O_TRUNC : 0)
        let raw = Glibc.open(path, flags, 0o600)
        guard raw >= 0 else { throw PeakFileError("create", path) }
        let file = PeakFile(path: path, descriptor: raw)
        guard file.size != nil else { throw PeakFileError(.io, "\(path) is not a file") }
        return file
    }

    /// The size in bytes; `nil` for anything but a regular file.
    var size: Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Locks the file for as long as it is open; returns `false` if another process has it.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Marks the file as just used.
    func touch() { futimens(descriptor, nil) }

    func truncate(to size: Int64) throws(PeakFileError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw PeakFileError("shorten", path) }
    }

    /// Makes sure that everything is on the disk.
    func sync() throws(PeakFileError) {
        guard fdatasync(descriptor) == 0 else { throw PeakFileError("write", path) }
    }

    /// Returns `count` bytes at an offset, or `nil` if there are fewer.
    func read(at offset: Int64, count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0 else { return nil }
        var isComplete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let result = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + off_t(filled))
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { break }
                filled += result
            }
            isComplete = filled == count
        }
        return isComplete ? bytes : nil
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(PeakFileError) {
        var written = 0
        while written < bytes.count {
            let result = bytes[written...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset) + off_t(written))
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw PeakFileError("write", path, code: result == 0 ? ENOSPC : errno) }
            written += result
        }
    }
}

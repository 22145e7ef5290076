// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// A file of blocks that are written in place, each of which is on the disk when its write is done.
///
/// Where kernel and file system support asynchronous direct writes, no thread waits for the disk. `pwrite` and
/// `fdatasync` would wake their thread three times, which costs more than the rest of a session that plays. They are
/// the fallback, and block.
///
/// For one thread at a time.
final class BlockFile {
    /// The alignment of direct writes in bytes: no common disk has larger sectors.
    static let block = 4096

    struct Failure: Error {
        var call: String
        var code: Int32

        init(_ call: String, code: Int32 = errno) {
            self.call = call
            self.code = code
        }
    }

    /// The size of the file in bytes.
    let size: Int
    private let descriptor: Int32
    /// The file descriptor and the queue for direct writes, or `nil` if `pwrite` and `fdatasync` are used.
    private var direct: (descriptor: Int32, queue: UInt64)?
    /// The buffer that the kernel reads from while a write is in progress.
    private let buffer: UnsafeMutableRawBufferPointer
    /// The number of bytes of the write in progress.
    private var count: Int?
    /// `true` if a finished write is on the disk and `settle` has not reported it yet.
    private var isDone = false

    /// Creates or opens the file, and allocates its full size, so that a full disk cannot stop later writes.
    ///
    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - least: The smallest acceptable size of an existing file that cannot grow, or `nil` for `size`.
    ///   - largest: The largest number of bytes in one write.
    ///   - waits: `true` to use `pwrite` and `fdatasync` even if the file system supports direct writes.
    init(path: String, size: Int, least: Int? = nil, largest: Int, waits: Bool = false) throws(Failure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Failure("open") }
        var status = stat()
        let before = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        var size = size
        var error = posix_fallocate(descriptor, 0, off_t(size))
        if error != 0, before < size, before >= least ?? size {
            size = before
            error = posix_fallocate(descriptor, 0, off_t(size))
        }
        var failure = error == 0 ? nil : Failure("posix_fallocate", code: error)
        if failure == nil, fsync(descriptor) != 0 { failure = Failure("fsync") }
        if let failure {
            close(descriptor)
            throw failure
        }
        self.size = size
        self.descriptor = descriptor
        buffer = .allocate(byteCount: Self.whole(largest), alignment: Self.block)
        if !waits { direct = Self.openDirect(path) }
    }

    deinit {
        leaveDirect()
        close(descriptor)
        buffer.deallocate()
    }

    /// `false` if the file was removed, so that writes to it would be lost.
    var isLinked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Begins a write, which is filled up with zeros to the end of its last block.
    ///
    /// - Precondition: No write is in progress.
    func begin(_ bytes: [UInt8], at offset: Int) throws(Failure) {
        precondition(count == nil && Self.whole(bytes.count) <= buffer.count)
        isDone = false
        let whole = Self.whole(bytes.count)
        buffer.copyBytes(from: bytes)
        UnsafeMutableRawBufferPointer(rebasing: buffer[bytes.count..<whole]).initializeMemory(
            as: UInt8.self, repeating: 0)
        if let direct {
            if gnu_write_begin(direct.queue, direct.descriptor, buffer.baseAddress, whole, off_t(offset)) == 0 {
                count = whole
                return
            }
            // The file system accepted the flags when the file was opened, but does not accept the write.
            leaveDirect()
        }
        var done = 0
        while done < whole {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[done..<whole])
            let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Failure("pwrite") }
            done += written
        }
        guard fdatasync(descriptor) == 0 else { throw Failure("fdatasync") }
        isDone = true
    }

    /// Waits for the write in progress.
    ///
    /// - Returns: `true` if a write has finished since the last call and is on the disk.
    func settle() throws(Failure) -> Bool {
        if let count, let direct {
            self.count = nil
            let written = gnu_write_end(direct.queue)
            guard written == count else { throw Failure("write", code: written < 0 ? errno : EIO) }
            isDone = true
        }
        defer { isDone = false }
        return isDone
    }

    private func leaveDirect() {
        guard let direct else { return }
        // This waits for a write in progress, which reads from the buffer.
        gnu_write_queue_end(direct.queue)
        close(direct.descriptor)
        self.direct = nil
        count = nil
    }

    private static func openDirect(_ path: String) -> (Int32, UInt64)? {
        let descriptor = gnu_open_direct(path)
        if descriptor < 0 { return nil }
        var queue: UInt64 = 0
        if gnu_write_queue(&queue) == 0 { return (descriptor, queue) }
        close(descriptor)
        return nil
    }

    private static func whole(_ count: Int) -> Int { (count + block - 1) / block * block }
}

// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// A file of blocks that are written in place, each on the disk when its write is done.
///
/// Where kernel and file system know asynchronous direct writes, nobody waits for the disk: `pwrite` and `fdatasync` wake
/// their thread three times, and cost more than the rest of a session that plays. Elsewhere they do it, and take their time.
///
/// For one thread at a time.
final class BlockFile {
    /// Direct writes begin and end at multiples of it: no common disk has larger sectors.
    static let block = 4096

    struct Failure: Error {
        var call: String
        var code: Int32

        init(_ call: String, code: Int32 = errno) {
            self.call = call
            self.code = code
        }
    }

    /// In bytes.
    let size: Int
    private let descriptor: Int32
    /// nil: `pwrite` and `fdatasync`.
    private var direct: (descriptor: Int32, queue: UInt64)?
    /// What the kernel reads from while a write is under way.
    private let buffer: UnsafeMutableRawBufferPointer
    /// Bytes of the write that is under way.
    private var count: Int?
    /// The write that is done was found to be on the disk.
    private var isDone = false

    /// Makes the file, or opens it, and gives it its whole size, so that a full disk cannot stop it later.
    ///
    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - least: what a file that is there and cannot get larger has to have; nil: all of `size`.
    ///   - largest: bytes of a write at most.
    ///   - waits: as if the file system knew no direct writes.
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

    /// False if somebody removed it: what is written to it would be lost.
    var isLinked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Begins a write, with zeros up to the end of its last block.
    ///
    /// - Precondition: no write is under way.
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
            // A file system that took the flags and does not take the write.
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

    /// Waits for the write that is under way.
    ///
    /// - Returns: a write has come to its end since the last call, and is on the disk.
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
        // Waits for a write that is under way: it reads from the buffer.
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

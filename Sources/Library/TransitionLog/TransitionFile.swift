// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The log's file, which is opened by the first write, appended to, and renamed when it is full.
///
/// All calls block, and are made on the writer's queue only.
struct TransitionFile: ~Copyable {
    /// The path of `transitions.jsonl`.
    ///
    /// Older files are `transitions.jsonl.1` (the newest) to `.4`.
    let path: String
    static let olderFiles = 4

    private var descriptor: Int32 = -1
    private(set) var size: Int64 = 0
    private var isTorn = false

    init(path: String) { self.path = path }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var isOpen: Bool { descriptor >= 0 }

    /// Opens the file if it is not open yet.
    ///
    /// - Returns: The number of the last record in the file, or in the one before it; `nil` if there is none, or if the
    ///   file was open already.
    /// - Throws: `errno`.
    mutating func open() throws(Errno) -> Int64? {
        if isOpen { return nil }
        Self.makeFolders(for: path)
        let opened = Glibc.open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard opened >= 0 else { throw Errno() }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw Errno(value: EINVAL)
        }
        descriptor = opened
        size = Int64(status.st_size)
        let tail = LogTail(descriptor: opened, size: size)
        isTorn = tail.isTorn
        return tail.sequence ?? Self.lastSequence(ofFileAt: "\(path).1")
    }

    /// `false` if the open file was removed or renamed by someone else.
    var isStillThere: Bool {
        var mine = stat()
        var named = stat()
        return isOpen && fstat(descriptor, &mine) == 0 && stat(path, &named) == 0 && mine.st_ino == named.st_ino
            && mine.st_dev == named.st_dev
    }

    /// Appends whole lines with one `write`, or removes what was written of them.
    mutating func append(_ bytes: [UInt8]) throws(Errno) {
        guard isOpen else { throw Errno(value: EBADF) }
        if isTorn {
            // What was written of the last line stays, on a line of its own.
            guard write(descriptor, "\n", 1) == 1 else { throw Errno() }
            size += 1
            isTorn = false
        }
        var written: Int
        repeat { written = write(descriptor, bytes, bytes.count) } while written < 0 && errno == EINTR
        if written == bytes.count {
            size += Int64(written)
            return
        }
        let failure = written < 0 ? Errno() : Errno(value: ENOSPC)
        if written > 0 {
            var status = stat()
            let kept = fstat(descriptor, &status) == 0 ? Int64(status.st_size) - Int64(written) : -1
            if kept < 0 || ftruncate(descriptor, off_t(kept)) != 0 {
                size += Int64(written)
                isTorn = true
            }
        }
        throw failure
    }

    /// Closes the file, and renames it and the older ones.
    ///
    /// The next `open` creates a new file.
    mutating func rotate() {
        shut()
        for index in stride(from: Self.olderFiles - 1, through: 1, by: -1) {
            rename("\(path).\(index)", "\(path).\(index + 1)")
        }
        rename(path, "\(path).1")
    }

    mutating func shut() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        size = 0
        isTorn = false
    }

    private static func lastSequence(ofFileAt path: String) -> Int64? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return LogTail(descriptor: descriptor, size: Int64(status.st_size)).sequence
    }

    /// Creates the missing folders, accessible to their owner only.
    ///
    /// A failure becomes visible when the file is opened.
    private static func makeFolders(for path: String) {
        for (index, byte) in zip(path.utf8.indices, path.utf8) where byte == UInt8(ascii: "/") {
            let folder = String(path[..<index])
            if !folder.isEmpty { mkdir(folder, 0o700) }
        }
    }
}

/// An error number of the C library.
struct Errno: Error, Equatable {
    var value: Int32

    init(value: Int32) { self.value = value }
    init() { value = errno }
}

// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import MediaPlayback

/// A path as the kernel knows it, which need not be UTF-8.
typealias PathBytes = [UInt8]

/// Asks the file system what a path is, and reads the few bytes that are needed.
///
/// All calls block.
enum FileProbe {
    enum Finding: Equatable {
        case file(size: Int64)
        case folder(FileIdentity)
        /// A socket, a device or a pipe.
        case other(String)
    }

    struct FileIdentity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    static let sniffedBytes = 4096
    /// The maximum size of a playlist or cue sheet in bytes.
    static let longestList = 4 << 20

    static func look(at path: PathBytes) throws(ItemError) -> Finding {
        var status = stat()
        guard withPointer(to: path, { stat($0, &status) }) == 0 else { throw failure(errno, path) }
        return finding(status)
    }

    /// Returns the path of a name in a folder.
    static func path(of name: PathBytes, in folder: PathBytes) -> PathBytes {
        folder.last == UInt8(ascii: "/") ? folder + name : folder + [UInt8(ascii: "/")] + name
    }

    static func look(at descriptor: Int32, name: String) throws(ItemError) -> Finding {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw ItemError(.unreadable, "\(name): it is not open; pass it again")
        }
        return finding(status)
    }

    /// Returns the first bytes of a file.
    static func sniff(_ path: PathBytes) throws(ItemError) -> [UInt8] {
        try read(path, atMost: sniffedBytes)
    }

    static func sniff(_ descriptor: Int32, name: String) throws(ItemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: sniffedBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else {
            let message =
                errno == ESPIPE ? "audio cannot be played from a pipe; save it to a file first" : reason(errno)
            throw ItemError(errno == ESPIPE ? .unsupported : .unreadable, "\(name): \(message)")
        }
        return Array(bytes.prefix(count))
    }

    static func read(_ path: PathBytes, atMost limit: Int) throws(ItemError) -> [UInt8] {
        let descriptor = open(path)
        guard descriptor >= 0 else { throw failure(errno, path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = bytes[filled...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno, path) }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(limit - filled)
        return bytes
    }

    /// Opens a regular file, and refuses anything that has replaced it in the meantime.
    ///
    /// - Returns: A file descriptor that the caller owns, or a negative number with `errno` set.
    static func open(_ path: PathBytes) -> Int32 {
        var status = stat()
        return withPointer(to: path) {
            let descriptor = gnu_open_file($0, O_NONBLOCK, &status)
            if descriptor == -2 { errno = EINVAL }
            return descriptor
        }
    }

    static func failure(_ number: Int32, _ path: PathBytes) -> ItemError {
        let name = String(decoding: path, as: UTF8.self)
        return switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG: ItemError(.missing, "\(name): no such file or folder; check the path")
        default: ItemError(.unreadable, "\(name): \(reason(number))")
        }
    }

    static func withPointer<Value>(to path: PathBytes, _ body: (UnsafePointer<CChar>) -> Value) -> Value {
        body(path.map { CChar(bitPattern: $0) } + [0])
    }

    private static func reason(_ number: Int32) -> String {
        switch number {
        case EACCES, EPERM: "it cannot be read; check its permissions and those of its folders"
        case ELOOP: "its symbolic links form a loop"
        case EIO: "its disk cannot read it (input/output error)"
        default: "it cannot be read (error \(number))"
        }
    }

    private static func finding(_ status: stat) -> Finding {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file(size: Int64(status.st_size))
        case S_IFDIR: .folder(FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
        case S_IFSOCK: .other("a socket")
        case S_IFIFO: .other("a pipe")
        default: .other("a device")
        }
    }
}

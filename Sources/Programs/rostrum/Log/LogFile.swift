// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol

/// An open log that is read line by line, continuing where the last read ended.
final class LogFile {
    private let descriptor: Int32
    private var framer = LineFramer(limit: 64 << 20)

    /// Opens the log; `nil` if it does not exist.
    init?(path: String) throws(SessionError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw SessionError(.badContent, "unreadable: \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Passes on the complete lines up to the current end of the file.
    func readLines(_ body: ([UInt8]) throws(SessionError) -> Void) throws(SessionError) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw SessionError(.io, "cannot read the log: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return }
            guard let lines = try? framer.receive(buffer[..<count]) else {
                throw SessionError(.badContent, "corrupt log: a line of more than 64 MiB; remove the file")
            }
            for line in lines { try body(line) }
        }
    }

    /// Returns `true` if `path` still names this file and it has not been truncated.
    func isCurrent(_ path: String) -> Bool {
        var own = stat()
        var named = stat()
        guard fstat(descriptor, &own) == 0, stat(path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev && lseek(descriptor, 0, SEEK_CUR) <= own.st_size
    }
}

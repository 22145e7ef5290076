// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol

/// A reader that follows a log as it grows, and continues in the next file when it is rotated.
struct LogFollower {
    let path: String

    func run(_ body: ([UInt8]) throws(SessionError) -> Void) throws(SessionError) -> Never {
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        // If the log does not exist yet, the first session creates it.
        try PrivateFolder.create(folder)
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM)
        guard watch >= 0, inotify_add_watch(watch, folder, events) >= 0 else {
            throw SessionError(.unavailable, "cannot watch: \(folder): \(String(cString: strerror(errno)))")
        }
        var file = try LogFile(path: path)
        while true {
            try file?.readLines(body)
            if file?.isCurrent(path) != true {
                // Something may have been written between the last read and the rotation.
                try file?.readLines(body)
                let next = try LogFile(path: path)
                file = next
                if next != nil { continue }
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            guard read(watch, &buffer, buffer.count) > 0 || errno == EINTR else {
                throw SessionError(.io, "cannot watch: \(folder): \(String(cString: strerror(errno)))")
            }
        }
    }
}

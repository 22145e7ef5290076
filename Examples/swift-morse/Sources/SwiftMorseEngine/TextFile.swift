// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Glibc

/// The bytes behind a descriptor, which may be a pipe.
enum TextFile {
    private static let limit = 16 << 20

    /// Reads all bytes.
    ///
    /// Closes the descriptor, which belongs to the engine once the host has handed it over.
    static func read(_ descriptor: Int32, name: String, host: Host) throws(EngineFailure) -> [UInt8] {
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while text.count <= limit {
            // A pipe may take long. If the user has moved on to something else, the host says so.
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, 50) == 0, !host.isInterrupted {}
            if host.isInterrupted { throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "interrupted") }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return text }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw EngineFailure(ROSTRUM_ERROR_IO, "\(name): cannot read it: \(String(cString: strerror(errno)))")
            }
            text += buffer.prefix(count)
        }
        throw EngineFailure(ROSTRUM_ERROR_UNSUPPORTED, "\(name): longer than \(limit >> 20) MB")
    }
}

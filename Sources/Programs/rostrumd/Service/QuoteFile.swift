// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import CTransport
import Glibc
import MediaPlayback
import PlaybackCore

/// The words of a quote as a file in memory, which is read as any text is.
enum QuoteFile {
    static func descriptor(of text: String) async throws(PlaybackError) -> SharedDescriptor {
        let file = ctransport_memory_descriptor("rostrum-quote")
        guard file >= 0 else {
            throw PlaybackError(.io, message: "no room for the words of a clip: \(String(cString: strerror(errno)))")
        }
        let shared = SharedDescriptor(owning: file)
        guard write(text, to: file) else {
            throw PlaybackError(.io, message: "no room for the words of a clip: \(String(cString: strerror(errno)))")
        }
        return shared
    }

    /// Writes a text whole; `false` with `errno` if that fails.
    static func write(_ text: String, to file: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return lseek(file, 0, SEEK_SET) == 0
    }
}

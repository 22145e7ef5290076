// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol
import TerminalPlayer

enum StandardOutput {
    static func write(_ text: String) throws(SessionError) { try write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) throws(SessionError) {
        guard writeAll(bytes, to: STDOUT_FILENO) else {
            throw SessionError(.io, "cannot write: standard output: \(String(cString: strerror(errno)))")
        }
    }
}

enum StandardError {
    /// Writes one line, whatever the message holds, since it may quote a file name or a server.
    static func write(_ error: SessionError) { write(warning: error.message) }

    static func write(warning: String) {
        _ = writeAll(Array("rostrum: \(warning.printable)\n".utf8), to: STDERR_FILENO)
    }
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if written < 0 && errno == EINTR { continue }
        if written < 0 { return false }
        rest = rest.dropFirst(written)
    }
    return true
}

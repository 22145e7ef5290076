// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineTransport
import Glibc

/// A reader of what an engine's libraries print on stderr, line by line, for the log.
struct ErrorOutput {
    /// The session's end of the pipe, which is nonblocking.
    let descriptor: OwnedDescriptor
    /// The engine's end of the pipe, until it has been handed over.
    var theirs: OwnedDescriptor?
    private var line: [UInt8] = []
    private var isClosed = false
    /// The last line, for the message about a crash: it is often the only hint at the reason.
    private(set) var last: String?

    private static let longest = 1000
    /// The number of bytes that are read at a time.
    static let chunk = 4096

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard ctransport_pipe(&ends) == 0 else { throw SystemError("pipe2") }
        descriptor = OwnedDescriptor(owning: ends[0])
        theirs = OwnedDescriptor(owning: ends[1])
    }

    /// The descriptor to poll, or `nil` once everything has been read.
    var interest: pollfd? {
        isClosed ? nil : pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    }

    /// Returns the lines that have arrived since the last call, truncated to a reasonable length.
    ///
    /// It reads only a few at a time.
    mutating func read() -> [String] {
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        let count = Glibc.read(descriptor.rawValue, &bytes, bytes.count)
        if count == 0 { isClosed = true }
        var lines: [String] = []
        for byte in bytes.prefix(max(0, count)) {
            if byte != UInt8(ascii: "\n") {
                if line.count < Self.longest { line.append(byte) }
            } else if let text = take() {
                lines.append(text)
            }
        }
        if isClosed, let text = take() { lines.append(text) }
        if let newest = lines.last { last = newest }
        return lines
    }

    private mutating func take() -> String? {
        defer { line = [] }
        let text = String(decoding: line.map { $0 < 32 ? 32 : $0 }, as: UTF8.self)
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }
}

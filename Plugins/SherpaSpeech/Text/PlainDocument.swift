// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Glibc

/// The bytes of a text, read where they are wanted and not kept as a whole.
///
/// It owns its file descriptor. A source that cannot be read at an offset (a pipe) is read into memory: an engine may
/// write to no file.
final class PlainDocument {
    /// The maximum number of bytes kept in memory: more than any book.
    static let spoolLimit = 128 << 20

    let size: Int64
    private let descriptor: Int32
    private let spooled: [UInt8]

    /// Takes ownership of `descriptor`, also if it throws.
    init(descriptor: Int32, isInterrupted: () -> Bool) throws(EngineFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let failure = Self.failure("cannot read the text")
            close(descriptor)
            throw failure
        }
        if status.st_mode & S_IFMT == S_IFREG {
            self.descriptor = descriptor
            spooled = []
            size = Int64(status.st_size)
            return
        }
        defer { close(descriptor) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "the text is a folder; give a file")
        }
        self.descriptor = -1
        spooled = try Self.spool(descriptor, isInterrupted)
        size = Int64(spooled.count)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads up to `count` bytes from `offset`; fewer only at the end.
    func read(at offset: Int64, count: Int) throws(EngineFailure) -> [UInt8] {
        if descriptor < 0 { return Array(spooled.dropFirst(Int(clamping: offset)).prefix(count)) }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + off_t(filled))
            }
            if got == 0 { break }
            if got > 0 {
                filled += got
            } else if errno != EINTR {
                throw Self.failure("cannot read the text at byte \(offset)")
            }
        }
        return Array(bytes.prefix(filled))
    }

    private static func failure(_ what: String) -> EngineFailure {
        EngineFailure(ROSTRUM_ERROR_IO, "\(what): \(strerror(errno).map { String(cString: $0) } ?? "error \(errno)")")
    }

    private static func spool(_ source: Int32, _ isInterrupted: () -> Bool) throws(EngineFailure) -> [UInt8] {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // The engine must remain interruptible while a writer stays silent.
            var ready = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
            let polled = poll(&ready, 1, 50)
            if isInterrupted() { throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "reading the text was interrupted") }
            if polled == 0 || (polled < 0 && errno == EINTR) { continue }
            let got = Glibc.read(source, &chunk, chunk.count)
            if got == 0 { return text }
            if got < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw failure("cannot read the text")
            }
            guard text.count + got <= spoolLimit else {
                throw EngineFailure(
                    ROSTRUM_ERROR_UNSUPPORTED, "the text is longer than \(spoolLimit >> 20) MB; save it to a file first"
                )
            }
            text += chunk[..<got]
        }
    }
}

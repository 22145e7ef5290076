// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Glibc

/// The bytes of a text, read where they are wanted and not kept as a whole.
///
/// It owns its file descriptor. Only a source that cannot be read at an offset (a pipe) is first read into memory: an
/// engine may not write to any file, not even an anonymous one. The file is not mapped, because a file that shrinks
/// while it is mapped kills the process.
final class Document {
    /// The maximum number of bytes kept in memory: more than any book.
    ///
    /// It stops a pipe that never ends.
    static let spoolLimit = 128 << 20

    let size: Int64
    /// The file descriptor; -1 if the text is in `spooled`.
    private let descriptor: Int32
    private let spooled: [UInt8]
    private let isInterrupted: () -> Bool

    /// Takes ownership of `descriptor`, also if it throws.
    init(descriptor: Int32, isInterrupted: @escaping () -> Bool) throws(EngineFailure) {
        self.isInterrupted = isInterrupted
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = Self.reason()
            close(descriptor)
            throw EngineFailure(ROSTRUM_ERROR_IO, "cannot read the text: \(reason)")
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "the text is a folder; give a file")
        }
        if status.st_mode & S_IFMT == S_IFREG {
            self.descriptor = descriptor
            spooled = []
            size = Int64(status.st_size)
            return
        }
        defer { close(descriptor) }
        self.descriptor = -1
        spooled = try Self.spool(descriptor, isInterrupted)
        size = Int64(spooled.count)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads up to `count` bytes from `offset`.
    ///
    /// It returns fewer only at the end.
    func read(at offset: Int64, count: Int) throws(EngineFailure) -> [UInt8] {
        if descriptor < 0 { return Array(spooled.dropFirst(Int(offset)).prefix(count)) }
        var filled = 0
        var failure: Int32 = 0
        var interrupted = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count {
                if isInterrupted() {
                    interrupted = true
                    break
                }
                let part = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = pread(descriptor, part.baseAddress, part.count, off_t(offset) + off_t(filled))
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    break
                } else if errno != EINTR {
                    failure = errno
                    break
                }
            }
            initialized = filled
        }
        if interrupted { throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "reading the text was interrupted") }
        if failure != 0 {
            throw EngineFailure(ROSTRUM_ERROR_IO, "cannot read the text at byte \(offset): \(Self.reason(failure))")
        }
        return bytes
    }

    private static func reason(_ code: Int32 = errno) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    private static func spool(_ source: Int32, _ isInterrupted: () -> Bool) throws(EngineFailure) -> [UInt8] {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // The engine must remain interruptible while a writer stays silent.
            var ready = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
            let polled = poll(&ready, 1, 50)
            if isInterrupted() {
                throw EngineFailure(ROSTRUM_ERROR_INTERRUPTED, "reading the text was interrupted")
            }
            if polled == 0 || (polled < 0 && errno == EINTR) { continue }
            let got = Glibc.read(source, &chunk, chunk.count)
            if got == 0 { return text }
            if got < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw EngineFailure(ROSTRUM_ERROR_IO, "cannot read the text: \(reason())")
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

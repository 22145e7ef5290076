// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK
import Glibc

/// An open file, or a pipe, which is read once from its beginning.
final class DescriptorSource: ByteSource {
    private let descriptor: Int32
    private let fileSize: Int64?

    override var size: Int64? { fileSize }
    override var isSeekable: Bool { fileSize != nil }
    override var canReopen: Bool { fileSize != nil }

    /// Takes ownership of the file descriptor.
    init(descriptor: Int32, host: Host, name: String) throws(EngineFailure) {
        self.descriptor = descriptor
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        fileSize = isKnown && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
        super.init(host: host, name: name)
        guard isKnown else { throw EngineFailure(ROSTRUM_ERROR_IO, "cannot read “\(name)”: not an open file") }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "cannot open “\(name)”: it is a folder")
        }
        if fileSize != nil { lseek(descriptor, 0, SEEK_SET) }
    }

    deinit {
        close(descriptor)
    }

    override func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
        while true {
            if fileSize == nil || obeysInterrupt, host.isInterrupted { return CFF_ERROR_EXIT }
            if fileSize == nil {
                // A pipe may be silent for ever, so check meanwhile whether the host interrupts.
                var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                if poll(&wait, 1, 100) == 0 { continue }
            }
            let result = Glibc.read(descriptor, buffer, count)
            if result > 0 { return Int32(clamping: result) }
            if result == 0 { return end() }
            if errno == EINTR || errno == EAGAIN { continue }
            failure = EngineFailure(
                ROSTRUM_ERROR_IO, "cannot read “\(name)”: \(String(cString: strerror(errno)))")
            return CFF_ERROR_IO
        }
    }

    /// The end of the file, unless the file lost a part since it was opened.
    ///
    /// The rest was not heard then, so that is damage and not an end: whoever plays it keeps their place.
    private func end() -> Int32 {
        guard let fileSize, Int64(lseek(descriptor, 0, SEEK_CUR)) < fileSize else { return CFF_ERROR_EOF }
        failure = Self.lostEnd(of: name)
        return CFF_ERROR_IO
    }

    static func lostEnd(of name: String) -> EngineFailure {
        EngineFailure(ROSTRUM_ERROR_CORRUPT, "“\(name)” lost its end while it was open; put the whole file back")
    }

    override func seek(to position: Int64) -> Int64 {
        guard fileSize != nil, position >= 0 else { return Int64(CFF_ERROR_UNSEEKABLE) }
        let result = lseek(descriptor, Int(position), SEEK_SET)
        return result >= 0 ? Int64(result) : Int64(CFF_ERROR_IO)
    }
}

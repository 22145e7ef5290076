// SPDX-License-Identifier: Apache-2.0

import Glibc
import ReadingText

/// The whole bytes of descriptors.
enum DocumentBytes {
    private static let step = 1 << 20

    /// Reads a file from its beginning, or a pipe to its end.
    static func read(_ descriptor: Int32, limit: Int) throws(DocumentError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", errno) }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        guard !isFile || Int(status.st_size) <= limit else { throw tooLarge(limit) }
        var bytes: [UInt8] = []
        if isFile { bytes.reserveCapacity(Int(status.st_size) + 1) }
        var code: Int32 = 0
        while code == 0 {
            let room = isFile ? max(Int(status.st_size) + 1 - bytes.count, 4096) : step
            let offset = off_t(bytes.count)
            var got = 0
            let part = [UInt8](unsafeUninitializedCapacity: min(room, 16 * step)) { buffer, count in
                got =
                    isFile
                    ? pread(descriptor, buffer.baseAddress, buffer.count, offset)
                    : Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                count = max(0, got)
            }
            if got < 0 {
                if errno != EINTR { code = errno }
                continue
            }
            if got == 0 { return bytes }
            bytes += part
            guard bytes.count <= limit else { throw tooLarge(limit) }
        }
        throw failure("read", code)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(DocumentError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.pwrite(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", errno) }
            done += count
        }
    }

    private static func failure(_ verb: String, _ code: Int32) -> DocumentError {
        DocumentError(.corrupt, "cannot \(verb) the text: \(String(cString: strerror(code)))")
    }

    private static func tooLarge(_ limit: Int) -> DocumentError {
        DocumentError(.tooLarge, "it has more than the \(limit >> 20) MiB that are read; split it")
    }
}

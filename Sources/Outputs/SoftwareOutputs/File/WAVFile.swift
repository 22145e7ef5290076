// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Glibc

/// A writer of a WAV file: RIFF, or RF64 from 4 GiB on.
///
/// A file that cannot be rewound, such as a pipe, gets a header without lengths.
final class WAVFile: RenderSink {
    private let path: String
    private var descriptor: Int32 = -1
    private var header = WAVHeader(format: AudioFormat(sampleRate: 48_000, channels: 2), encoding: .int16)
    private var bytes: [UInt8] = []
    private var isSeekable = true
    /// The number of sound bytes that the header on disk counts.
    private var told: UInt64 = 0

    /// The number of bytes between updates of the header; a file whose program was killed is readable up to about
    /// there.
    private static let headerInterval: UInt64 = 16 << 20

    init(path: String) {
        self.path = path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func begin(_ format: AudioFormat, _ encoding: SampleEncoding) throws(OutputError) {
        if descriptor >= 0 { close(descriptor) }
        // A pipe without a reader is reported at once; an open file blocks until its reader takes the data.
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else {
            let isUnread = errno == ENXIO
            let message = "cannot create \(path): \(reason())"
            throw OutputError(
                .cannotCreate, source: "open",
                message: isUnread && isPipe
                    ? "cannot write \(path): nothing reads this pipe; start its reader first" : message)
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        isSeekable = lseek(descriptor, 0, SEEK_CUR) == 0
        header = WAVHeader(format: format, encoding: encoding)
        told = 0
        try put(isSeekable ? header.bytes : header.bytesForStream)
    }

    func write(_ samples: UnsafePointer<Float>, frames: Int) throws(OutputError) {
        let count = frames * header.format.channels
        header.encoding.encode(samples, count: count, into: &bytes)
        try put(bytes)
        header.dataBytes += UInt64(bytes.count)
        if header.dataBytes - told >= Self.headerInterval { try writeHeader() }
    }

    func finish() throws(OutputError) {
        guard descriptor >= 0 else { return }
        if isSeekable, header.dataBytes & 1 == 1 {
            // Chunks have even lengths; the pad byte does not count.
            try put([0])
            _ = lseek(descriptor, -1, SEEK_CUR)
        }
        try writeHeader()
    }

    private func writeHeader() throws(OutputError) {
        guard isSeekable else { return }
        let bytes = header.bytes
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { throw failure() }
        told = header.dataBytes
    }

    private func put(_ bytes: [UInt8]) throws(OutputError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            done += count
        }
    }

    private var isPipe: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private func failure() -> OutputError {
        OutputError(.io, source: "write", message: "cannot write \(path): \(reason())")
    }

    private func reason() -> String {
        String(cString: strerror(errno))
    }
}

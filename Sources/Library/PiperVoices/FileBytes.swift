// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files as bytes.
enum FileBytes {
    /// Returns the size of a regular file, or `nil` if there is none.
    static func size(of path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Opens a regular file for reading.
    ///
    /// A pipe or a device in its place would hold the reading for ever, or never end.
    private static func openFile(_ path: String) throws(PiperVoiceFailure) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .file(path: path, reason: "not a regular file")
        }
        return descriptor
    }

    static func read(_ path: String, limit: Int) -> Result<[UInt8], PiperVoiceFailure> {
        let descriptor: Int32
        do throws(PiperVoiceFailure) {
            descriptor = try openFile(path)
        } catch {
            return .failure(error)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failure(failure(path)) }
            if count == 0 { return .success(bytes) }
            guard bytes.count + count <= limit else {
                return .failure(.file(path: path, reason: "larger than \(limit >> 10) KiB"))
            }
            bytes += chunk[..<count]
        }
    }

    /// Makes a file of the bytes of another one, if one is named, and of more.
    ///
    /// The file is on the disk when this returns.
    static func write(_ path: String, copying source: String? = nil, then bytes: [UInt8]) throws(PiperVoiceFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        if let source { try copy(source, to: descriptor, path) }
        try write(bytes, to: descriptor, path)
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private static func copy(_ source: String, to descriptor: Int32, _ path: String) throws(PiperVoiceFailure) {
        let input = try openFile(source)
        defer { close(input) }
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(input, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(source) }
            if count == 0 { return }
            try write(Array(chunk[..<count]), to: descriptor, path)
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(PiperVoiceFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path) }
            written += count
        }
    }

    static func failure(_ path: String) -> PiperVoiceFailure {
        .file(path: path, reason: strerror(errno).map { String(cString: $0) } ?? "error \(errno)")
    }
}

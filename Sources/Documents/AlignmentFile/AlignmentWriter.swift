// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Writes the file of an alignment step by step, and goes on with one that a kill left behind.
public final class AlignmentWriter {
    private let descriptor: CInt
    private let path: String
    private var hasVoice = false
    /// The steps that were there already.
    public let found: Alignment

    /// Opens a file, or creates it.
    ///
    /// Anything in it that belongs to another alignment, or is damaged, is removed.
    public init(_ path: String, _ header: AlignmentHeader) throws(AlignmentFileError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw AlignmentFile.failure(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw AlignmentFileError(.busy, "\(path): another alignment is writing this file; wait for it, or end it")
        }
        do throws(AlignmentFileError) {
            if let kept = try? AlignmentFile.read(descriptor, path), kept.alignment.header == header {
                found = kept.alignment
                hasVoice = found.state != nil
                // A voice without a step is written again with the first one.
                try cut(to: hasVoice ? kept.size : AlignmentLine(header).encoded.count)
            } else {
                found = Alignment(header: header)
                try cut(to: 0)
                try write(AlignmentLine(header).encoded)
            }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    private func cut(to size: Int) throws(AlignmentFileError) {
        guard ftruncate(descriptor, off_t(size)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw AlignmentFile.failure(path)
        }
    }

    /// Writes a step, which is in the file as a whole or not at all.
    public func append(_ step: AlignmentStep) throws(AlignmentFileError) {
        var bytes = AlignmentLine(step).encoded
        if !hasVoice { bytes = AlignmentLine(step.state.voice).encoded + bytes }
        try write(bytes)
        hasVoice = true
    }

    private func write(_ bytes: [UInt8]) throws(AlignmentFileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw AlignmentFile.failure(path) }
            rest = rest.dropFirst(count)
        }
    }
}

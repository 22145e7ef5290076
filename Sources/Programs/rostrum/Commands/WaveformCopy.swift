// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol

/// The copy of a waveform that the user wants in a file of their own.
struct WaveformCopy {
    let path: String
    let replaces: Bool

    /// Throws if the file cannot be written, or would replace another one.
    func check() throws(SessionError) { _ = try OutputPath(path, replaces: replaces) }

    /// Writes the copy beside its place, and gives it its name when it is complete.
    func write(_ file: String) throws(SessionError) {
        let place = try OutputPath(path, replaces: replaces)
        let source = open(file, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw SessionError(.io, "cannot read \(file): \(Self.reason)") }
        defer { close(source) }
        let draft = "\(place.folder)/.draft-\(getpid())"
        let target = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard target >= 0 else { throw failure }
        defer { unlink(draft) }
        defer { close(target) }
        try Self.copy(source, file, to: target, or: { failure })
        guard fsync(target) == 0 else { throw failure }
        if replaces {
            guard rename(draft, place.path) == 0 else { throw failure }
            return
        }
        // A link never replaces a file that has come meanwhile.
        if link(draft, place.path) == 0 { return }
        guard [EPERM, ENOTSUP, ENOSYS].contains(errno), access(place.path, F_OK) != 0 else { throw failure }
        guard rename(draft, place.path) == 0 else { throw failure }
    }

    private static func copy(
        _ source: Int32, _ file: String, to target: Int32, or failure: () -> SessionError
    ) throws(SessionError) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SessionError(.io, "cannot read \(file): \(reason)") }
            if count == 0 { return }
            var written = 0
            while written < count {
                let part = buffer[written..<count].withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { throw failure() }
                written += part
            }
        }
    }

    /// The failure of the last call.
    private var failure: SessionError {
        let isFull = errno == ENOSPC || errno == EDQUOT
        return SessionError(.io, "cannot write \(path): \(isFull ? "the disk is full; make room" : Self.reason)")
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

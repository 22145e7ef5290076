// SPDX-License-Identifier: Apache-2.0

import Glibc
public import SessionProtocol

/// One session per user: held from start to exit, and released by the kernel however the process ends.
public final class SessionLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting; `busy` names the session that has it.
    public init(in folders: UserFolders) throws(SessionError) {
        try PrivateFolder.create(folders.runtime)
        let path = folders.lock
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw SessionError(.cannotCreate, "cannot create the lock: \(path): \(reason(errno))")
        }
        // What fails from here on leaves the closing to `deinit`, which runs then, too.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = errno
            let holder = Self.holder(descriptor)
            guard cause == EWOULDBLOCK else {
                throw SessionError(.cannotCreate, "cannot lock: \(path): \(reason(cause))")
            }
            throw SessionError(
                .busy, "a session runs already: \(holder ?? "process unknown"), socket \(folders.socket); use `rostrum`"
            )
        }
        let text = "\(getpid())\n"
        // The file is never removed: who waits at a removed one would lock something else than the next.
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count else {
            let cause = errno
            throw SessionError(.cannotCreate, "cannot write the lock: \(path): \(reason(cause))")
        }
    }

    deinit { close(descriptor) }

    private static func holder(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let pid = Int32(String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self)) else {
            return nil
        }
        return "process \(pid)"
    }
}

func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

// SPDX-License-Identifier: Apache-2.0

import Glibc
public import SessionProtocol

/// One session per user: held from start to exit, and released by the kernel however the process ends.
public final class SessionLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the lock without waiting; `busy` names the session that has it.
    public convenience init(in folders: UserFolders) throws(SessionError) {
        try self.init(in: folders, write: { pwrite($0, $1, $1.count, 0) })
    }

    /// - Parameter write: puts the bytes at the file's beginning; for tests, in place of the system's.
    init(in folders: UserFolders, write: (Int32, [UInt8]) -> Int) throws(SessionError) {
        try PrivateFolder.create(folders.runtime)
        path = folders.lock
        descriptor = Self.open(path)
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
        guard isInPlace else {
            // Removed between the opening and the locking: the next one would lock something else.
            throw SessionError(.busy, "the lock was taken away: \(path); try again")
        }
        // The file is never removed: who waits at a removed one would lock something else than the next.
        // Who holds it is a comfort: on a full disk it is not told, but a session there is.
        let text = Array("\(getpid())\n".utf8)
        let isTold = write(descriptor, text) == text.count
        _ = ftruncate(descriptor, isTold ? off_t(text.count) : 0)
    }

    deinit { close(descriptor) }

    /// The next session would find this lock.
    var isInPlace: Bool {
        guard let own = FileIdentity(of: descriptor) else { return false }
        return own == FileIdentity(at: path)
    }

    static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

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

// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
public import SessionProtocol

/// The control socket, listening; clients may connect before anybody serves it.
public final class ListeningSocket: Sendable {
    let descriptor: Int32
    let path: String
    /// A socket may be replaced only by who holds the lock, so it goes with the socket.
    private let lock: SessionLock

    /// Takes the session lock, then listens: the first thing that a session does.
    public static func open(in folders: UserFolders) throws(SessionError) -> ListeningSocket {
        try ListeningSocket(path: folders.socket, lock: SessionLock(in: folders))
    }

    /// Listens under a temporary name and moves it into place: at `path` a socket is always one that accepts,
    /// and a stale one of a killed session goes in the same step.
    private init(path: String, lock: SessionLock) throws(SessionError) {
        self.path = path
        self.lock = lock
        let temporary = path + ".new"
        guard var address = sockaddr_un(path: temporary) else {
            throw SessionError(
                .cannotCreate, "cannot listen: \(path) is too long for a socket; set XDG_RUNTIME_DIR to a shorter path")
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | gnuSocketFlags, 0)
        guard descriptor >= 0 else {
            throw SessionError(.cannotCreate, "cannot listen: \(path): \(reason(errno))")
        }
        unlink(temporary)
        // On Linux bind creates the file with the socket's own mode: no moment with a wider one.
        let isListening =
            fchmod(descriptor, 0o600) == 0 && address.withSocketAddress { bind(descriptor, $0, $1) } == 0
            && listen(descriptor, SOMAXCONN) == 0 && rename(temporary, path) == 0
        // Closed by `deinit`, which runs for what has all its values, also if it is never handed out.
        if !isListening {
            let cause = errno
            unlink(temporary)
            throw SessionError(.cannotCreate, "cannot listen: \(path): \(reason(cause))")
        }
    }

    /// Nobody can connect from here on; existing connections live.
    func remove() { unlink(path) }

    deinit { close(descriptor) }
}

private let gnuSocketFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

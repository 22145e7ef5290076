// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol

/// A wait for a session that leaves: it removes its socket first, and releases its lock last.
///
/// One thread blocks on the lock, since the kernel sends no event when a lock becomes free. Meanwhile the caller also
/// notices the socket of a session that is still starting.
final class LockRelease: Sendable {
    enum Outcome { case released, running, late }

    private let lock: String
    /// The path at which the holder of the lock answers, unless it is leaving; `nil` if it is not known.
    private let socket: String?
    /// A file descriptor that becomes readable once the lock was free.
    private let freed: Int32

    /// Creates a wait for the user's session, which clients find.
    static func ofUser(in folders: UserFolders, answersAt socket: String?) throws(SessionError) -> LockRelease {
        try LockRelease(lock: folders.lock, socket: socket)
    }

    /// Creates a wait for the session that has the library, wherever it listens.
    static func ofLibrary(in folders: UserFolders) throws(SessionError) -> LockRelease {
        try LockRelease(lock: folders.libraryLock, socket: SessionLock.holder(at: folders.libraryLock)?.socket)
    }

    private init(lock: String, socket: String?) throws(SessionError) {
        self.lock = lock
        self.socket = socket
        freed = gnu_wake_descriptor()
        guard freed >= 0 else {
            throw SessionError(.unavailable, "cannot make an eventfd: \(reason(errno)); close programs")
        }
    }

    deinit { close(freed) }

    /// Returns when the lock was free for a moment, when its holder answers, or after the timeout.
    func wait(milliseconds: Int) throws(SessionError) -> Outcome {
        if isAnswered { return .running }
        // The watch starts before the second check, so that a socket that appears later causes an event.
        let folder = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        defer { if folder >= 0 { close(folder) } }
        if folder >= 0, let socket, let end = socket.lastIndex(of: "/") {
            inotify_add_watch(folder, String(socket[..<end]), UInt32(IN_MOVED_TO))
        }
        try ControlServer.startThread("session-lock") { [self] in waitAtLock() }
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            if isAnswered { return .running }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return .late }
            var waits = [
                pollfd(fd: freed, events: Int16(POLLIN), revents: 0),
                pollfd(fd: folder, events: Int16(POLLIN), revents: 0),
            ]
            _ = gnu_poll(&waits, 2, Int32(clamping: Int64(left / .milliseconds(1)) + 1))
            if waits[0].revents != 0 { return .released }
            if waits[1].revents != 0 {
                var events = [UInt8](repeating: 0, count: 4096)
                _ = read(folder, &events, events.count)
            }
        }
    }

    /// `true` if the holder accepts connections; a session that is leaving does not.
    private var isAnswered: Bool {
        guard let socket, var address = sockaddr_un(path: socket) else { return false }
        let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard client >= 0 else { return false }
        defer { close(client) }
        return address.withSocketAddress { connect(client, $0, $1) } == 0
    }

    private func waitAtLock() {
        let descriptor = SessionLock.open(lock)
        guard descriptor >= 0 else { return }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        // The lock must be released before the caller is told, because the caller takes it.
        close(descriptor)
        var one: UInt64 = 1
        _ = write(freed, &one, MemoryLayout<UInt64>.size)
    }
}

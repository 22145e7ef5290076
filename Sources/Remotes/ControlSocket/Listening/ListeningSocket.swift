// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
public import SessionProtocol
import Synchronization

/// The listening control socket; clients may connect before it is served.
public final class ListeningSocket: Sendable {
    /// This session's files in the runtime folder.
    private struct Place: ~Copyable {
        var descriptor: Int32
        var identity: FileIdentity?
        /// The lock belongs to the socket, because only its holder may replace the socket.
        var lock: SessionLock
        /// `true` if another process listens on the socket, too, and keeps it when this session ends.
        var isAdopted = false
        var isRemoved = false
    }

    private let folders: UserFolders
    /// The lock that keeps other sessions from the library while this exists; `nil` if the library cannot be locked.
    private let library: SessionLock?
    /// A file descriptor that is readable after changes of the folder or of the folders above it.
    ///
    /// Such a change removes, adds or moves an entry, or moves the folder itself. It is -1 if changes cannot be
    /// watched.
    let changes: Int32
    // The lock is needed because the socket's thread restores the socket and whichever thread ends the session removes
    // it; it is held for a few calls on a folder in memory.
    private let place: Mutex<Place>

    /// The time in milliseconds to wait for a session that is leaving, which has 2 s for it.
    private static let leaveLimit = 8000

    /// Takes the session's locks and starts to listen; a session does this first.
    ///
    /// It waits for a session that is leaving. If another session answers, it throws `busy`.
    ///
    /// - Parameter adopted: A descriptor that listens at the socket's path already, as a service manager hands it over.
    ///   This object owns it from now on. The socket stays when the session ends.
    public static func open(
        in folders: UserFolders, adopting adopted: Int32? = nil
    ) throws(SessionError) -> ListeningSocket {
        try open(in: folders, adopting: adopted, milliseconds: leaveLimit)
    }

    static func open(
        in folders: UserFolders, adopting adopted: Int32? = nil, milliseconds: Int
    ) throws(SessionError) -> ListeningSocket {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        // Closed below, unless the socket takes it over.
        var unused = adopted
        defer { if let unused { close(unused) } }
        // Whoever connects to an adopted socket reaches this process, and learns nothing of the other session.
        let isReached = adopted.map { reaches($0, folders.socket) } ?? false
        let answers = isReached ? nil : folders.socket
        func release(_ folders: UserFolders) throws(SessionError) -> LockRelease {
            try LockRelease.ofUser(in: folders, answersAt: answers)
        }
        let lock = try taken(until: end, release, folders) { () throws(SessionError) in
            try SessionLock(in: folders)
        }
        let library = try taken(until: end, LockRelease.ofLibrary, folders) { () throws(SessionError) in
            try SessionLock.ofLibrary(in: folders)
        }
        // Another session may have moved its own socket there since.
        let usable = adopted.flatMap { reaches($0, folders.socket) ? $0 : nil }
        let socket = try ListeningSocket(folders, lock: lock, library: library, adopting: usable)
        if usable != nil { unused = nil }
        return socket
    }

    /// Returns whether clients that connect at a path reach this listening descriptor.
    ///
    /// The kernel notes for each listener which process began to listen.
    private static func reaches(_ listener: Int32, _ path: String) -> Bool {
        guard var address = sockaddr_un(path: path) else { return false }
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | gnuSocketFlags, 0)
        guard client >= 0 else { return false }
        defer { close(client) }
        guard address.withSocketAddress({ connect(client, $0, $1) }) == 0 else { return false }
        var (here, there): (pid_t, pid_t) = (0, 0)
        var user: uid_t = 0
        return gnu_peer_credentials(listener, &here, &user) == 0 && gnu_peer_credentials(client, &there, &user) == 0
            && here == there
    }

    /// Takes a lock after its holder has left; throws `busy` if the holder answers or does not leave in time.
    private static func taken<Lock>(
        until end: ContinuousClock.Instant, _ release: (UserFolders) throws(SessionError) -> LockRelease,
        _ folders: UserFolders, _ take: () throws(SessionError) -> Lock
    ) throws(SessionError) -> Lock {
        while true {
            let busy: SessionError
            do throws(SessionError) {
                return try take()
            } catch {
                guard error.code == .busy else { throw error }
                busy = error
            }
            let left = Int(ContinuousClock.now.duration(to: end) / .milliseconds(1))
            guard left > 0, try release(folders).wait(milliseconds: left) == .released else { throw busy }
        }
    }

    private init(
        _ folders: UserFolders, lock: SessionLock, library: SessionLock?, adopting adopted: Int32?
    ) throws(SessionError) {
        self.folders = folders
        self.library = library
        // The watch starts before the socket exists, so that anything that happens to the socket is seen.
        changes = Self.watch(folders.runtime, with: -1)
        if let adopted {
            let flags = fcntl(adopted, F_GETFL)
            guard flags >= 0, fcntl(adopted, F_SETFL, flags | O_NONBLOCK) == 0 else {
                if changes >= 0 { close(changes) }
                throw SessionError(.io, "cannot use the socket of the service manager: \(reason(errno)); restart it")
            }
            place = Mutex(
                Place(
                    descriptor: adopted, identity: FileIdentity(at: folders.socket), lock: lock, isAdopted: true))
            return
        }
        let (descriptor, identity): (Int32, FileIdentity?)
        do throws(SessionError) {
            (descriptor, identity) = try Self.listen(at: folders.socket)
        } catch {
            if changes >= 0 { close(changes) }
            throw error
        }
        place = Mutex(Place(descriptor: descriptor, identity: identity, lock: lock))
    }

    deinit {
        if changes >= 0 { close(changes) }
        place.withLock { _ = close($0.descriptor) }
    }

    /// The listening descriptor, for the socket's thread, which alone calls ``restore()``.
    var descriptor: Int32 { place.withLock { $0.descriptor } }

    /// Listens under a temporary name and moves the socket into place.
    ///
    /// So a socket at `path` always accepts connections, and the same step replaces a stale one of a killed session.
    private static func listen(at path: String) throws(SessionError) -> (Int32, FileIdentity?) {
        let temporary = path + ".new"
        guard var address = sockaddr_un(path: temporary) else {
            throw SessionError(
                .cannotCreate, "cannot listen: \(path) is too long for a socket; set XDG_RUNTIME_DIR to a shorter path")
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | gnuSocketFlags, 0)
        guard descriptor >= 0 else {
            throw SessionError(.cannotCreate, "cannot listen: \(path): \(reason(errno))")
        }
        unlink(temporary)
        // On Linux, `bind` creates the file with the socket's own mode, so that it never has a wider one.
        if fchmod(descriptor, 0o600) == 0, address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 {
            let identity = FileIdentity(at: temporary)
            if Glibc.listen(descriptor, SOMAXCONN) == 0, rename(temporary, path) == 0 { return (descriptor, identity) }
        }
        let cause = errno
        unlink(temporary)
        close(descriptor)
        throw SessionError(.cannotCreate, "cannot listen: \(path): \(reason(cause))")
    }

    // MARK: - Its place

    /// Removes the socket, so that no more clients can connect; existing connections stay open.
    ///
    /// A socket of another session is not removed, nor is one of a service manager: clients that connect there wait for
    /// the next session.
    func remove() {
        place.withLock { place in
            guard !place.isRemoved else { return }
            place.isRemoved = true
            place.lock.sayLeaving()
            if !place.isAdopted, let own = place.identity, own == FileIdentity(at: folders.socket) {
                unlink(folders.socket)
            }
        }
    }

    /// Replaces the socket and the lock if they were removed or replaced.
    ///
    /// Throws if that is impossible, above all because another session exists by now. Then this session must end, since
    /// no client can find it.
    func restore() throws(SessionError) {
        if changes >= 0 {
            var events = [UInt8](repeating: 0, count: 4096)
            while read(changes, &events, events.count) > 0 {}
        }
        let failure: SessionError? = place.withLock { place in
            guard !place.isRemoved else { return nil }
            do throws(SessionError) {
                try restore(&place)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func restore(_ place: inout Place) throws(SessionError) {
        if !place.lock.isInPlace {
            place.lock = try SessionLock(in: folders)
            // The folder may have been replaced, too.
            _ = Self.watch(folders.runtime, with: changes)
        }
        guard place.identity == nil || place.identity != FileIdentity(at: folders.socket) else { return }
        let (descriptor, identity) = try Self.listen(at: folders.socket)
        close(place.descriptor)
        place.descriptor = descriptor
        place.identity = identity
        place.isAdopted = false
    }

    /// Watches the folder and those above it; the kernel removes a watch when its folder is removed.
    private static func watch(_ folder: String, with descriptor: Int32) -> Int32 {
        let changes = descriptor >= 0 ? descriptor : inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard changes >= 0 else { return -1 }
        let moves = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT)
        inotify_add_watch(changes, folder, moves | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO))
        // A folder gets no event when one above it is moved, although its path then leads elsewhere.
        var above = folder[...]
        while let end = above.lastIndex(of: "/"), end > above.startIndex {
            above = above[..<end]
            inotify_add_watch(changes, String(above), moves)
        }
        return changes
    }
}

private let gnuSocketFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

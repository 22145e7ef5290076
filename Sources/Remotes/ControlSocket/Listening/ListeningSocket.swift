// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
public import SessionProtocol
import Synchronization

/// The control socket, listening; clients may connect before anybody serves it.
public final class ListeningSocket: Sendable {
    /// What lies in the folder of the user's session, and is this session's.
    private struct Place: ~Copyable {
        var descriptor: Int32
        var identity: FileIdentity?
        /// A socket may be replaced only by who holds the lock, so it goes with the socket.
        var lock: SessionLock
        var isRemoved = false
    }

    private let folders: UserFolders
    /// Keeps others from the library for as long as this lives; nil: it cannot be locked.
    private let library: SessionLock?
    /// Readable when something in the folder went, came or was moved, or one of the folders above; -1: nobody tells.
    let changes: Int32
    // Reason for the lock: the socket's thread looks after it, whoever ends the session removes it; held for a few calls on
    // a folder in memory.
    private let place: Mutex<Place>

    /// How long a session that leaves is waited for; it has 2 s for it.
    private static let leaveLimit = 8000

    /// Takes the session's locks, then listens: the first thing that a session does.
    ///
    /// A session that is leaving is waited for; one that answers has the user's ear, and that is `busy`.
    public static func open(in folders: UserFolders) throws(SessionError) -> ListeningSocket {
        try open(in: folders, milliseconds: leaveLimit)
    }

    static func open(in folders: UserFolders, milliseconds: Int) throws(SessionError) -> ListeningSocket {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        let lock = try taken(until: end, LockRelease.ofUser, folders) { () throws(SessionError) in
            try SessionLock(in: folders)
        }
        let library = try taken(until: end, LockRelease.ofLibrary, folders) { () throws(SessionError) in
            try SessionLock.ofLibrary(in: folders)
        }
        return try ListeningSocket(folders, lock: lock, library: library)
    }

    /// Takes a lock, once whoever has it has left; `busy` if that one answers, or does not leave in time.
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

    private init(_ folders: UserFolders, lock: SessionLock, library: SessionLock?) throws(SessionError) {
        self.folders = folders
        self.library = library
        // Before the socket is there: what happens to it from then on is seen.
        changes = Self.watch(folders.runtime, with: -1)
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

    /// For the socket's thread, which alone calls `restore`.
    var descriptor: Int32 { place.withLock { $0.descriptor } }

    /// Listens under a temporary name and moves it into place: at `path` a socket is always one that accepts,
    /// and a stale one of a killed session goes in the same step.
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
        // On Linux bind creates the file with the socket's own mode: no moment with a wider one.
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

    /// Nobody can connect from here on; existing connections live.
    ///
    /// What is not its own stays.
    func remove() {
        place.withLock { place in
            guard !place.isRemoved else { return }
            place.isRemoved = true
            if let own = place.identity, own == FileIdentity(at: folders.socket) { unlink(folders.socket) }
        }
    }

    /// Looks after what lies in the folder: what is gone, or was replaced, is made anew.
    ///
    /// Throws if that cannot be, above all because there is another session by now: then this one is to end, since nobody
    /// finds it.
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
            // The folder may be another one.
            _ = Self.watch(folders.runtime, with: changes)
        }
        guard place.identity == nil || place.identity != FileIdentity(at: folders.socket) else { return }
        let (descriptor, identity) = try Self.listen(at: folders.socket)
        close(place.descriptor)
        place.descriptor = descriptor
        place.identity = identity
    }

    /// What took `changes` watches is let go by the kernel with the folder.
    private static func watch(_ folder: String, with descriptor: Int32) -> Int32 {
        let changes = descriptor >= 0 ? descriptor : inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard changes >= 0 else { return -1 }
        let moves = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT)
        inotify_add_watch(changes, folder, moves | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO))
        // A folder is told of nothing that happens to those above it, and its name leads elsewhere all the same.
        var above = folder[...]
        while let end = above.lastIndex(of: "/"), end > above.startIndex {
            above = above[..<end]
            inotify_add_watch(changes, String(above), moves)
        }
        return changes
    }
}

private let gnuSocketFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

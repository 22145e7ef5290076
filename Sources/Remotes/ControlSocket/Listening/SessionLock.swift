// SPDX-License-Identifier: Apache-2.0

import Glibc
public import SessionProtocol

/// A lock that a session holds from start to exit, and that the kernel releases however the process ends.
///
/// There are two. One allows one session per user, which clients find. The other allows one session per library, since
/// two sessions with different runtime folders would overwrite each other's places.
public final class SessionLock: Sendable {
    /// The holder of a lock as its file names it; the text is a help for the user, and may be missing.
    struct Holder {
        var process: Int32
        /// The path at which it listens; `nil` if that is in the folder of the lock.
        var socket: String?

        var words: String { "process \(process)" }
    }

    private let descriptor: Int32
    private let path: String

    /// Takes the lock of the user's session without waiting; `busy` names the session that has it.
    public convenience init(in folders: UserFolders) throws(SessionError) {
        try self.init(in: folders, write: { pwrite($0, $1, $1.count, 0) })
    }

    /// - Parameter write: Writes the bytes to the beginning of the file; tests replace it.
    convenience init(in folders: UserFolders, write: (Int32, [UInt8]) -> Int) throws(SessionError) {
        try PrivateFolder.create(folders.runtime)
        let path = folders.lock
        let descriptor = Self.open(path)
        guard descriptor >= 0 else {
            throw SessionError(.cannotCreate, "cannot create the lock: \(path): \(reason(errno))")
        }
        try self.init(path, descriptor, says: "\(getpid())\n", write: write) { holder in
            "a session is already running: \(holder?.words ?? "process unknown"), socket \(folders.socket); use `rostrum`"
        }
    }

    /// Takes the lock of the library without waiting; `busy` names the session that has it.
    ///
    /// Returns `nil` if nothing can be locked there, as in a folder that cannot be created or on a full disk. The
    /// session plays without the lock.
    static func ofLibrary(in folders: UserFolders) throws(SessionError) -> SessionLock? {
        try? PrivateFolder.create(folders.data)
        let path = folders.libraryLock
        let descriptor = Self.open(path)
        guard descriptor >= 0 else { return nil }
        do throws(SessionError) {
            return try SessionLock(
                path, descriptor, says: "\(getpid())\n\(folders.socket)\n", write: { pwrite($0, $1, $1.count, 0) }
            ) { holder in
                let place = holder?.socket.map { ", socket \($0)" } ?? ""
                return
                    "a session has the library \(folders.data) already: \(holder?.words ?? "process unknown")\(place); "
                    + "set XDG_RUNTIME_DIR as it was set there, or end it"
            }
        } catch {
            if error.code == .busy { throw error }
            return nil
        }
    }

    /// - Parameter descriptor: The file descriptor of the lock's file, which this object owns from now on.
    private init(
        _ path: String, _ descriptor: Int32, says text: String, write: (Int32, [UInt8]) -> Int,
        taken: (Holder?) -> String
    ) throws(SessionError) {
        self.path = path
        self.descriptor = descriptor
        // On any failure from here on, `deinit` runs and closes the descriptor.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = errno
            guard cause == EWOULDBLOCK else {
                throw SessionError(.cannotCreate, "cannot lock: \(path): \(reason(cause))")
            }
            throw SessionError(.busy, taken(Self.holder(descriptor)))
        }
        guard isInPlace else {
            // The file was removed between opening and locking: the next session would lock another file.
            throw SessionError(.busy, "the lock was removed: \(path); try again")
        }
        // The file is never removed: a session that waits for a removed file would lock another file than the next
        // session. The text is only a help for the user. On a full disk it cannot be written, but the session starts.
        let bytes = Array(text.utf8)
        let isTold = write(descriptor, bytes) == bytes.count
        _ = ftruncate(descriptor, isTold ? off_t(bytes.count) : 0)
    }

    deinit { close(descriptor) }

    /// Says that the session is leaving, so that a client that needs a running one does not wait for it.
    ///
    /// An empty line behind the process does so, which nobody takes for a part of its number; see
    /// `UserFolders.hasSession`.
    func sayLeaving() {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { return }
        var newline = UInt8(ascii: "\n")
        _ = pwrite(descriptor, &newline, 1, found.st_size)
    }

    /// `true` if the next session would find this lock.
    var isInPlace: Bool {
        guard let own = FileIdentity(of: descriptor) else { return false }
        return own == FileIdentity(at: path)
    }

    static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    /// Returns the current or the last holder of the lock in this file.
    static func holder(at path: String) -> Holder? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return holder(descriptor)
    }

    private static func holder(_ descriptor: Int32) -> Holder? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let lines = bytes.prefix(max(0, count)).split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        guard let process = lines.first.flatMap({ Int32($0) }) else { return nil }
        return Holder(process: process, socket: lines.count > 1 && lines[1].hasPrefix("/") ? lines[1] : nil)
    }
}

func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

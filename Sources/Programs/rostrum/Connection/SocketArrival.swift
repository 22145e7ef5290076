// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol

/// A watch for the control socket, which a session moves into its folder when it already listens.
final class SocketArrival {
    enum Subject {
        case socket
        /// Also the lock of a session, since the socket may be held by a service manager and stay.
        case sessions

        fileprivate var events: UInt32 {
            switch self {
            case .socket: UInt32(IN_MOVED_TO)
            case .sessions: UInt32(IN_MOVED_TO | IN_MODIFY | IN_CREATE)
            }
        }
    }

    let descriptor: Int32

    /// Starts the watch; `nil` if the system allows this user no more of them.
    init?(in folder: String, of subject: Subject = .socket) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        // `deinit` runs then, too, and closes the descriptor.
        guard inotify_add_watch(descriptor, folder, subject.events) >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func connect(_ folders: UserFolders, seconds: Int32) throws(SessionError) -> SessionConnection? {
        while true {
            if let connection = try SessionConnection(to: folders) { return connection }
            guard try InputWait.isReadable(descriptor, within: seconds) else { return nil }
            drain()
        }
    }

    /// Forgets the events that have come.
    func drain() {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &events, events.count) > 0 {}
    }
}

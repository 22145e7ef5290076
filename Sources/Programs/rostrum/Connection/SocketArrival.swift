// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol

/// A watch for the control socket, which a session moves into its folder when it already listens.
final class SocketArrival {
    private let descriptor: Int32

    /// Starts the watch; `nil` if the system allows this user no more of them.
    init?(in folder: String) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        // `deinit` runs then, too, and closes the descriptor.
        guard inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO)) >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func connect(_ folders: UserFolders, seconds: Int32) throws(SessionError) -> SessionConnection? {
        while true {
            if let connection = try SessionConnection(to: folders) { return connection }
            guard try InputWait.isReadable(descriptor, within: seconds) else { return nil }
            var events = [UInt8](repeating: 0, count: 4096)
            _ = read(descriptor, &events, events.count)
        }
    }
}

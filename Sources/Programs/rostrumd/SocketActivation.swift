// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import SessionProtocol

/// The control socket on which systemd listens until a session takes it over.
enum SocketActivation {
    /// The number of the first descriptor that systemd hands over (`SD_LISTEN_FDS_START`).
    private static let first: Int32 = 3

    /// Returns the descriptor that listens at a path; `nil` if systemd hands over none.
    static func descriptor(at path: String) throws(SessionError) -> Int32? {
        let count = sd_listen_fds(1)
        guard count > 0 else { return nil }
        guard count == 1, sd_is_socket_unix(first, Int32(SOCK_STREAM.rawValue), 1, path, 0) > 0 else {
            throw SessionError(
                .usage, "systemd listens elsewhere than at \(path): set ListenStream= of rostrum.socket to that")
        }
        return first
    }
}

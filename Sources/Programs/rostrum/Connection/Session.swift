// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The session as commands ask for it.
enum Session {
    /// The running one, for commands that make no sense without.
    static func running() throws(SessionError) -> SessionConnection {
        guard let connection = try SessionConnection(to: .current()) else {
            throw SessionError(.unavailable, "no session is running; start one with `rostrum play FILE`")
        }
        return connection
    }

    /// The running one, or a new one.
    static func runningOrStarted() throws(SessionError) -> SessionConnection {
        let folders = try UserFolders.current()
        if let connection = try SessionConnection(to: folders) { return connection }
        return try SessionLauncher(folders: folders).start()
    }
}

// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The connections to the session that commands use.
enum Session {
    /// Connects to the running session; throws if there is none.
    static func running() throws(SessionError) -> SessionConnection {
        let folders = try UserFolders.current()
        // systemd may listen for a session that is not running, and would start it.
        guard folders.hasSession, let connection = try SessionConnection(to: folders) else {
            throw SessionError(.unavailable, "no session is running; start one with `rostrum play FILE`")
        }
        return connection
    }

    /// Connects to the running session, or to a new one.
    static func runningOrStarted() throws(SessionError) -> SessionConnection {
        let folders = try UserFolders.current()
        if let connection = try SessionConnection(to: folders) { return connection }
        return try SessionLauncher(folders: folders).start()
    }

    /// Performs a request on the running session or on a new one.
    ///
    /// A session that goes away before `isAnswered` was leaving when it was asked. Then the request is repeated on the
    /// next session.
    static func ask(
        isAnswered: () -> Bool = { false }, _ body: (SessionConnection) throws(SessionError) -> Void
    ) throws(SessionError) {
        let connection = try runningOrStarted()
        do throws(SessionError) {
            try body(connection)
        } catch {
            guard connection.isGone, !isAnswered() else { throw error }
            try body(runningOrStarted())
        }
    }
}

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

    /// Asks the running one, or a new one.
    ///
    /// One that goes before `isAnswered` was leaving when it was asked, and the next
    /// one is asked in its place.
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

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A command that came from a remote control, for the log.
///
/// The task that carries the command out has it, so that whatever the command begins is recorded with its sender.
public struct RemoteCommand: Sendable {
    /// The one record that a command has, however many steps it takes.
    final class Record: Sendable {
        private let isTaken = Atomic(false)

        /// Returns `true` the first time.
        func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
    }

    /// The name of the method or property, such as `PlayPause`.
    public let action: String
    /// The name of the sender's connection.
    public let sender: String
    /// The name of the sender's program; `nil` if it is not known.
    public let program: String?
    let record = Record()

    public init(action: String, sender: String, program: String?) {
        self.action = action
        self.sender = sender
        self.program = program
    }

    /// The remote command of the running task; `nil` for a user's own command.
    @TaskLocal public static var current: RemoteCommand?
}

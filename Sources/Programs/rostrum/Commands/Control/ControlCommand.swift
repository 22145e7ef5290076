// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

/// A command that a running session carries out and that prints nothing.
protocol ControlCommand: ParsableCommand {
    func command() throws -> SessionCommand
    /// `true` if the command starts a session if none is running, and resumes the last item.
    var startsSession: Bool { get }
}

extension ControlCommand {
    var startsSession: Bool { false }

    func run() throws {
        let command = try command()
        try command.validate()
        guard startsSession else {
            _ = try Session.running().call(.command(command), seconds: 30)
            return
        }
        try Session.ask { connection throws(SessionError) in
            _ = try connection.call(.command(command), seconds: 30)
        }
    }
}

/// The options that address a command to an owner.
struct AddressOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The owner to control (default: the one with audio focus).", valueName: "id"))
    var owner: String?

    func address(_ command: SessionCommand) -> SessionCommand {
        owner.map { .addressed(Address(owner: $0), command) } ?? command
    }
}

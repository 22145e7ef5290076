// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct PauseCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause playback.")
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.pause) }
}

struct ResumeCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume playback, or the last item if nothing is loaded.")
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.resume) }
    var startsSession: Bool { options.owner == nil }
}

struct ToggleCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Pause or resume playback.")
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.toggle) }
    var startsSession: Bool { options.owner == nil }
}

struct StopCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop playback; the place is saved.")
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.stop) }
}

struct EngineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine", abstract: "Switch to another engine; it plays the current item, or else its last one.")
    @Argument(help: "The ID of the engine; see `rostrum engines`.")
    var id: String

    func run() throws {
        let command = SessionCommand.engine(id)
        try command.validate()
        try Session.ask { connection throws(SessionError) in
            _ = try connection.call(.command(command), seconds: 30)
            connection.tellSubstitution()
        }
    }
}

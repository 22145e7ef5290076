// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

/// A command that a running session carries out and that prints nothing.
protocol ControlCommand: ParsableCommand {
    func command() throws -> SessionCommand
    /// It plays: without a session one is started, and the last item goes on.
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

/// For whom the command is meant.
struct AddressOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only for this owner (default: who holds the stage).", valueName: "id"))
    var owner: String?

    func address(_ command: SessionCommand) -> SessionCommand {
        owner.map { .addressed(Address(owner: $0), command) } ?? command
    }
}

struct PauseCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause.")
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.pause) }
}

struct ResumeCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Go on where it was paused.")
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.resume) }
    var startsSession: Bool { options.owner == nil }
}

struct ToggleCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "toggle", abstract: "Pause, or go on.")
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.toggle) }
    var startsSession: Bool { options.owner == nil }
}

struct StopCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop; the place is kept.")
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.stop) }
}

struct SeekCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek",
        abstract: "Go to a time, or move by one: 90, 1:02:03, 1h2m3s, 50%, ch:12, track:2+1:30, +30, -30.")
    @Argument(help: "Where to, or with + or - how far.")
    var time: String
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.seek(time)) }
    var startsSession: Bool { options.owner == nil }
}

struct SkipCommand: ControlCommand {
    enum Direction: String, ExpressibleByArgument, CaseIterable { case forward, back }
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "25 s forward, or 30 s back, unless settings.json says otherwise (skipForward, skipBack).")
    @Argument(help: "forward or back.")
    var direction: Direction
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.skip(forward: direction == .forward)) }
}

struct ChapterCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "chapter", abstract: "Go to a chapter.")
    @Argument(help: "next, previous, or a number from 1.")
    var chapter: String
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.chapter(chapter)) }
    var startsSession: Bool { options.owner == nil }
}

struct RateCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "rate", abstract: "Set the speed.")
    @Argument(help: "0.5 to 3.0; 1.0 is as recorded.")
    var rate: Double
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.rate(rate)) }
}

struct VolumeCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "volume", abstract: "Set the loudness.")
    @Argument(help: "0.0 to 1.0.")
    var volume: Double
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.volume(volume)) }
}

struct OptionCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "option", abstract: "Choose how things sound: mono, balance, loudness, silence.",
        discussion: """
            mono on|off           all channels carry the same
            balance -1.0…1.0      left to right
            loudness on|off|LUFS  speech is brought to -18 LUFS, or -31 to -12
            silence on|off|S      silences over 0.5 s, or 0.3 to 1.0, are shortened
            Each also takes default: as settings.json says. `rostrum status` shows what is on.
            """)
    @Argument(help: "mono, balance, loudness or silence.")
    var name: String
    @Argument(help: "on, off, a number or default.")
    var value: String
    func command() -> SessionCommand { .option(name, value) }
}

struct ClaimCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim", abstract: "Take the stage for an owner, without a sound.")
    @Argument(help: "A name, as clip-editor-1.")
    var owner: String
    func command() -> SessionCommand { .claim(owner) }
}

struct ReleaseCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Give the stage back to the owner from whom it was taken, as it was.")
    @Argument(help: "The owner who gives it back.")
    var owner: String
    func command() -> SessionCommand { .release(owner) }
}

struct EngineCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine", abstract: "Go on with another engine: with this item if it can, else with its last one.")
    @Argument(help: "An id; see `rostrum engines`.")
    var id: String
    func command() -> SessionCommand { .engine(id) }
    var startsSession: Bool { true }
}

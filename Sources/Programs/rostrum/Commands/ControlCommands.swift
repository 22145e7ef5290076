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

struct SeekCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek",
        abstract: "Go to a position, or move by a time: 90, 1:02:03, 1h2m3s, 50%, ch:12, track:2+1:30, +30, -30.")
    @Argument(help: "The position, or with + or - the time to move by.")
    var time: String
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.seek(time)) }
    var startsSession: Bool { options.owner == nil }
}

struct SkipCommand: ControlCommand {
    enum Direction: String, ExpressibleByArgument, CaseIterable { case forward, back }
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Skip 25 s forward or 30 s back, or as the settings skipForward and skipBack say.")
    @Argument(help: "The direction: forward or back.")
    var direction: Direction
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.skip(forward: direction == .forward)) }
}

struct ChapterCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "chapter", abstract: "Go to a chapter.")
    @Argument(help: "A chapter number from 1, next or previous.")
    var chapter: String
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.chapter(chapter)) }
    var startsSession: Bool { options.owner == nil }
}

struct RateCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "rate", abstract: "Set the speed.")
    @Argument(help: "The speed, 0.5 to 3.0; 1.0 is as recorded.")
    var rate: Double
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.rate(rate)) }
}

struct VolumeCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "volume", abstract: "Set the volume.")
    @Argument(help: "The volume, 0.0 to 1.0.")
    var volume: Double
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.volume(volume)) }
}

struct OptionCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "option", abstract: "Set a listening option: mono, balance, loudness or silence.",
        discussion: """
            mono on|off           play the same sound on all channels
            balance -1.0…1.0      shift the sound from left to right
            loudness on|off|LUFS  bring speech to -18 LUFS, or to a value from -31 to -12
            silence on|off|S      shorten silences over 0.5 s, or over a value from 0.3 to 1.0 s
            Each also takes default, the value in settings.json. `rostrum status` shows what is on.
            """)
    @Argument(help: "The option: mono, balance, loudness or silence.")
    var name: String
    @Argument(help: "The value: on, off, a number or default.")
    var value: String
    func command() -> SessionCommand { .option(name, value) }
}

struct ClaimCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim", abstract: "Give audio focus to an owner, without starting any sound.")
    @Argument(help: "The owner's name, such as clip-editor-1.")
    var owner: String
    func command() -> SessionCommand { .claim(owner) }
}

struct ReleaseCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Return audio focus to the owner that it was taken from.")
    @Argument(help: "The owner that gives it up.")
    var owner: String
    func command() -> SessionCommand { .release(owner) }
}

struct EngineCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine", abstract: "Switch to another engine; it plays the current item, or else its last one.")
    @Argument(help: "The ID of the engine; see `rostrum engines`.")
    var id: String
    func command() -> SessionCommand { .engine(id) }
    var startsSession: Bool { true }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

/// Engines on disk.
///
/// The session does it all: it knows the catalog, which this program does not link.
struct EnginesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines", abstract: "What engines are installed, and what is decided about them.",
        subcommands: [
            EngineListCommand.self, EngineShowCommand.self, EngineInstallCommand.self, EngineRemoveCommand.self,
            EngineEnableCommand.self, EngineDisableCommand.self, EngineTrustCommand.self, EngineUntrustCommand.self,
            EngineClearCommand.self, EngineCheckCommand.self, NewEngineCommand.self,
        ], defaultSubcommand: EngineListCommand.self)

    /// One action, and what was done as lines.
    fileprivate static func perform(_ action: EngineAction) throws {
        let command = SessionCommand.manageEngine(action)
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 90)
        try show(result, as: [String: String].self, json: false) { answer in
            (answer["message"] ?? "").split(separator: "\n").map(String.init)
        }
    }
}

struct EngineListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "What engines are installed.")
    @Flag(help: "As one JSON array.")
    var json = false

    func run() throws {
        let result = try Session.runningOrStarted().call(.command(.engines), seconds: 30)
        try show(result, as: [EngineInfo].self, json: json) { engines in
            engines.isEmpty ? ["no engine is installed"] : engines.map(\.line)
        }
    }
}

struct EngineShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "All that is known of an engine, and what its process may do on this kernel.")
    @Argument(help: "The engine's id; or its folder, where several have the same id.")
    var id: String
    @Flag(help: "As one JSON object.")
    var json = false

    func run() throws {
        var id = id
        if id.contains("/"), let real = realpath(id, nil) {
            id = String(cString: real)
            free(real)
        }
        let command = SessionCommand.manageEngine(EngineAction(.show, id: id))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 90)
        try show(result, as: EngineDetail.self, json: json) { $0.lines }
    }
}

struct EngineInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Copy an engine into the user's folder.")
    @Argument(help: "A folder ID.engine, or a .tar or .tar.gz of one.")
    var path: String
    @Flag(help: "Also over a version that is not older.")
    var force = false

    func run() throws {
        // The session does not stay in the folder that it was started in.
        guard let real = realpath(path, nil) else {
            throw SessionError(.notFound, "no such file: \(path); give a folder ID.engine or a tar archive of one")
        }
        defer { free(real) }
        try EnginesCommand.perform(EngineAction(.install, path: String(cString: real), force: force))
    }
}

struct EngineRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Delete an engine from the user's folder.")
    @Argument(help: "The engine's id.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.remove, id: id)) }
}

struct EngineEnableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "enable", abstract: "Use an engine again.")
    @Argument(help: "The engine's id.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.enable, id: id)) }
}

struct EngineDisableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "List an engine, but never start it.")
    @Argument(help: "The engine's id.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.disable, id: id)) }
}

struct EngineTrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Grant an engine what its manifest asks for.")
    @Argument(help: "The engine's id.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.trust, id: id)) }
}

struct EngineUntrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrust", abstract: "Take back what `trust` granted.")
    @Argument(help: "The engine's id.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.untrust, id: id)) }
}

struct EngineClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Let an engine out of quarantine.")
    @Argument(help: "The engine's id.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.clear, id: id)) }
}

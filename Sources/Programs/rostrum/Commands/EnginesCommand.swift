// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

/// The commands of the engines on disk.
///
/// The session carries them out: it knows the catalog, which this program does not link.
struct EnginesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines", abstract: "List the installed engines and manage them.",
        subcommands: [
            EngineListCommand.self, EngineShowCommand.self, EngineInstallCommand.self, EngineRemoveCommand.self,
            EngineEnableCommand.self, EngineDisableCommand.self, EngineTrustCommand.self, EngineUntrustCommand.self,
            EngineClearCommand.self, EngineCheckCommand.self, NewEngineCommand.self,
        ], defaultSubcommand: EngineListCommand.self)

    /// Performs one action, and prints its report.
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
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the installed engines.")
    @Flag(help: "Print one JSON array.")
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
        commandName: "show", abstract: "Show an engine, and what its process may do on this kernel.")
    @Argument(help: "The ID of the engine, or its folder if several have the same ID.")
    var id: String
    @Flag(help: "Print one JSON object.")
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
        commandName: "install", abstract: "Install an engine into the user's folder.")
    @Argument(help: "A folder ID.engine, or a .tar or .tar.gz archive of one.")
    var path: String
    @Flag(help: "Replace the installed version even if it is not older.")
    var force = false

    func run() throws {
        // The session changes its working folder, so the path must be absolute.
        guard let real = realpath(path, nil) else {
            throw SessionError(.notFound, "no such file: \(path); give a folder ID.engine or a tar archive of one")
        }
        defer { free(real) }
        try EnginesCommand.perform(EngineAction(.install, path: String(cString: real), force: force))
    }
}

struct EngineRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an engine from the user's folder.")
    @Argument(help: "The ID of the engine.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.remove, id: id)) }
}

struct EngineEnableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "enable", abstract: "Enable a disabled engine.")
    @Argument(help: "The ID of the engine.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.enable, id: id)) }
}

struct EngineDisableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable an engine: it is listed, but never started.")
    @Argument(help: "The ID of the engine.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.disable, id: id)) }
}

struct EngineTrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Grant an engine the permissions that its manifest requests.")
    @Argument(help: "The ID of the engine.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.trust, id: id)) }
}

struct EngineUntrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrust", abstract: "Revoke the permissions that `trust` granted.")
    @Argument(help: "The ID of the engine.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.untrust, id: id)) }
}

struct EngineClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Release an engine from quarantine.")
    @Argument(help: "The ID of the engine.")
    var id: String

    func run() throws { try EnginesCommand.perform(EngineAction(.clear, id: id)) }
}

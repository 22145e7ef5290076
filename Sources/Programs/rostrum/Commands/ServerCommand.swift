// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TerminalPlayer

/// The commands for accounts on servers.
struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "List, add, examine and remove accounts on Audiobookshelf servers.",
        discussion: "A server is named by its name in the list, its ID or its address.",
        subcommands: [
            ServerListCommand.self, ServerAddCommand.self, ServerLoginCommand.self, ServerLogoutCommand.self,
            ServerRemoveCommand.self, ServerStatusCommand.self,
        ], defaultSubcommand: ServerListCommand.self)
}

/// The ways to prove who asks, for `add` and `login`.
struct ProofOptions: ParsableArguments {
    @Flag(help: "Read the password from standard input, up to the end of its first line.")
    var passwordStdin = false
    @Flag(help: "Log in with an API key, and read it from standard input.")
    var apiKeyStdin = false

    func validate() throws {
        if passwordStdin, apiKeyStdin {
            throw ValidationError("give one of --password-stdin and --api-key-stdin")
        }
    }

    /// Puts a password or a key into an action; without an option, the terminal asks for the password.
    func prove(_ action: inout ServerAction) throws(SessionError) {
        if apiKeyStdin {
            action.apiKey = SecretText(try SecretInput.line("API key"))
        } else if passwordStdin {
            action.password = SecretText(try SecretInput.line("password"))
        } else {
            action.password = SecretText(try SecretInput.ask("Password: "))
        }
    }
}

struct ServerListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the servers, without asking them.")
    @Flag(help: "Print JSON Lines, one object per server.")
    var json = false

    func run() throws {
        let page = try ServerQuery.send(ServerAction(.list))
        if page.servers.isEmpty, !json {
            try StandardOutput.write("no server yet; add one with `rostrum server add URL`\n")
        }
        try page.show(json: json)
    }
}

struct ServerAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Log in to a server and keep the account; the password is not kept.")
    @Argument(help: "The address of the server as the browser shows it; https unless it says http://.")
    var url: String
    @Option(help: "The name of the user; asked for on the terminal if it is missing.")
    var user: String?
    @Option(help: "The name by which other commands call the server; by default its host.")
    var name: String?
    @OptionGroup var proof: ProofOptions
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        var action = ServerAction(.add)
        (action.url, action.name, action.user) = (url, name, user)
        if user == nil, !proof.apiKeyStdin { action.user = try SecretInput.ask("User name: ", echoes: true) }
        try proof.prove(&action)
        let page = try ServerQuery.send(action)
        if json { return try page.show(json: true) }
        try StandardOutput.write(page.servers.map { "added: \($0.line.printable)\n" }.joined())
    }
}

struct ServerLoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in to a server again.")
    @Argument(help: "The server.")
    var server: String
    @OptionGroup var proof: ProofOptions
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        var action = ServerAction(.login, id: server)
        try proof.prove(&action)
        try ServerQuery.send(action).show(json: json)
    }
}

struct ServerLogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "End the login, and keep the account and everything that is known from it.")
    @Argument(help: "The server.")
    var server: String
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws { try ServerQuery.send(ServerAction(.logout, id: server)).show(json: json) }
}

struct ServerRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Log out and forget the account; places are kept.")
    @Argument(help: "The server.")
    var server: String
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let page = try ServerQuery.send(ServerAction(.remove, id: server))
        if json { return try page.show(json: true) }
        try StandardOutput.write(page.servers.map { "removed: \($0.name.printable)\n" }.joined())
    }
}

struct ServerStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Ask servers who they are and whether the login is good.",
        discussion: "Exits with 1 if one of them cannot be used.")
    @Argument(help: "The server; without it, all of them.")
    var server: String?
    @Flag(help: "Print JSON Lines, one object per server.")
    var json = false

    func run() throws {
        let page = try ServerQuery.send(ServerAction(.status, id: server ?? ""))
        try page.show(json: json)
        if page.servers.contains(where: { $0.state != .ready }) {
            throw ExitCode(SessionError.Code.checkFailed.rawValue)
        }
    }
}

/// A request about servers.
enum ServerQuery {
    static func send(_ action: ServerAction) throws(SessionError) -> ServerPage {
        let command = SessionCommand.server(action)
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 150)
        return try decoded(result, as: ServerPage.self)
    }
}

extension ServerPage {
    fileprivate func show(json: Bool) throws(SessionError) {
        var bytes: [UInt8] = []
        for server in servers {
            bytes += json ? try JSONLine.encode(server) : Array((server.line.printable + "\n").utf8)
        }
        try StandardOutput.write(bytes)
    }
}

extension ServerInfo {
    /// One line: the name, the user, the version, the address, and what is wrong.
    fileprivate var line: String {
        let clock = clockOffsetMs.flatMap { $0.magnitude < 60_000 ? nil : "  its clock is off by \($0 / 1000) s" } ?? ""
        let words =
            switch state {
            case .ready: clock
            case .login: "  log in again"
            case .unreachable: ""
            }
        let reason = state == .unreachable ? "  \(fault ?? "cannot be asked")" : ""
        return "\(name)  \(user)\(usesKey ? " (API key)" : "")  Audiobookshelf \(version)  \(url)\(words)\(reason)"
    }
}

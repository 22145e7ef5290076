// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct ClipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clip", abstract: "Parts of audio files.", subcommands: [ClipPlayCommand.self])
}

struct ClipPlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play a part of a file; what played before goes on afterwards as it was.")
    @Argument(help: "A file, or an http(s) URL.")
    var item: String
    @Option(help: ArgumentHelp("Where it begins.", valueName: "time"))
    var start: String
    @Option(help: ArgumentHelp("Where it ends: the first moment that is not heard.", valueName: "time"))
    var end: String
    @Flag(help: "Again and again.")
    var loop = false
    @Option(help: ArgumentHelp("Playback owner (default: one of its own).", valueName: "id"))
    var owner: String?
    @Option(help: ArgumentHelp("A header for http(s); may be given again.", valueName: "name:value"))
    var header: [String] = []
    @Flag(help: "Return at once, leave the clip playing.")
    var detach = false
    @Flag(help: "JSON Lines on standard output.")
    var json = false

    func run() throws {
        let items = try ItemArguments([item])
        var parameters = PlayParameters()
        parameters.items = items.items
        parameters.names = items.names.isEmpty ? nil : items.names
        parameters.at = start
        parameters.until = end
        parameters.loop = loop ? true : nil
        parameters.owner = owner
        parameters.headers = header.isEmpty ? nil : header
        parameters.attach = !detach
        let command = SessionCommand.clip(parameters)
        try command.validate()
        let connection = try Session.runningOrStarted()
        if detach {
            _ = try connection.call(.command(command), descriptors: items.descriptors, seconds: 60)
            return
        }
        try AttachedPlayer(connection: connection, view: view()).run(command, descriptors: items.descriptors)
    }

    private func view() -> any PlayerView {
        if json { return JSONLinesView() }
        if let view = TerminalView.ifPossible() { return view }
        return SilentView()
    }
}

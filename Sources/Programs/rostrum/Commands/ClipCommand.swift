// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

struct ClipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clip", abstract: "Play parts of audio files.", subcommands: [ClipPlayCommand.self])
}

struct ClipPlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play a part of a file, then restore what played before.")
    @Argument(help: "A file, or an http(s) URL.")
    var item: String
    @Option(help: ArgumentHelp("The start of the part.", valueName: "time"))
    var start: String
    @Option(help: ArgumentHelp("The end of the part: the first moment that is not played.", valueName: "time"))
    var end: String
    @Flag(help: "Repeat the part.")
    var loop = false
    @Option(help: ArgumentHelp("The playback owner (default: a new one).", valueName: "id"))
    var owner: String?
    @OptionGroup var player: PlayerOptions

    func run() throws {
        let items = try ItemArguments([item])
        var parameters = PlayParameters()
        parameters.items = items.items
        parameters.names = items.names.isEmpty ? nil : items.names
        parameters.at = start
        parameters.until = end
        parameters.loop = loop ? true : nil
        // The client chooses the owner's name, so that it can show and control what this owner plays.
        parameters.owner = owner ?? "clip-viewer-\(getpid())"
        player.complete(&parameters)
        try player.play(.clip(parameters), items)
    }
}

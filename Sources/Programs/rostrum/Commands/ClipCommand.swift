// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
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
    @OptionGroup var player: PlayerOptions

    func run() throws {
        let items = try ItemArguments([item])
        var parameters = PlayParameters()
        parameters.items = items.items
        parameters.names = items.names.isEmpty ? nil : items.names
        parameters.at = start
        parameters.until = end
        parameters.loop = loop ? true : nil
        // A name that this player knows: it shows and steers what is his.
        parameters.owner = owner ?? "clip-viewer-\(getpid())"
        player.complete(&parameters)
        try player.play(.clip(parameters), items)
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

struct ClipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clip", abstract: "Keep, play and share passages of recordings.",
        discussion: "A clip is named by its ID, or by as much of its beginning as no other clip has.",
        subcommands: [
            ClipAddCommand.self, ClipListCommand.self, ClipShowCommand.self, ClipPlayCommand.self,
            ClipEditCommand.self, ClipExportCommand.self, ClipImportCommand.self, ClipDeleteCommand.self,
            ClipRepairCommand.self, ClipWaveformCommand.self,
        ], defaultSubcommand: ClipListCommand.self)
}

struct ClipPlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play a clip or a part of a file, then restore what played before.")
    @Argument(help: "The ID of a clip; or, with --start and --end, a file or an http(s) URL.")
    var item: String
    @Option(help: ArgumentHelp("The start of the part.", valueName: "time"))
    var start: String?
    @Option(help: ArgumentHelp("The end of the part: the first moment that is not played.", valueName: "time"))
    var end: String?
    @Flag(help: "Repeat the part.")
    var loop = false
    @Option(help: ArgumentHelp("The playback owner (default: a new one).", valueName: "id"))
    var owner: String?
    @OptionGroup var player: PlayerOptions

    func run() throws {
        var parameters = PlayParameters()
        parameters.loop = loop ? true : nil
        // The client chooses the owner's name, so that it can show and control what this owner plays.
        parameters.owner = owner ?? "clip-viewer-\(getpid())"
        player.complete(&parameters)
        guard start != nil || end != nil else {
            // A clip's ID has only letters and digits.
            guard !item.contains(where: { $0 == "." || $0 == "/" }) else {
                throw SessionError(
                    .usage, "clip play: \(item) is no ID of a clip; to play a part of a file, give --start and --end")
            }
            var action = ClipAction(.play, ids: [item])
            action.take(parameters)
            return try player.play(.manageClips(action), try ItemArguments([]))
        }
        let items = try ItemArguments([item])
        parameters.items = items.items
        parameters.names = items.names.isEmpty ? nil : items.names
        parameters.at = start
        parameters.until = end
        try player.play(.clip(parameters), items)
    }
}

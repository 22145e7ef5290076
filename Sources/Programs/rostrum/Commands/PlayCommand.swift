// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play files, folders, playlists or addresses, or resume the last audio item.")

    @Argument(help: "A file, a folder, an .m3u or .cue, an http(s) URL, the ID of a book, or - for standard input.")
    var items: [String] = []
    @OptionGroup var options: PlayOptions

    func run() throws {
        let items = try ItemArguments(items)
        try options.play(.play(options.parameters(items)), items)
    }
}

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Read a text aloud, or resume the last one.")

    @Argument(help: "A text file, or - for standard input.")
    var document: String?
    @OptionGroup var options: PlayOptions

    func run() throws {
        let items = try ItemArguments(document.map { [$0] } ?? [])
        var parameters = options.parameters(items)
        parameters.asText = true
        try options.play(.read(parameters), items)
    }
}

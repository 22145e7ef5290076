// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play files, folders, playlists or addresses, or resume the last audio item.")

    @Argument(help: "A file, a folder, an .m3u or .cue, an http(s) URL, the ID of a book, or - for standard input.")
    var items: [String] = []
    @Flag(help: "Open the full-screen player; without an item, play nothing.")
    var screen = false
    @OptionGroup var options: PlayOptions

    func run() throws {
        let arguments = items
        let items = try ItemArguments(arguments)
        guard screen else { return try options.play(.play(options.parameters(items)), items) }
        if arguments.contains("-") {
            throw SessionError(.usage, "--screen - : the player needs standard input for its keys; give a file")
        }
        var parameters = options.parameters(items)
        parameters.attach = nil
        try TerminalProgram.run(playing: arguments.isEmpty ? nil : (parameters, items.descriptors))
    }
}

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Read a text aloud, or resume the last one.")

    @Argument(
        help: ArgumentHelp(
            "A text, HTML, EPUB, PDF, Markdown or other document, an http(s) URL, or - for standard input.",
            discussion: "Also the ID of a document of `rostrum reading`, or a part of its title."))
    var document: String?
    @Flag(name: [.short, .long], help: "Read what was copied last; needs wl-paste, xclip or xsel.")
    var clipboard = false
    @Flag(help: "Hand audio focus back at the end, as a sample does; no place is kept.")
    var sample = false
    @OptionGroup var options: PlayOptions

    func validate() throws {
        if clipboard, document != nil { throw ValidationError("give a document or --clipboard, not both") }
    }

    func run() throws {
        let items =
            clipboard
            ? try ItemArguments(try Clipboard.read()) : try ItemArguments(document.map { [$0] } ?? [], isRead: true)
        var parameters = options.parameters(items)
        parameters.sample = sample ? true : nil
        parameters.asText = true
        try options.play(.read(parameters), items)
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

/// The options of `play` and `read`.
struct PlayOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The engine to use (default: chosen by content).", valueName: "id"))
    var engine: String?
    @Option(help: ArgumentHelp("The position to start at (default: the saved place, or 0).", valueName: "time"))
    var at: String?
    @Flag(help: "Start at 0.")
    var fromStart = false
    @Option(help: ArgumentHelp("The position to stop at.", valueName: "time"))
    var until: String?
    @Option(help: ArgumentHelp("The speed, 0.5 to 3.0.", valueName: "r"))
    var rate: Double?
    @Option(help: ArgumentHelp("The volume, 0.0 to 1.0.", valueName: "v"))
    var volume: Double?
    @Option(help: ArgumentHelp("The playback owner (default: main).", valueName: "id"))
    var owner: String?
    @Option(help: ArgumentHelp("The voice of a speech engine.", valueName: "v"))
    var voice: String?
    @Option(
        help: ArgumentHelp("The output: auto, pulse[:SINK], alsa[:PCM], wav:PATH, null, null:fast.", valueName: "out"))
    var output: String?
    @OptionGroup var player: PlayerOptions

    func parameters(_ items: ItemArguments) -> PlayParameters {
        var parameters = PlayParameters()
        parameters.items = items.items
        parameters.names = items.names.isEmpty ? nil : items.names
        parameters.engine = engine
        parameters.at = at
        parameters.fromStart = fromStart ? true : nil
        parameters.until = until
        parameters.rate = rate
        parameters.volume = volume
        parameters.owner = owner
        parameters.voice = voice
        parameters.output = output.map(Self.absoluteOutput)
        player.complete(&parameters)
        return parameters
    }

    /// Makes a relative path absolute, since it is relative to the client's folder.
    private static func absoluteOutput(_ output: String) -> String {
        guard output.hasPrefix("wav:"), output != "wav:" else { return output }
        return "wav:" + ItemArguments.absolute(String(output.dropFirst(4)))
    }

    func play(_ command: SessionCommand, _ items: ItemArguments) throws {
        let isRender = output.flatMap { try? OutputExpression(Self.absoluteOutput($0)) }?.isRender == true
        try player.play(command, items, isRender: isRender)
    }
}

/// The options of the commands that start an item or a clip.
struct PlayerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A header for http(s); may be repeated.", valueName: "name:value"))
    var header: [String] = []
    @Option(
        help: ArgumentHelp(
            "The name under which to save the place of an address or pipe (default: the address without its query).",
            valueName: "name"))
    var identity: String?
    @Flag(help: "Exit when playback has started, and leave the session playing.")
    var detach = false
    @Flag(help: "Print JSON Lines.")
    var json = false

    func complete(_ parameters: inout PlayParameters) {
        parameters.headers = header.isEmpty ? nil : header
        parameters.identity = identity
        parameters.attach = !detach
    }

    /// Sends the command and stays attached, unless `--detach` is given.
    func play(_ command: SessionCommand, _ items: ItemArguments, isRender: Bool = false) throws {
        try command.validate()
        if detach {
            return try Session.ask { connection throws(SessionError) in
                let answer = try connection.call(.command(command), descriptors: items.descriptors, seconds: 60)
                for line in AnswerMessage.lines(of: answer) { StandardError.write(warning: line) }
                if case .read = command { connection.tellSubstitution() }
            }
        }
        try AttachedPlayer.play(command, items, view: view(isRender))
    }

    private func view(_ isRender: Bool) -> any PlayerView {
        if json { return JSONLinesView() }
        if !isRender, let view = TerminalView.ifPossible() { return view }
        return SilentView()
    }
}

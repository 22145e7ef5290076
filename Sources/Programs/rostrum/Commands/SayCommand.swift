// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol

struct SayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "say", abstract: "Say words with the pronunciations applied, and print how they are said.",
        discussion:
            "What plays waits, and goes on afterwards. `rostrum pronunciations` lists the entries; `--as` and `--entry` try "
            + "one before it is written down.")

    @Argument(help: "The words.")
    var words: [String]
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("How the words are said: in other words, or in [[sounds]].", valueName: "speech"))
    var speech: String?
    @Option(help: ArgumentHelp("An entry as pronunciations.txt would have it; may be repeated.", valueName: "line"))
    var entry: [String] = []
    @Option(
        help: ArgumentHelp("The language as a tag such as de or en-GB (default: told by the words).", valueName: "tag"))
    var language: String?
    @Option(help: ArgumentHelp("The engine to use (default: as for a text in this language).", valueName: "id"))
    var engine: String?
    @Option(help: ArgumentHelp("The voice of the engine.", valueName: "v"))
    var voice: String?
    @Option(help: ArgumentHelp("The speed, 0.5 to 3.0.", valueName: "r"))
    var rate: Double?

    func run() throws {
        let input = try SpokenWordsInput(words)
        let command = SessionCommand.read(try parameters())
        try command.validate()
        let code = try input.show(
            (language.map { ["--language", $0] } ?? []) + (try entries()).map { "--entry=" + $0 })
        // It has said why.
        guard code == 0 else { Glibc.exit(code) }
        let items = try ItemArguments(input)
        try AttachedPlayer.play(command, items, view: TerminalView.ifPossible() ?? SilentView())
    }

    private func parameters() throws(SessionError) -> PlayParameters {
        var parameters = PlayParameters()
        parameters.items = ["descriptor:0"]
        parameters.names = [SpokenWordsInput.name]
        parameters.sample = true
        parameters.asText = true
        parameters.attach = true
        (parameters.engine, parameters.voice, parameters.rate) = (engine, voice, rate)
        parameters.language = language
        let entries = try entries()
        parameters.pronunciations = entries.isEmpty ? nil : entries
        return parameters
    }

    /// The entries to try; the last one that fits is taken.
    private func entries() throws(SessionError) -> [String] {
        guard let speech else { return entry }
        let words = words.joined(separator: " ")
        guard !words.contains("\"") else {
            throw SessionError(.usage, "--as: quotation marks in the words; leave them out, or use --entry")
        }
        return entry + ["\"\(words)\" = \(speech)"]
    }
}

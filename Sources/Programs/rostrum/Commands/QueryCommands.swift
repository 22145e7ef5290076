// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import SessionProtocol
import TerminalPlayer

/// Prints an answer, either as its unchanged JSON or as lines for the user.
func show<Answer: Decodable>(
    _ result: [UInt8], as type: Answer.Type, json: Bool, _ lines: (Answer) -> [String]
) throws(SessionError) {
    if json { return try StandardOutput.write(result + [JSONLine.newline]) }
    try StandardOutput.write(lines(try decoded(result, as: type)).map { $0.printable + "\n" }.joined())
}

/// Decodes an answer; throws if the session has another version.
func decoded<Answer: Decodable>(_ result: [UInt8], as type: Answer.Type) throws(SessionError) -> Answer {
    guard let answer = try? JSONDecoder().decode(type, from: Data(result)) else {
        throw SessionError(.io, "the session is of another version: restart it with `rostrum stop` and try again")
    }
    return answer
}

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Show what the session is doing.")
    @Flag(help: "Print one JSON object.")
    var json = false
    @OptionGroup var options: AddressOptions

    func run() throws {
        let command = options.address(.status)
        try command.validate()
        let result = try Session.running().call(.command(command))
        try show(result, as: Status.self, json: json) { StatusText($0).lines }
    }
}

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show the tracks, chapters and durations of an item.")
    @Argument(help: "A file, a folder, an .m3u or .cue, an http(s) URL, or - for standard input.")
    var item: String
    @Option(help: ArgumentHelp("A header for http(s); may be repeated.", valueName: "name:value"))
    var header: [String] = []
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let items = try ItemArguments([item])
        var parameters = PlayParameters()
        parameters.items = items.items
        parameters.names = items.names.isEmpty ? nil : items.names
        parameters.headers = header.isEmpty ? nil : header
        let command = SessionCommand.inspect(parameters)
        try command.validate()
        let connection = try Session.runningOrStarted()
        let result = try connection.call(.command(command), descriptors: items.descriptors, seconds: 60)
        try show(result, as: Inspection.self, json: json) { $0.lines }
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last jump; repeat it to undo earlier ones.")

    /// Starts a session if none is running, to play what was left last night from there.
    func run() throws { _ = try Session.runningOrStarted().call(.command(.undo), seconds: 30) }
}

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the jumps that `rostrum undo` takes back, or what was listened to.")
    @Flag(help: "Print one JSON object.")
    var json = false
    @Flag(help: "Show what was listened to instead of jumps.")
    var listened = false
    @Option(help: ArgumentHelp("The number of entries; the newest are shown.", valueName: "n"))
    var limit = 20

    func run() throws {
        let command = SessionCommand.history(limit: limit)
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command))
        try show(result, as: History.self, json: json) { HistoryText($0, listened: listened).lines }
    }
}

struct SleepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep", abstract: "Fade out and pause after a time, or at the end of a chapter or of the book.",
        discussion: "Without a time, show the current timer, and when each of the coming chapters ends.")
    @Argument(help: "Minutes, or a time such as 1h30m or 90s; +10 to add ten minutes; chapter, ch:12, book or off.")
    var time: String?
    @Flag(help: "Print the timer and the chapters as one JSON object.")
    var json = false

    func run() throws {
        let command = time.map { SessionCommand.sleep($0) } ?? .sleepChoices
        try command.validate()
        let result = try Session.running().call(.command(command), seconds: 30)
        if time == nil { try show(result, as: SleepChoices.self, json: json) { SleepText($0).lines } }
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Go back to where the last jump led away from; again: to the one before.")

    /// Also when no session runs: what was left last night is played again from there.
    func run() throws { _ = try Session.runningOrStarted().call(.command(.undo), seconds: 30) }
}

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Jumps, which `rostrum undo` takes back, and what was listened to.")
    @Flag(help: "As one JSON object.")
    var json = false
    @Flag(help: "What was listened to, instead of jumps.")
    var listened = false
    @Option(help: ArgumentHelp("How many, the newest ones.", valueName: "n"))
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
        commandName: "sleep", abstract: "Fade out and pause after a while, at the end of a chapter, or of the book.",
        discussion: "Without a time: the chapters to come, when each is over, and what is set.")
    @Argument(help: "Minutes, or 1h30m, 90s; +10 for ten more; chapter, ch:12, book or off.")
    var time: String?
    @Flag(help: "The chapters as one JSON object.")
    var json = false

    func run() throws {
        let command = time.map { SessionCommand.sleep($0) } ?? .sleepChoices
        try command.validate()
        let result = try Session.running().call(.command(command), seconds: 30)
        if time == nil { try show(result, as: SleepChoices.self, json: json) { SleepText($0).lines } }
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import Glibc
import SessionProtocol

struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show the transition log: what happened, and why.")
    @Flag(help: "Print the unchanged records, one JSON object per line.")
    var json = false
    @Flag(help: "Keep printing new records as the session writes them.")
    var follow = false
    @Option(help: ArgumentHelp("Show only newer records: 10m (ago), or 2026-01-31T08:00:00Z.", valueName: "time"))
    var since: String?

    func run() throws {
        let start = try since.map { try Self.start($0, now: Date()) }
        let folders = try UserFolders.current()
        var printer = TransitionPrinter()
        let print: ([UInt8]) throws(SessionError) -> Void = { line throws(SessionError) in
            guard let record = TransitionRecord(line) else {
                // The session was killed while it wrote this line.
                return
            }
            if let start, let wall = record.wall, wall < start { return }
            try StandardOutput.write(json ? line + [JSONLine.newline] : Array(printer.lines(record).utf8))
        }
        if follow { try LogFollower(path: folders.transitionLog).run(print) }
        guard let file = try LogFile(path: folders.transitionLog) else {
            throw SessionError(.notFound, "no log: \(folders.transitionLog); play something first")
        }
        try file.readLines(print)
    }

    private static func start(_ text: String, now: Date) throws(SessionError) -> Date {
        if let date = TransitionRecord.date(text) { return date }
        guard case .absolute(let ms)? = try? TimeExpression(text) else {
            throw SessionError(
                .usage, "bad time: \(text.isEmpty ? "empty" : text); give for example 10m or 2026-01-31T08:00:00Z")
        }
        return now.addingTimeInterval(-Double(ms) / 1000)
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TerminalPlayer

struct EngineCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check an engine against its contract, case by case.")
    @Argument(help: "The engine's folder, ID.engine.")
    var path: String?
    @Option(help: ArgumentHelp("A file to check it with, if it plays neither WAV nor plain text.", valueName: "file"))
    var content: String?
    @Option(name: .customLong("case"), help: ArgumentHelp("Run only this case; may be repeated.", valueName: "name"))
    var names: [String] = []
    @Option(help: ArgumentHelp("The deadline of every case, instead of its own.", valueName: "seconds"))
    var deadline: Double?
    @Flag(help: "List the cases.")
    var list = false
    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if path == nil, !list { throw ValidationError("give the folder of an engine") }
        if let deadline, !(deadline > 0 && deadline <= 3600) {
            throw ValidationError("--deadline \(deadline): give seconds, at most 3600")
        }
    }

    func run() throws {
        var arguments = ["check-engine"]
        if list {
            arguments.append("--list")
        } else if let path {
            arguments += names.flatMap { ["--case", $0] }
            if let content { arguments += ["--content", content] }
            if let deadline { arguments += ["--deadline", "\(deadline)"] }
            arguments += ["--", path]
        }
        var check = EngineCheck(engine: "", results: [])
        try CheckProcess(arguments).run { line throws(SessionError) in
            switch line {
            case .engine(let id): check.engine = id
            case .known(let name, let about): try StandardOutput.write("\(name.padded)  \(about.printable)\n")
            case .failed(let error): throw error
            case .result(let result):
                check.results.append(result)
                if !json { try StandardOutput.write(result.lines) }
            }
        }
        guard !list else { return }
        if json { try StandardOutput.write(try JSONLine.encode(check)) }
        if !json { try StandardOutput.write(check.summary.printable + "\n") }
        if let failure = check.failure { throw failure }
    }
}

extension String {
    /// The name of a case, padded to the width of its column.
    fileprivate var padded: String { self + String(repeating: " ", count: max(0, 20 - utf8.count)) }
}

extension EngineCheck.Result {
    /// One line, and a second one if there are details.
    fileprivate var lines: String {
        let head = outcome.printable + String(repeating: " ", count: max(0, 8 - outcome.utf8.count)) + name.printable
        return detail.isEmpty ? head + "\n" : "\(head)\n        \(detail.printable)\n"
    }
}

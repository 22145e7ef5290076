// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TransitionReplay

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Repeat every decision in a transition log, and compare the results.")
    @Argument(help: "The path of a transition log, such as `transitions.jsonl`.")
    var file: String

    func run() throws {
        guard let log = try LogFile(path: file) else {
            throw SessionError(.notFound, "no such file: \(file); check the name")
        }
        var replay = TransitionReplay()
        func check(_ step: () throws(TransitionReplay.Failure) -> Void) throws(SessionError) {
            do throws(TransitionReplay.Failure) {
                try step()
            } catch {
                switch error {
                case .unreadable(let reason): throw SessionError(.badContent, "\(file): \(reason)")
                case .divergence(let reason): throw SessionError(.checkFailed, "\(file): \(reason)")
                }
            }
        }
        try log.readLines { line throws(SessionError) in
            try check { () throws(TransitionReplay.Failure) in try replay.take(line) }
        }
        try check { () throws(TransitionReplay.Failure) in try replay.finish() }
        guard replay.hasBegun else {
            throw SessionError(.badContent, "\(file): no snapshot in it; give a log that Rostrum wrote")
        }
        try StandardOutput.write(replay.summary + "\n")
    }
}

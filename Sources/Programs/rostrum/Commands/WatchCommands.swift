// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TerminalPlayer

struct LibraryWatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Add the books of folders, and take up what changes there from now on.",
        discussion: """
            New, changed, moved and missing books are taken up by themselves while a session runs, and when the next one \
            starts. A file counts once it is complete. Without a folder, lists the watched ones.
            """)
    @Argument(help: ArgumentHelp("The folders.", valueName: "folder"))
    var folders: [String] = []
    @Flag(help: "List the watched folders.")
    var list = false
    @Flag(help: "Print JSON: the progress and a summary as JSON Lines, the list as one object.")
    var json = false

    func run() throws {
        guard list || folders.isEmpty else {
            let named = try ItemArguments(folders, isPlayed: false)
            return try LibraryImport(json: json).run(LibraryAction(.watch, items: named.items))
        }
        guard folders.isEmpty else { throw SessionError(.usage, "library watch: give folders or --list, not both") }
        let result = try Session.runningOrStarted().call(.command(.library(LibraryAction(.watched))))
        try show(result, as: LibraryWatches.self, json: json) { $0.lines }
    }
}

struct LibraryUnwatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unwatch", abstract: "Watch folders no longer; their books stay in the library.")
    @Argument(help: ArgumentHelp("The folders.", valueName: "folder"))
    var folders: [String]

    func run() throws {
        // A folder that is gone can be named, too.
        let command = SessionCommand.library(LibraryAction(.unwatch, items: folders.map { ItemArguments.absolute($0) }))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command))
        try show(result, as: [String: String].self, json: false) { [$0["message"] ?? ""] }
    }
}

extension LibraryWatches {
    var lines: [String] {
        if folders.isEmpty { return ["no folder is watched; `rostrum library watch FOLDER` watches one"] }
        var lines = folders.map { folder in
            let state =
                switch folder.state {
                case "watched": "watched, \(folder.folders) folders"
                case "shared": "watched, \(folder.folders) folders, and scanned every 15 min"
                case "scanned": "scanned every 15 min"
                case "absent": "not there; waits for it"
                default: "starts"
                }
            return "\(folder.path)  \(state)" + (folder.reason.map { ": \($0)" } ?? "")
        }
        if let last { lines.append("last: \(last)") }
        if !settled { lines.append("changes are being taken up") }
        return lines
    }
}

// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TerminalPlayer

/// The commands of the library.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "List, show, add and remove the books of the library.",
        subcommands: [
            LibraryListCommand.self, LibraryShowCommand.self, LibraryNextCommand.self, LibraryAddCommand.self,
            LibraryRemoveCommand.self, LibraryRescanCommand.self, LibraryWatchCommand.self, LibraryUnwatchCommand.self,
            LibraryPairCommand.self, LibraryUnpairCommand.self,
        ], defaultSubcommand: LibraryListCommand.self)
}

struct LibraryListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the books by title.")
    @Flag(help: "Print JSON Lines, one object per book.")
    var json = false
    @Option(help: ArgumentHelp("The maximum number of books.", valueName: "n"))
    var limit: Int?
    @Option(help: ArgumentHelp("The number of books to skip first.", valueName: "n"))
    var offset = 0

    /// Lists the books page by page, because a library may be larger than a message and than a screen.
    func run() throws {
        if let limit, limit < 1 { throw SessionError(.usage, "bad limit: \(limit); give 1 or more") }
        var rest = limit ?? .max
        var action = LibraryAction(.list, offset: offset, limit: min(rest, LibraryAction.mostLines))
        try SessionCommand.library(action).validate()
        let connection = try Session.runningOrStarted()
        var isFirst = true
        while rest > 0 {
            action.limit = min(rest, LibraryAction.mostLines)
            let result = try connection.call(.command(.library(action)), seconds: 30)
            let books = try decoded(result, as: LibraryPage.self).books
            if books.isEmpty && isFirst && offset == 0 && !json {
                try StandardOutput.write("no books yet; add some with `rostrum library add FOLDER`\n")
            }
            try LibraryPage(books: books).show(json: json)
            guard let last = books.last, books.count == action.limit else { return }
            (isFirst, rest, action.after, action.offset) = (false, rest - books.count, last.id, 0)
        }
    }
}

struct LibraryShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the files, durations and chapters of a book.")
    @Argument(help: "The ID of the book.")
    var id: String
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let command = SessionCommand.library(LibraryAction(.show, id: id))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command))
        try show(result, as: LibraryBookDetail.self, json: json) { $0.lines }
    }
}

struct LibraryNextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Show the book that follows a book in its folder.")
    @Argument(help: "The ID or the URI of the book.")
    var id: String
    @Flag(help: "Print JSON Lines: the book, or nothing.")
    var json = false

    func run() throws {
        let command = SessionCommand.library(LibraryAction(.next, id: id))
        try command.validate()
        let page = try decoded(try Session.runningOrStarted().call(.command(command)), as: LibraryPage.self)
        if page.books.isEmpty && !json { try StandardOutput.write("no next book\n") }
        try page.show(json: json)
    }
}

struct LibraryRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a book from the library; its files and its place are kept.")
    @Argument(help: "The ID of the book.")
    var id: String

    func run() throws {
        let command = SessionCommand.library(LibraryAction(.remove, id: id))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command))
        try show(result, as: [String: String].self, json: false) { [$0["message"] ?? ""] }
    }
}

struct LibraryAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Find books in folders and files, and add them.",
        discussion: """
            A folder of files is a book, and so is a folder of discs (CD 1, Disc 2); a folder of folders holds books. \
            Ctrl-C stops after the current book; run the same command again to continue.
            """)
    @Argument(help: "The folders and files.")
    var items: [String]
    @Flag(help: "Add the files as one book, in this order.")
    var asOne = false
    @Flag(help: "Print JSON Lines: the progress, and a summary.")
    var json = false

    func run() throws {
        let named = try ItemArguments(items, isPlayed: false)
        try LibraryImport(json: json).run(LibraryAction(.add, items: named.items, asOne: asOne))
    }
}

struct LibraryRescanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescan", abstract: "Scan what was added for new, moved, changed and missing books.")
    @Flag(help: "Print JSON Lines: the progress, and a summary.")
    var json = false

    func run() throws { try LibraryImport(json: json).run(LibraryAction(.rescan)) }
}

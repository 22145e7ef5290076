// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

/// The books that the session knows.
struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "The books: add folders and files, list, show and remove books.",
        subcommands: [
            LibraryListCommand.self, LibraryShowCommand.self, LibraryAddCommand.self, LibraryRemoveCommand.self,
            LibraryRescanCommand.self,
        ], defaultSubcommand: LibraryListCommand.self)
}

struct LibraryListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "The books, by title.")
    @Flag(help: "JSON Lines: one object a book.")
    var json = false
    @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
    var limit: Int?
    @Option(help: ArgumentHelp("Leave out so many first.", valueName: "n"))
    var offset = 0

    /// Piece by piece: a library may be larger than a message, and than a screen.
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
                try StandardOutput.write("no book yet; add some with `rostrum library add FOLDER`\n")
            }
            try print(books)
            guard let last = books.last, books.count == action.limit else { return }
            (isFirst, rest, action.after, action.offset) = (false, rest - books.count, last.id, 0)
        }
    }

    private func print(_ books: [LibraryBook]) throws(SessionError) {
        var bytes: [UInt8] = []
        for book in books {
            bytes += json ? try JSONLine.encode(book) : Array((book.line.printable + "\n").utf8)
        }
        try StandardOutput.write(bytes)
    }
}

struct LibraryShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "All that is known of a book: files, durations, chapters.")
    @Argument(help: "The book's id.")
    var id: String
    @Flag(help: "As one JSON object.")
    var json = false

    func run() throws {
        let command = SessionCommand.library(LibraryAction(.show, id: id))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command))
        try show(result, as: LibraryBookDetail.self, json: json) { $0.lines }
    }
}

struct LibraryRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a book; its files and its place stay.")
    @Argument(help: "The book's id.")
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
        commandName: "add", abstract: "Look for books in folders and files, and keep what is found.",
        discussion: """
            A folder of files is a book, and so is a folder of discs (CD 1, Disc 2); a folder of folders holds books. \
            Ctrl-C ends it after the present book; the same command goes on.
            """)
    @Argument(help: "Folders and files.")
    var items: [String]
    @Flag(help: "The files are one book, in this order.")
    var asOne = false
    @Flag(help: "JSON Lines: what happens, and what was done.")
    var json = false

    func run() throws {
        let named = try ItemArguments(items, isPlayed: false)
        try LibraryImport(json: json).run(LibraryAction(.add, items: named.items, asOne: asOne))
    }
}

struct LibraryRescanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescan", abstract: "Look again wherever something was added: new, moved, changed and lost books.")
    @Flag(help: "JSON Lines: what happens, and what was done.")
    var json = false

    func run() throws { try LibraryImport(json: json).run(LibraryAction(.rescan)) }
}

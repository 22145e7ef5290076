// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TerminalPlayer

/// The commands of the reading list.
struct ReadingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reading",
        abstract: "List, add, archive and delete documents of the web, kept to be read offline.",
        discussion: "`rostrum read URL` adds a document, too, and goes on where it was left.",
        subcommands: [
            ReadingListCommand.self, ReadingAddCommand.self, ReadingArchiveCommand.self, ReadingUnarchiveCommand.self,
            ReadingDeleteCommand.self,
        ], defaultSubcommand: ReadingListCommand.self)
}

struct ReadingListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the documents, the newest first, with how much of each was read.")
    @Flag(help: "List archived documents, too.")
    var all = false
    @Flag(help: "Print JSON Lines, one object per document.")
    var json = false

    func run() throws {
        let page = try ReadingRequest.send(ReadingAction(.list))
        let documents = page.documents.filter { all || !$0.isArchived }
        if documents.isEmpty, !json {
            try StandardOutput.write("nothing to read yet; add something with `rostrum reading add URL`\n")
        }
        try ReadingPage(documents: documents).show(json: json)
    }
}

struct ReadingAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Fetch a document and keep it; one that is kept is fetched again.")
    @Argument(help: "An http or https address.")
    var url: String
    @Flag(help: "Allow an address of this machine or of its networks.")
    var `private` = false
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        try ReadingRequest.send(ReadingAction(.add, id: url, allowPrivate: `private`), seconds: 240).show(json: json)
    }
}

struct ReadingArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Take a document from the list, and keep it.")
    @Argument(help: "The ID or the address of the document.")
    var id: String

    func run() throws { try ReadingRequest.send(ReadingAction(.archive, id: id)).show(json: false) }
}

struct ReadingUnarchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unarchive", abstract: "Put an archived document back on the list.")
    @Argument(help: "The ID or the address of the document.")
    var id: String

    func run() throws { try ReadingRequest.send(ReadingAction(.unarchive, id: id)).show(json: false) }
}

struct ReadingDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a document; its place is kept.")
    @Argument(help: "The ID or the address of the document.")
    var id: String

    func run() throws {
        let page = try ReadingRequest.send(ReadingAction(.delete, id: id))
        try StandardOutput.write(page.documents.map { "deleted: \($0.url.printable)\n" }.joined())
    }
}

/// A request about the reading list.
enum ReadingRequest {
    static func send(_ action: ReadingAction, seconds: Int32 = 60) throws(SessionError) -> ReadingPage {
        let command = SessionCommand.reading(action)
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: seconds)
        return try decoded(result, as: ReadingPage.self)
    }
}

extension ReadingPage {
    fileprivate func show(json: Bool) throws(SessionError) {
        var bytes: [UInt8] = []
        for document in documents {
            bytes += json ? try JSONLine.encode(document) : Array((document.line.printable + "\n").utf8)
        }
        try StandardOutput.write(bytes)
    }
}

extension ReadingDocumentInfo {
    /// One line: the ID, how much was read, title and author, the address.
    fileprivate var line: String {
        let read = percent.map { "\(Int($0.rounded()))%" } ?? "new"
        let name = [title, author].compactMap(\.self).joined(separator: " - ")
        let rest = fault.map { "\(url)  cannot be read: \($0)" } ?? (name.isEmpty ? url : "\(name)  \(url)")
        return "\(id)  \(String(repeating: " ", count: max(0, 4 - read.utf8.count)))\(read)  \(rest)"
            + (isArchived ? "  (archived)" : "")
    }
}

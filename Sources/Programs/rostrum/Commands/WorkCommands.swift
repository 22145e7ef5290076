// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CTransport
import Glibc
import SessionProtocol
import TerminalPlayer

struct LibraryPairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Give a book its text, so that both are one work with one place.",
        discussion: """
            `rostrum engine espeak` in the middle of the recording then goes on in the text at the same passage, and \
            `rostrum engine ffmpeg` goes back. A text in the folder of a book, or of its title, needs no pairing.
            """)
    @Argument(help: "The ID of the book, or its path.")
    var book: String
    @Argument(
        help: ArgumentHelp("The text: a file, an address, or what names it on the reading list.", valueName: "text"))
    var text: String
    @Flag(help: "Take the text from the book whose text it is.")
    var force = false
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let named = try ItemArguments([text], isRead: true)
        guard named.descriptors.isEmpty else {
            throw SessionError(
                .usage, "what a pipe brings is gone when it is read, so it is no book's text; give a file")
        }
        let command = SessionCommand.library(
            LibraryAction(.pair, id: try WorkName.of(book), items: named.items, force: force))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 150)
        try show(result, as: LibraryWork.self, json: json) { $0.lines }
    }
}

struct LibraryUnpairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair", abstract: "Take its text from a book, whatever lies beside it.")
    @Argument(help: "The ID of the book, or its path.")
    var book: String

    func run() throws {
        let command = SessionCommand.library(LibraryAction(.unpair, id: try WorkName.of(book)))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command))
        try show(result, as: [String: String].self, json: false) { [$0["message"] ?? ""] }
    }
}

struct AlignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "align", abstract: "Find each sentence of a book's text in its recording.",
        discussion: """
            Works beside everything else at the lowest priority, and goes on where it was stopped. With an alignment, the \
            text follows the recording sentence by sentence, and `rostrum engine` changes between them without a gap.
            """)
    @Argument(help: "The ID of the book, or its path; without it, the book that is loaded.")
    var book: String?
    @Option(help: ArgumentHelp("The engine that speaks the text to compare with.", valueName: "id"))
    var engine: String?
    @Option(help: ArgumentHelp("The voice that speaks it.", valueName: "name"))
    var voice: String?
    @Flag(help: "Go on in the background, and end at once.")
    var background = false
    @Flag(
        help: "Print what is known, how far an alignment is that goes on, and what has no counterpart; align nothing.")
    var show = false
    @Flag(help: "End the alignment that goes on; the next one begins where it was.")
    var stop = false
    @Flag(help: "Print JSON Lines: the progress, and a summary.")
    var json = false

    func validate() throws {
        if [background, show, stop].count(where: \.self) > 1 {
            throw ValidationError("--background, --show and --stop exclude each other; give one of them")
        }
    }

    func run() throws {
        let id = try book.map(WorkName.of) ?? loaded()
        if stop {
            let command = SessionCommand.library(LibraryAction(.stopAlignment, id: id))
            try command.validate()
            let result = try Session.runningOrStarted().call(.command(command), seconds: 150)
            return try rostrum.show(result, as: [String: String].self, json: json) { [$0["message"] ?? ""] }
        }
        let command = SessionCommand.library(LibraryAction(.work, id: id))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 150)
        if show { return try rostrum.show(result, as: LibraryWork.self, json: json) { $0.lines } }
        let work = try decoded(result, as: LibraryWork.self)
        if work.grade == "exact" {
            return try StandardOutput.write(
                "“\(work.title.printable)”: the text itself states its times; there is nothing to align\n")
        }
        if let run = work.run, run.state == "running" {
            throw SessionError(
                .busy,
                "“\(work.title.printable)” is being aligned already, \(run.done); `rostrum align \(id) --show` tells how "
                    + "far it is, --stop ends it")
        }
        guard let text = work.text, let alignment = work.alignment, let recording = work.recordingIdentity,
            let identity = work.textIdentity
        else {
            throw SessionError(
                .unavailable, "“\(work.title)” cannot be aligned: a file of it is unknown; run `rostrum library rescan`"
            )
        }
        try start(
            ["--out", alignment, "--recording-identity", recording, "--text-identity", identity, "--book", work.id]
                + (engine.map { ["--engine", $0] } ?? []) + (voice.map { ["--voice", $0] } ?? [])
                + (json ? ["--json"] : []) + ["--"] + (try ([text] + work.files).map(WorkName.path)), of: id)
    }

    private func loaded() throws -> String {
        let status = try decoded(try Session.runningOrStarted().call(.command(.status)), as: Status.self)
        guard let item = status.item else {
            throw SessionError(.usage, "nothing is loaded, so name a book: rostrum align BOOK")
        }
        return item.uri
    }

    private func start(_ arguments: [String], of book: String) throws {
        let session = try SessionLauncher.program()
        let program = String(session.dropLast("rostrumd".count) + "rostrum-align")
        // The program has the priority of this thread, from its first moment on.
        ctransport_give_way()
        if background {
            try BackgroundProgram.start(program, ["--background"] + arguments)
            return try StandardOutput.write(
                "aligning in the background; `rostrum align \(book) --show` tells how far it is, --stop ends it\n")
        }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        execv(program, &words)
        throw SessionError(.unavailable, "cannot start \(program): \(String(cString: strerror(errno)))")
    }
}

/// The name of a book on the command line.
enum WorkName {
    /// Returns the ID as it is, and the URI or absolute path of anything else.
    static func of(_ argument: String) throws(SessionError) -> String {
        if argument.isBookID { return argument.hasPrefix("library:") ? String(argument.dropFirst(8)) : argument }
        return try ItemArguments([argument], isPlayed: false).items.first ?? argument
    }
}

extension WorkName {
    /// Returns the path of a file URI.
    fileprivate static func path(_ uri: String) throws(SessionError) -> String {
        guard uri.hasPrefix("file:") else {
            throw SessionError(.unavailable, "\(uri): only files are aligned; save it, and pair the book with the file")
        }
        return try ItemArguments.path(ofFileURL: uri)
    }
}

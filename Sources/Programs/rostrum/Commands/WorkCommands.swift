// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
    @Argument(help: ArgumentHelp("The text: a file.", valueName: "text"))
    var text: String
    @Flag(help: "Take the text from the book whose text it is.")
    var force = false
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let named = try ItemArguments([text], isPlayed: false)
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
    @Flag(help: "Print what is known, and align nothing.")
    var show = false
    @Flag(help: "Print JSON Lines: the progress, and a summary.")
    var json = false

    func run() throws {
        let id = try book.map(WorkName.of) ?? loaded()
        let command = SessionCommand.library(LibraryAction(.work, id: id))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 150)
        if show { return try rostrum.show(result, as: LibraryWork.self, json: json) { $0.lines } }
        let work = try decoded(result, as: LibraryWork.self)
        if work.grade == "exact" {
            return try StandardOutput.write(
                "“\(work.title.printable)”: the text itself states its times; there is nothing to align\n")
        }
        guard let text = work.text, let alignment = work.alignment, let recording = work.recordingIdentity,
            let identity = work.textIdentity
        else {
            throw SessionError(
                .unavailable, "“\(work.title)” cannot be aligned: a file of it is unknown; run `rostrum library rescan`"
            )
        }
        try start(
            ["--out", alignment, "--recording-identity", recording, "--text-identity", identity]
                + (engine.map { ["--engine", $0] } ?? []) + (voice.map { ["--voice", $0] } ?? [])
                + (json ? ["--json"] : []) + ["--"] + (try ([text] + work.files).map(WorkName.path)))
    }

    private func loaded() throws -> String {
        let status = try decoded(try Session.runningOrStarted().call(.command(.status)), as: Status.self)
        guard let item = status.item else {
            throw SessionError(.usage, "nothing is loaded, so name a book: rostrum align BOOK")
        }
        return item.uri
    }

    private func start(_ arguments: [String]) throws {
        let session = try SessionLauncher.program()
        let program = String(session.dropLast("rostrumd".count) + "rostrum-align")
        if background {
            try BackgroundProgram.start(program, arguments)
            return try StandardOutput.write(
                "aligning in the background; `rostrum align --show` tells how much of the text is found\n")
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

extension LibraryWork {
    fileprivate var lines: [String] {
        var lines = ["\(id)  \(title)", "recording: \(recording)"]
        lines.append("text: \(text ?? "none")")
        if let takenFrom { lines.append("it was the text of “\(takenFrom.title)” (\(takenFrom.id))") }
        let share = Int((share * 100).rounded(.down))
        lines.append("places: \(grade)" + (share > 0 ? ", \(share) % of the text to the sentence" : ""))
        if grade == "anchored" || grade == "proportional" {
            lines.append("`rostrum align \(id)` finds each sentence in the recording")
        }
        return lines
    }
}

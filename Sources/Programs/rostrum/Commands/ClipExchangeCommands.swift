// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import Glibc
import SessionProtocol
import TerminalPlayer

struct ClipExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write clips as audio or video files, or as a list.",
        discussion: """
            A folder gets a file for each clip, with a name of its own; without --format, the audio keeps its encoding \
            there where that is possible. The name of a file says its format. mp4 is a still video with the waveform. A \
            list goes to the standard output; JSON comes back in with `rostrum clip import`.
            """)
    @Argument(help: "The IDs of the clips (for a list, default: all).")
    var ids: [String] = []
    @Option(help: ArgumentHelp("The folder; for one clip, a file also does.", valueName: "path"))
    var to: String?
    @Option(help: ArgumentHelp("One of \(ClipAction.formats.joined(separator: ", ")).", valueName: "format"))
    var format: String?
    @Flag(help: "Replace files that exist.")
    var force = false
    @Option(help: ArgumentHelp("Write a list instead: markdown or json.", valueName: "kind"))
    var list: ListKind?
    @Flag(help: "Print one JSON object about the files.")
    var json = false

    enum ListKind: String, ExpressibleByArgument {
        case markdown, json
    }

    func run() throws {
        if let list {
            guard to == nil, format == nil, !force else {
                throw SessionError(
                    .usage, "clip export: a list goes to the standard output; leave --to, --format and --force out")
            }
            return try write(list)
        }
        guard let to, !to.isEmpty else {
            throw SessionError(.usage, "clip export: say where: --to FOLDER, or --list markdown")
        }
        var action = ClipAction(.export, ids: ids)
        action.path = to.hasPrefix("/") ? to : FileManager.default.currentDirectoryPath + "/" + to
        action.format = format
        action.force = force ? true : nil
        let command = SessionCommand.manageClips(action)
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 3600)
        let export = try decoded(result, as: ClipExport.self)
        try show(result, as: ClipExport.self, json: json) { $0.files }
        for failure in export.failed { StandardError.write(warning: "\(failure.id): \(failure.message)") }
        if !export.failed.isEmpty {
            throw SessionError(.io, "\(export.failed.count) of \(ids.count) clips were not exported; see above")
        }
    }

    private func write(_ kind: ListKind) throws {
        var clips: [ClipInfo] = []
        if ids.isEmpty {
            clips = try ClipPages(ClipAction(.list)).all()
        } else {
            let connection = try Session.runningOrStarted()
            for id in ids {
                let command = SessionCommand.manageClips(ClipAction(.show, ids: [id]))
                try command.validate()
                clips += try decoded(try connection.call(.command(command)), as: ClipPage.self).clips
            }
        }
        switch kind {
        case .markdown: try StandardOutput.write(ClipMarkdown(clips).text)
        case .json: try StandardOutput.write(try JSONLine.encode(ClipPage(clips: clips)))
        }
    }
}

struct ClipImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring in the clips of a list that `rostrum clip export --list json` wrote.")
    @Argument(help: "The file; - for the standard input.")
    var file: String
    @Flag(help: "Print JSON Lines, one object per clip that was added.")
    var json = false

    /// The largest list in bytes: more than anyone writes, and less than a machine notices.
    private static let largest = 256 << 20

    func run() throws {
        let data = try read()
        let page: ClipPage
        do {
            page = try JSONDecoder().decode(ClipPage.self, from: data)
        } catch {
            throw SessionError(
                .badContent, "\(file) is no list of clips; write one with `rostrum clip export --list json`")
        }
        guard !page.clips.isEmpty else {
            return try StandardOutput.write(json ? "" : "no clips in \(file.printable)\n")
        }
        // All pieces are checked before the first is sent, so that a clip that cannot be one keeps out the whole list.
        let pieces = try ClipPieces(page.clips).actions
        let connection = try Session.runningOrStarted()
        var added = 0
        for action in pieces {
            let result = try decoded(
                try connection.call(.command(.manageClips(action)), seconds: 60), as: ClipPage.self)
            added += result.clips.count
            if json { try result.show(json: true) }
        }
        if !json {
            try StandardOutput.write("\(added) added, \(page.clips.count - added) were there\n")
        }
    }

    private func read() throws(SessionError) -> Data {
        let descriptor = file == "-" ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SessionError(
                errno == ENOENT ? .notFound : .io, "cannot read: \(file): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw SessionError(.io, "cannot read: \(file): \(String(cString: strerror(errno)))")
            }
            if count == 0 { return data }
            data.append(contentsOf: buffer.prefix(count))
            guard data.count <= Self.largest else {
                throw SessionError(.badContent, "\(file) is too long for a list of clips")
            }
        }
    }
}

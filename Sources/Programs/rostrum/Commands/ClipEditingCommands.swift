// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct ClipAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Keep the passage around the current place, or another one.",
        discussion: "Without a time, the clip has what lies around the current place; see `clipBefore` and `clipAfter`."
    )
    @Option(
        help: ArgumentHelp(
            "The recording: a file, a folder or the ID of a book (default: what is loaded).", valueName: "item"))
    var book: String?
    // A time that counts from the current place may begin with a minus.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The start of the passage; +TIME and -TIME count from the current place.", valueName: "time"))
    var start: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The first moment behind the passage; +TIME counts from the start, or with it from the current place.",
            valueName: "time"))
    var end: String?
    @Option(help: ArgumentHelp("A note.", valueName: "text"))
    var note: String?
    @Option(help: ArgumentHelp("A tag; may be repeated.", valueName: "tag"))
    var tag: [String] = []
    @Option(help: ArgumentHelp("The owner whose recording is meant (default: main).", valueName: "id"))
    var owner: String?
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        var action = ClipAction(.add, items: try book.map { try ItemArguments([$0]).items } ?? [])
        (action.start, action.end, action.note, action.owner) = (start, end, note, owner)
        action.tags = tag.isEmpty ? nil : tag
        let command = SessionCommand.manageClips(action)
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 60)
        try decoded(result, as: ClipPage.self).show(json: json)
    }
}

struct ClipEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the bounds, the note or the tags of a clip.",
        discussion: "Without an option, in a terminal: an editor that shows the sound.")
    @Argument(help: "The ID of the clip.")
    var id: String
    // A time to move by may begin with a minus.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The new start: a time, or +TIME or -TIME to move it.", valueName: "time"))
    var start: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The new end: a time, or +TIME or -TIME to move it.", valueName: "time"))
    var end: String?
    @Option(help: ArgumentHelp("The new note.", valueName: "text"))
    var note: String?
    @Option(help: ArgumentHelp("A tag that replaces the tags; may be repeated.", valueName: "tag"))
    var tag: [String] = []
    @Flag(help: "Remove all tags.")
    var noTags = false
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let isBare = start == nil && end == nil && note == nil && tag.isEmpty && !noTags && !json
        guard !id.isEmpty, id.utf8.count <= 128 else {
            throw SessionError(.usage, "clip edit: bad id; see `rostrum clip list`")
        }
        if isBare, TerminalProgram.hasFullScreen { return try FullScreenPlayer.run(editing: id) }
        if isBare {
            throw SessionError(
                .usage, "clip edit: say what to change, see --help; the editor needs a terminal with a full screen")
        }
        var action = ClipAction(.edit, ids: [id])
        (action.start, action.end, action.note) = (start, end, note)
        action.tags = noTags ? [] : tag.isEmpty ? nil : tag
        let command = SessionCommand.manageClips(action)
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 60)
        try decoded(result, as: ClipPage.self).show(json: json)
    }
}

struct ClipDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete clips with their files; their books are not touched.")
    @Argument(help: "The IDs of the clips.")
    var ids: [String]

    func run() throws {
        let command = SessionCommand.manageClips(ClipAction(.delete, ids: ids))
        try command.validate()
        let result = try Session.runningOrStarted().call(.command(command), seconds: 30)
        try show(result, as: [String: String].self, json: false) { [$0["message"] ?? ""] }
    }
}

struct ClipRepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Make the files that clips lack, and set files aside that no clip has.")
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let command = SessionCommand.manageClips(ClipAction(.repair))
        let result = try Session.runningOrStarted().call(.command(command), seconds: 3600)
        let repair = try decoded(result, as: ClipRepair.self)
        try show(result, as: ClipRepair.self, json: json) { repair in
            let aside = repair.lost.map { " (in \($0))" } ?? ""
            return ["\(repair.made) made, \(repair.aside) set aside\(aside), \(repair.failed.count) failed"]
        }
        for failure in repair.failed { StandardError.write(warning: "\(failure.id): \(failure.message)") }
        if !repair.failed.isEmpty {
            throw SessionError(
                .io, "\(repair.failed.count) of \(repair.made + repair.failed.count) files cannot be made; see above")
        }
    }
}

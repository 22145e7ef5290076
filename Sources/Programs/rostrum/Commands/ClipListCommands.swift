// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import SessionProtocol
import TerminalPlayer

struct ClipListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the clips by book and place, or the newest first.")
    @Argument(help: "Words that must each occur in the note, the tags, the title or the author.")
    var words: [String] = []
    @Option(help: ArgumentHelp("The recording: a file, a folder or the ID of a book.", valueName: "item"))
    var book: String?
    @Option(help: ArgumentHelp("The first day on which the clips were made.", valueName: "YYYY-MM-DD"))
    var since: String?
    @Option(help: ArgumentHelp("The day before which the clips were made.", valueName: "YYYY-MM-DD"))
    var before: String?
    @Flag(help: "List the newest first.")
    var newest = false
    @Option(help: ArgumentHelp("The maximum number of clips.", valueName: "n"))
    var limit: Int?
    @Option(help: ArgumentHelp("The number of clips to skip first.", valueName: "n"))
    var offset = 0
    @Flag(help: "Print JSON Lines, one object per clip.")
    var json = false

    func run() throws {
        if let limit, limit < 1 { throw SessionError(.usage, "bad limit: \(limit); give 1 or more") }
        var action = ClipAction(.list, items: try book.map { try ItemArguments([$0]).items } ?? [])
        action.words = words.isEmpty ? nil : words
        action.since = try since.map(Self.day)
        action.before = try before.map(Self.day)
        action.order = newest ? .made : .book
        action.offset = offset
        let clips = try ClipPages(action, atMost: limit ?? .max).all()
        if clips.isEmpty && !json {
            let isAny = words.isEmpty && book == nil && since == nil && before == nil && offset == 0
            try StandardOutput.write(isAny ? "no clips yet; make one with `rostrum clip add`\n" : "no such clips\n")
        }
        try ClipPage(clips: clips).show(json: json)
    }

    /// Returns the beginning of a day in the local time zone, in milliseconds since 1970.
    private static func day(_ text: String) throws(SessionError) -> Int64 {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) ?? -1 }
        guard numbers.count == 3, (1970...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
            (1...days(ofMonth: numbers[1], in: numbers[0])).contains(numbers[2])
        else {
            throw SessionError(.usage, "bad day: \(text); give it as 2026-01-31")
        }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_isdst) = (
            numbers[0] - 1900, numbers[1] - 1, numbers[2], -1
        )
        return Int64(mktime(&parts)) &* 1000
    }

    private static func days(ofMonth month: Int32, in year: Int32) -> Int32 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// The pages of a list of clips, which may be larger than a message.
struct ClipPages {
    private var action: ClipAction
    private var rest: Int

    init(_ action: ClipAction, atMost limit: Int = .max) {
        self.action = action
        rest = limit
    }

    /// Returns all clips of the list.
    func all() throws -> [ClipInfo] {
        var (action, rest) = (action, rest)
        var clips: [ClipInfo] = []
        action.limit = min(rest, ClipAction.mostClips)
        try SessionCommand.manageClips(action).validate()
        let connection = try Session.runningOrStarted()
        while rest > 0 {
            action.limit = min(rest, ClipAction.mostClips)
            let result = try connection.call(.command(.manageClips(action)), seconds: 60)
            let page = try decoded(result, as: ClipPage.self).clips
            clips += page
            guard page.count == action.limit else { break }
            rest -= page.count
            action.offset = (action.offset ?? 0) &+ page.count
        }
        return clips
    }
}

struct ClipShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the bounds, the note and the file of a clip.")
    @Argument(help: "The ID of the clip.")
    var id: String
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let command = SessionCommand.manageClips(ClipAction(.show, ids: [id]))
        try command.validate()
        let page = try decoded(try Session.runningOrStarted().call(.command(command)), as: ClipPage.self)
        if json { return try page.show(json: true) }
        try StandardOutput.write(page.clips.flatMap(\.lines).map { $0.printable + "\n" }.joined())
    }
}

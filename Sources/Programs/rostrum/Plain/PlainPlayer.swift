// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Clocks
import Glibc
import SessionProtocol
import TerminalPlayer

/// The player for screen readers: it prints a line for each change, and takes commands as lines.
final class PlainPlayer {
    /// `nil` while there is no session.
    private var link: SessionLink?
    private var narrator = PlainNarrator()
    private var status: (value: Status, at: Int64)?
    private var input = LineFramer(limit: 4096)
    private var isOver = false
    /// The words that the list of books to come has to match, and its pages so far.
    private var search = ""
    private var books: [LibraryBook] = []

    init() throws(SessionError) {
        gnu_use_unicode_characters()
        link = try SessionLink(Session.runningOrStarted(), owner: PlayerState.owner)
    }

    /// Returns when the listener leaves, or at the end of the input.
    func run(playing beginning: TerminalProgram.Beginning?) throws(SessionError) {
        signal(SIGPIPE, SIG_IGN)
        try say(["Rostrum. help lists the commands, quit leaves and lets the sound go on."])
        if let beginning { try link?.send(.play(beginning.parameters), .control, descriptors: beginning.descriptors) }
        while !isOver {
            var waits = [
                pollfd(fd: link?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            ]
            guard gnu_poll_on(&waits, 2, -1) >= 0 else { return }
            if waits[0].revents != 0 { try receive() }
            if waits[1].revents != 0 { try readLines() }
        }
    }

    private func receive() throws(SessionError) {
        var events: [PlayerEvent] = []
        do throws(SessionError) {
            events = try link?.receive() ?? []
        } catch {
            link = nil
            try say(["The session has ended. The next command starts one."])
        }
        for event in events { try take(event) }
    }

    /// Sends a command, to a new session if there is none.
    private func send(_ command: SessionCommand, _ request: Request) throws(SessionError) {
        if link == nil { link = try SessionLink(Session.runningOrStarted(), owner: PlayerState.owner) }
        do throws(SessionError) {
            try link?.send(command, request)
        } catch {
            // A session that is leaving took the connection and not the command.
            let next = try SessionLink(Session.runningOrStarted(), owner: PlayerState.owner)
            link = next
            try next.send(command, request)
        }
    }

    private func take(_ event: PlayerEvent) throws(SessionError) {
        switch event {
        case .status(let status):
            let hasEnded = status.status == "ended" && self.status?.value.status != "ended"
            self.status = (status, MonotonicTime.milliseconds())
            try say(narrator.lines(for: status))
            if hasEnded, let uri = status.item?.uri { try send(.library(LibraryAction(.next, id: uri)), .next) }
        case .answer(.next, let result):
            if let next = (try? result.get())?.books?.first { try say(narrator.offer(next)) }
        case .answer(_, .failure(let error)): try say([error.message.printable])
        case .answer(_, .success(.books(let page))):
            books += page
            if let last = page.last {
                try send(.library(LibraryAction(.list, after: last.id)), .books)
            } else {
                try say(narrator.list(books, matching: search))
            }
        case .answer(_, .success(.history(let history))):
            let jumps = history.jumps.reversed().map {
                "\($0.cause): \(clockText($0.from.ms)) to \(clockText($0.to.ms)), \($0.from.title)".printable
            }
            try say(jumps.isEmpty ? ["No jumps."] : jumps)
        case .answer(_, .success(.contents(let contents))):
            let chapters = contents.chapters.map {
                "\($0.index + 1): \($0.title ?? "Chapter"), at \(clockText($0.startMs))".printable
            }
            try say(chapters.isEmpty ? ["No chapters."] : chapters)
        default: break
        }
    }

    private func readLines() throws(SessionError) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0, let lines = try? input.receive(buffer[..<count]) else { return isOver = true }
        for line in lines where !isOver { try perform(PlainCommand(String(decoding: line, as: UTF8.self))) }
    }

    private func perform(_ command: PlainCommand) throws(SessionError) {
        switch command {
        case .send(let command): try send(command, .control)
        case .whereabouts:
            guard let status else { return }
            var position = status.value.position.ms
            if status.value.status == "playing", let ms = position {
                let elapsed = Double(MonotonicTime.milliseconds() - status.at) * status.value.rate
                position = min(ms + Int64(clamping: Int(elapsed)), status.value.duration.ms ?? .max)
            }
            try say(narrator.place(status.value, position: position))
        case .chapters: try send(.addressed(Address(owner: PlayerState.owner), .contents), .contents)
        case .library(let words):
            search = words
            books = []
            try send(.library(LibraryAction(.list)), .books)
        case .play(let number):
            guard let book = narrator.book(number) else { return try say(["no book \(number); library lists them"]) }
            var play = PlayParameters()
            play.items = ["library:" + book.id]
            play.owner = PlayerState.owner
            try send(.play(play), .control)
        case .history: try send(.history(limit: 20), .history)
        case .help: try say(PlainCommand.overview)
        case .nothing: break
        case .quit: isOver = true
        case .wrong(let text): try say([text.printable])
        }
    }

    private func say(_ lines: [String]) throws(SessionError) {
        guard !lines.isEmpty else { return }
        try StandardOutput.write(lines.joined(separator: "\n") + "\n")
    }
}

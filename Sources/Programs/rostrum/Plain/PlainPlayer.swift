// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Clocks
import Glibc
import SessionProtocol
import TerminalPlayer

/// The player for screen readers: it prints a line for each change, and takes commands as lines.
final class PlainPlayer {
    /// The bytes of the longest line that is taken for a command.
    private static let longestLine = 4096
    /// The ms for which answers are waited for at the end of the input.
    private static let longestAnswer: Int64 = 10_000

    private var session: PlayerSession
    private var narrator = PlainNarrator()
    private var input: [UInt8] = []
    private var isOver = false
    /// `true` if the place was asked for before the session said anything.
    private var isPlaceWanted = false

    init() throws(SessionError) {
        gnu_use_unicode_characters()
        session = PlayerSession(try UserFolders.current())
    }

    /// Returns when the listener leaves, or at the end of the input.
    func run(playing beginning: TerminalProgram.Beginning?) throws(SessionError) {
        signal(SIGPIPE, SIG_IGN)
        try say(["Rostrum. help lists the commands, quit leaves and lets the sound go on."])
        if let beginning {
            let events = session.send(
                .play(beginning.parameters), .control, startsSession: true, descriptors: beginning.descriptors)
            for event in events { try take(event) }
        } else {
            for event in session.start() { try take(event) }
        }
        while !isOver {
            var waits = [session.wait, pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
            let next = narrator.nextChange(MonotonicTime.milliseconds())
            guard gnu_poll_on(&waits, 2, next.map { Int32(clamping: $0) } ?? -1) >= 0 else { return }
            for event in session.events(waits[0].revents) { try take(event) }
            if waits[1].revents != 0 { try readLines() }
            try followSound()
            session.reap()
        }
        // The answers to what came through a pipe are still said.
        let end = MonotonicTime.milliseconds() + Self.longestAnswer
        while isatty(STDIN_FILENO) == 0, session.isAnswering, end > MonotonicTime.milliseconds() {
            var waits = [session.wait]
            guard gnu_poll_on(&waits, 1, Int32(max(0, end - MonotonicTime.milliseconds()))) > 0 else { break }
            for event in session.events(waits[0].revents) { try take(event) }
        }
        session.flush()
    }

    /// Prints the sentence that is heard, if the listener wants to read along.
    private func followSound() throws(SessionError) {
        let (lines, commands) = narrator.following(at: MonotonicTime.milliseconds())
        try say(lines)
        guard session.isPresent else { return }
        for (command, request) in commands {
            for event in session.send(command, request, startsSession: false) { try take(event) }
        }
    }

    private func take(_ event: PlayerEvent) throws(SessionError) {
        let now = MonotonicTime.milliseconds()
        switch event {
        case .lost(let reason):
            narrator.giveUpList()
            try say([reason.printable])
        case .answer(.text(.follow), .success(.text(let passage))):
            narrator.take(followed: .success(passage))
        case .answer(.text(.follow), .failure(let error)):
            narrator.take(followed: .failure(error))
            try say([error.message.printable])
        case .text(let progress): narrator.learn(progress)
        case .status(let status), .answer(.status, .success(.status(let status))):
            let hasEnded = narrator.hasEnded(with: status)
            try say(narrator.lines(for: status, at: now))
            if isPlaceWanted { try say(narrator.place(at: now)) }
            isPlaceWanted = false
            if hasEnded, let uri = status.item?.uri { try send(.library(LibraryAction(.next, id: uri)), .next) }
        case .answer(.next, let result):
            if let next = (try? result.get())?.books?.first { try say(narrator.offer(next)) }
        case .answer(.books, .failure(let error)):
            narrator.giveUpList()
            try say([error.message.printable])
        case .answer(_, .failure(let error)): try say([error.message.printable])
        case .answer(_, .success(.books(let page))):
            if let last = narrator.takeList(page) {
                try send(.library(LibraryAction(.list, after: last)), .books)
            } else {
                try say(narrator.listed())
            }
        case .answer(_, .success(.clip(let clip))): try say([clip.kept.printable])
        case .answer(_, .success(.history(let history))): try say(narrator.jumps(history))
        case .answer(_, .success(.contents(let contents))): try say(narrator.chapters(contents))
        case .answer(_, .success(.text(let passage))): try say(narrator.sentences(passage, at: now))
        default: break
        }
    }

    private func send(_ command: SessionCommand, _ request: Request) throws(SessionError) {
        for event in session.send(command, request, startsSession: true) { try take(event) }
    }

    private func readLines() throws(SessionError) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        input += buffer[..<max(0, count)]
        while let end = input.firstIndex(of: UInt8(ascii: "\n")), !isOver {
            let line = Array(input[..<end])
            input.removeFirst(end + 1)
            try perform(line)
        }
        if count <= 0 {
            // The last line may have no end.
            if !input.isEmpty, !isOver { try perform(input) }
            isOver = true
        } else if input.count > Self.longestLine {
            input = []
            try say(["That line is too long."])
        }
    }

    private func perform(_ line: [UInt8]) throws(SessionError) {
        switch PlainCommand(String(decoding: line, as: UTF8.self)) {
        case .send(let command): try send(command, .control)
        case .whereabouts:
            if narrator.hasStatus { return try say(narrator.place(at: MonotonicTime.milliseconds())) }
            isPlaceWanted = true
            try send(.addressed(Address(owner: PlayerState.owner), .status), .status)
        case .chapters: try send(.addressed(Address(owner: PlayerState.owner), .contents), .contents)
        case .text:
            let request = TextPassageRequest(limit: PlainNarrator.textLimit)
            try send(.addressed(Address(owner: PlayerState.owner), .text(request)), .text(.window))
        case .library(let words):
            if narrator.beginList(matching: words) { try send(.library(LibraryAction(.list)), .books) }
        case .play(let number):
            guard let book = narrator.book(number) else { return try say(["no book \(number); library lists them"]) }
            var play = PlayParameters()
            play.items = ["library:" + book.id]
            play.owner = PlayerState.owner
            try send(.play(play), .control)
        case .follow(let isOn): try say(narrator.follow(isOn))
        case .history: try send(.history(limit: 20), .history)
        case .clip(let note):
            var action = ClipAction(.add)
            action.note = note.isEmpty ? nil : note
            try send(.manageClips(action), .clip)
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

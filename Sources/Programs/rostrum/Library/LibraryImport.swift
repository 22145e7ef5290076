// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import FoundationEssentials
import Glibc
import SessionProtocol
import TerminalPlayer

/// The display of an import that is awaited: a bar in a terminal, a line per problem, or JSON Lines.
final class LibraryImport {
    private let json: Bool
    private let hasTerminal: Bool
    private var bar = ""

    init(json: Bool) {
        self.json = json
        hasTerminal = !json && isatty(STDERR_FILENO) == 1
        if hasTerminal { gnu_use_unicode_characters() }
    }

    /// Runs the import; Ctrl-C closes the connection, which ends it.
    func run(_ action: LibraryAction) throws(SessionError) {
        let command = SessionCommand.library(action)
        try command.validate()
        var signals = Signals()
        let connection = try Session.runningOrStarted()
        try connection.send(.subscribe(Subscription([])))
        let id = try connection.send(.command(command))
        while true {
            var waits = [pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)]
            for signal in signals.wait(&waits, timeoutMs: nil) where signal != SIGWINCH && signal != SIGCONT {
                clear()
                if Signals.ending.contains(signal) {
                    StandardError.write(
                        SessionError(.busy, "ended; what was added is kept, and the same command continues"))
                }
                signals.passOn(signal)
            }
            guard waits[0].revents != 0 else { continue }
            let isOpen = try connection.receive()
            while let message = try connection.nextMessage() {
                switch message {
                case .answer(id, let result): return try finish(result)
                case .library(let text): try progress(text)
                case .answer, .status, .transition, .finished, .peaks, .text, .unknown: break
                }
            }
            if !isOpen {
                clear()
                throw SessionError(
                    .unavailable, "the session ended: during the import; the same command continues it")
            }
        }
    }

    private func finish(_ result: Result<[UInt8], RPCError>) throws(SessionError) {
        clear()
        let text: [UInt8]
        do throws(RPCError) {
            text = try result.get()
        } catch {
            throw error.sessionError
        }
        let summary = try decoded(text, as: LibraryImportSummary.self)
        if json { return try write("summary", text) }
        try StandardOutput.write(summary.line + "\n")
    }

    private func progress(_ text: [UInt8]) throws(SessionError) {
        guard let progress = try? JSONDecoder().decode(LibraryProgress.self, from: Data(text)) else { return }
        if let problem = progress.problem {
            clear()
            if json { return try write("problem", JSONLine.text(["message": problem])) }
            return StandardError.write(SessionError(.badContent, problem))
        }
        if let book = progress.book {
            if json { return try write("book", JSONLine.text(book)) }
            // The bar is shown only in a terminal.
            if !hasTerminal { try StandardOutput.write("\(book.outcome) \(book.id)  \(book.title)".printable + "\n") }
            return
        }
        if json {
            if let step = progress.step { return try write("progress", JSONLine.text(step)) }
            if let found = progress.found { try write("scanning", JSONLine.text(["found": found])) }
            return
        }
        guard hasTerminal else { return }
        if let step = progress.step {
            draw(LibraryBar(step, columns: Self.columns()).text)
        } else if let found = progress.found {
            draw("looking for books: \(found)")
        }
    }

    private func draw(_ text: String) {
        guard text != bar else { return }
        put("\r\u{1B}[K" + text)
        bar = text
    }

    private func clear() {
        if !bar.isEmpty { put("\r\u{1B}[K") }
        bar = ""
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    private func write(_ type: String, _ object: [UInt8]) throws(SessionError) {
        try StandardOutput.write(
            Array("{\"type\":\"\(type)\",".utf8) + object.dropFirst() + [JSONLine.newline])
    }

    private static func columns() -> Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// The bar of an import: `[=====     ]  512 / 1024  The title of the next book`.
struct LibraryBar {
    let text: String

    init(_ step: LibraryProgress.Step, columns: Int) {
        let width = max(10, min(30, columns / 3))
        let part = step.total > 0 ? Double(max(0, min(step.done, step.total))) / Double(step.total) : 0
        let done = Int(Double(width) * part)
        let bar = "[" + String(repeating: "=", count: done) + String(repeating: " ", count: width - done) + "]"
        text = "\(bar)  \(step.done) / \(step.total)  \(step.title.printable)".fitted(to: max(1, columns - 1))
    }
}

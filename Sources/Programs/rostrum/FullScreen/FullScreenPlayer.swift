// SPDX-License-Identifier: Apache-2.0

import Clocks
import Glibc
import SessionProtocol
import TerminalPlayer

/// The full-screen player: carries out what its state wants, and shows that on the terminal.
///
/// Its one thread sleeps until the session, a key, a signal or the clock on the screen needs it.
final class FullScreenPlayer {
    private let folders: UserFolders
    private let terminal: CursesTerminal
    private let input: TerminalInput
    private var state: PlayerState
    private var link: SessionLink?
    /// Watches for a session while there is none.
    private var arrival: SocketArrival?
    private var picture: PictureProcess?
    private var isOver = false
    private var isDrawn = false

    /// Opens the player, and returns when the listener leaves, or the terminal is gone.
    static func run(isBig: Bool, playing beginning: TerminalProgram.Beginning?) throws(SessionError) {
        // Before ncurses looks at them: it ignores, and loses, Ctrl-Z during each refresh if nobody else handles it.
        var signals = Signals()
        try FullScreenPlayer(isBig: isBig).run(&signals, beginning)
    }

    private init(isBig: Bool) throws(SessionError) {
        folders = try UserFolders.current()
        input = try TerminalInput()
        terminal = try CursesTerminal()
        state = PlayerState(size: terminal.size, glyphs: Self.hasUnicode ? .unicode : .ascii, isBig: isBig)
    }

    /// `true` if the locale names an encoding of Unicode; the terminal is then taken to have one.
    private static var hasUnicode: Bool {
        let names: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
        let values = names.compactMap { name in getenv(name).map { String(cString: $0).lowercased() } }
        return values.first { !$0.isEmpty }.map { $0.hasSuffix("utf-8") || $0.hasSuffix("utf8") } ?? false
    }

    private func run(_ signals: inout Signals, _ beginning: TerminalProgram.Beginning?) throws(SessionError) {
        defer { terminal.close() }
        draw()
        try connect(startsOne: true)
        if let beginning { try link?.send(.play(beginning.parameters), .control, descriptors: beginning.descriptors) }
        while !isOver {
            draw()
            turn(&signals)
        }
        terminal.close()
        if state.isPlaying { try StandardOutput.write("It plays on; `rostrum pause` pauses it.\n") }
    }

    private func turn(_ signals: inout Signals) {
        let now = Self.now()
        var waits = [
            pollfd(fd: link?.descriptor ?? arrival?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: picture?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            // A terminal that takes nothing gets the newest screen when it does.
            pollfd(fd: isDrawn ? -1 : STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
        ]
        let times = [
            state.nextChange(now), picture.map { max(0, $0.deadline - now) },
            input.isIncomplete ? TerminalInput.escapeLimit : nil,
        ].compactMap { $0 }
        let timeout = isDrawn || input.isIncomplete ? times.min().map { Int32(clamping: $0) } : nil
        for signal in signals.wait(&waits, timeoutMs: timeout) { handle(signal, signals) }
        if waits[0].revents != 0 { if link == nil { sessionAppeared() } else { receive() } }
        if waits[1].revents != 0 {
            readKeys()
        } else if input.isIncomplete {
            for event in input.finish() { take(event, startsSession: true) }
        }
        if let picture = picture?.read(now: Self.now()) {
            self.picture = nil
            take(.picture(picture))
        }
        take(.tick)
    }

    private func draw() {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        isDrawn = poll(&output, 1, 0) == 1
        if isDrawn { terminal.show(state.frame(now: Self.now()).screen) }
    }

    private func handle(_ signal: Int32, _ signals: borrowing Signals) {
        switch signal {
        case SIGWINCH: resized()
        case SIGCONT:
            terminal.forget()
            take(.focused)
        case SIGTSTP:
            terminal.leave()
            signals.passOn(signal)
            resized()
            take(.focused)
        default:
            terminal.close()
            signals.passOn(signal)
            isOver = true
        }
    }

    private func resized() {
        terminal.resize(terminal.size)
        take(.resized(terminal.size))
    }

    private func readKeys() {
        guard let events = input.read() else { return isOver = true }
        for event in events { take(event, startsSession: true) }
    }

    // MARK: - The state

    private func take(_ event: PlayerEvent, startsSession: Bool = false) {
        for effect in state.handle(event, now: Self.now()) { carryOut(effect, startsSession) }
    }

    private func carryOut(_ effect: PlayerEffect, _ startsSession: Bool) {
        switch effect {
        case .send(let command, let request): send(command, request, startsSession)
        case .drawPicture(let path, let columns, let rows):
            picture = PictureProcess(
                path: path, columns: columns, rows: rows, colours: terminal.colours,
                isUnicode: state.glyphs == .unicode,
                now: Self.now())
        case .readText(let uri, let offset): take(.passage(TextFile.passage(uri: uri, around: offset)))
        case .readRecords:
            // The session first writes what it has in memory.
            if link != nil { send(.log, .records, false) } else { showRecords() }
        case .redraw: terminal.forget()
        case .quit: isOver = true
        }
    }

    private func showRecords() { take(.records(RecentRecords.lines(of: folders.transitionLog))) }

    // MARK: - The session

    /// Sends a command; what the listener asked for is sent to a new session if there is none.
    private func send(_ command: SessionCommand, _ request: Request, _ startsSession: Bool) {
        // A session that is leaving may take the connection and not the command.
        for attempt in 1...2 {
            do throws(SessionError) {
                if link == nil {
                    guard startsSession else { return }
                    try connect(startsOne: true)
                }
                return try link?.send(command, request) ?? ()
            } catch {
                lost()
                if startsSession, attempt == 2 { take(.answer(request, .failure(error))) }
            }
        }
    }

    private func connect(startsOne: Bool) throws(SessionError) {
        let connection = startsOne ? try Session.runningOrStarted() : try SessionConnection(to: folders)
        guard let connection else { return }
        link = try SessionLink(connection, owner: PlayerState.owner)
        arrival = nil
        take(.connected)
    }

    private func receive() {
        guard let link else { return }
        do throws(SessionError) {
            for event in try link.receive() {
                if case .answer(.records, _) = event { showRecords() } else { take(event) }
            }
        } catch {
            lost()
        }
    }

    /// Notes that the session is gone, and waits for another.
    private func lost() {
        link = nil
        take(.lost("the session has ended; the next command starts one"))
        arrival = SocketArrival(in: folders.runtime, of: .sessions)
        sessionAppeared()
    }

    /// Connects if there is a session; systemd may hold the socket of one that is not running.
    private func sessionAppeared() {
        arrival?.drain()
        guard folders.hasSession else { return }
        do throws(SessionError) {
            try connect(startsOne: false)
        } catch {
            take(.lost(error.message))
        }
    }

    private static func now() -> Int64 { MonotonicTime.milliseconds() }
}

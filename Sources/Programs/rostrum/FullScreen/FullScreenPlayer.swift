// SPDX-License-Identifier: Apache-2.0

import Clocks
import Glibc
import SessionProtocol
import TerminalPlayer

/// The full-screen player: carries out what its state wants, and shows that on the terminal.
///
/// Its one thread sleeps until the session, a key, a signal or the clock on the screen needs it, and waits for nothing
/// else.
final class FullScreenPlayer {
    private let terminal: CursesTerminal
    private var input = TerminalInput()
    private var session: PlayerSession
    private var state: PlayerState
    private var picture: PictureProcess?
    private var isOver = false
    private var isDrawn = false

    /// Opens the player, and returns when the listener leaves, or the terminal is gone.
    static func run(
        isBig: Bool = false, playing beginning: TerminalProgram.Beginning? = nil, editing clip: String? = nil
    ) throws(SessionError) {
        // Before ncurses looks at them: it ignores, and loses, Ctrl-Z during each refresh if nobody else handles it.
        var signals = Signals()
        try FullScreenPlayer(isBig: isBig).run(&signals, beginning, clip)
    }

    private init(isBig: Bool) throws(SessionError) {
        session = PlayerSession(try UserFolders.current())
        terminal = try CursesTerminal(isUnicode: Self.hasUnicode)
        state = PlayerState(size: terminal.size, glyphs: Self.hasUnicode ? .unicode : .ascii, isBig: isBig)
    }

    /// `true` if the locale names an encoding of Unicode; the terminal is then taken to have one.
    private static var hasUnicode: Bool {
        let names: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
        let values = names.compactMap { name in getenv(name).map { String(cString: $0).lowercased() } }
        return values.first { !$0.isEmpty }.map { $0.hasSuffix("utf-8") || $0.hasSuffix("utf8") } ?? false
    }

    private func run(
        _ signals: inout Signals, _ beginning: TerminalProgram.Beginning?, _ clip: String?
    ) throws(SessionError) {
        defer { terminal.close() }
        if let clip {
            for effect in state.editClip(clip, now: Self.now()) { carryOut(effect, true) }
        } else if let beginning {
            let events = session.send(
                .play(beginning.parameters), .control, startsSession: true, descriptors: beginning.descriptors)
            for event in events { take(event) }
        } else {
            for event in session.start() { take(event) }
        }
        while !isOver {
            draw()
            turn(&signals)
        }
        let isGone = isTerminalGone
        terminal.close()
        session.flush()
        if let failure = state.ending.failure { throw failure }
        if let farewell = state.ending.farewell { return try StandardOutput.write(farewell + "\n") }
        if state.isPlaying, !state.ending.isSilent, !isGone {
            try StandardOutput.write("It plays on; `rostrum pause` pauses it.\n")
        }
    }

    private func turn(_ signals: inout Signals) {
        let now = Self.now()
        var waits = [
            session.wait,
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: picture?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            // A terminal that takes nothing gets the newest screen when it does.
            pollfd(fd: isDrawn || terminal.isInBackground ? -1 : STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
        ]
        let times = [
            isDrawn ? state.nextChange(now) : nil, picture.map { max(0, $0.deadline - now) },
            input.untilFinished(now),
        ].compactMap { $0 }
        for signal in signals.wait(&waits, timeoutMs: times.min().map { Int32(clamping: $0) }) {
            handle(signal, signals)
        }
        if isOver { return }
        for event in session.events(waits[0].revents) { take(event) }
        if waits[1].revents != 0 {
            readKeys()
        } else {
            for event in input.finish(Self.now()) { take(event, isKey: true) }
        }
        if let drawn = picture?.read(now: Self.now()) {
            picture = nil
            take(.picture(drawn))
        }
        take(.tick)
        session.reap()
    }

    private func draw() {
        guard !terminal.isInBackground else { return isDrawn = false }
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        isDrawn = poll(&output, 1, 0) == 1
        terminal.reportDrags(state.wantsDrags)
        if isDrawn { terminal.show(state.frame(now: Self.now()).screen) }
    }

    // MARK: - The terminal

    private func handle(_ signal: Int32, _ signals: borrowing Signals) {
        switch signal {
        case SIGWINCH: resized()
        case SIGCONT:
            // The shell may have set the terminal's mode meanwhile.
            if !terminal.isInBackground { terminal.leave() }
            take(.focused)
        case SIGTSTP:
            terminal.leave()
            signals.passOn(signal)
            resized()
            take(.focused)
        default:
            picture = nil
            if terminal.isInBackground { terminal.abandon() } else { terminal.close() }
            signals.passOn(signal)
            isOver = true
        }
    }

    private func resized() {
        terminal.resize(terminal.size)
        take(.resized(terminal.size))
    }

    private func readKeys() {
        guard let events = input.read(now: Self.now()) else { return isOver = true }
        for event in events { take(event, isKey: true) }
    }

    private var isTerminalGone: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    // MARK: - The state

    /// - Parameter isKey: `true` for what the listener did, for which a session is started.
    private func take(_ event: PlayerEvent, isKey: Bool = false) {
        var startsSession = false
        switch event {
        case .key, .press, .lift: startsSession = isKey
        default: break
        }
        for effect in state.handle(event, now: Self.now()) { carryOut(effect, startsSession) }
    }

    private func carryOut(_ effect: PlayerEffect, _ startsSession: Bool) {
        switch effect {
        case .send(let command, let request):
            for event in session.send(command, request, startsSession: startsSession) { take(event) }
        case .follow(let owner):
            for event in session.follow(owner) { take(event) }
        case .drawPicture(let path, let columns, let rows):
            picture = PictureProcess(
                path: path, columns: columns, rows: rows, colours: terminal.colours,
                isUnicode: state.glyphs == .unicode,
                now: Self.now())
        case .readRecords:
            // The session first writes what it has in memory.
            guard session.isPresent else { return showRecords() }
            for event in session.send(.log, .records, startsSession: false) { take(event) }
        case .showRecords: showRecords()
        case .redraw: terminal.forget()
        case .quit: isOver = true
        }
    }

    private func showRecords() { take(.records(RecentRecords.lines(of: session.folders.transitionLog))) }

    private static func now() -> Int64 { MonotonicTime.milliseconds() }
}

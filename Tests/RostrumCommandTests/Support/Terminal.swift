// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import FakeSession
import Glibc
import SessionProtocol
import Synchronization
import Testing

/// A terminal with a program in it, which has a screen of rows of text and a keyboard.
final class Terminal: Sendable {
    struct TimedOut: Error { var screen: [String] }

    private let master: Int32
    let process: pid_t
    // The lock is needed because threads of `blocking` read; a test waits for one thing at a time.
    private let screen: Mutex<Screen>

    init(_ program: Program, _ arguments: [String], columns: Int) throws {
        var (master, slave) = (Int32(-1), Int32(-1))
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        self.master = master
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        defer { close(slave) }
        let name = String(cString: try #require(ttyname(slave)))
        screen = Mutex(Screen(columns: columns))
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A terminal that the leader of a new session opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        _ = gnu_spawn_change_folder(&actions, program.folder)
        _ = gnu_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // A shell ignores the keyboard's signals for what it runs in the background, and so would its children.
        for signal in [SIGINT, SIGQUIT, SIGHUP] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, gnu_spawn_new_session | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words = ([program.path] + arguments).map { strdup($0) } + [nil]
        var variables = program.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, program.path, &actions, &attributes, &words, &variables) == 0)
        self.process = process
    }

    deinit {
        kill(process, SIGKILL)
        close(master)
    }

    func type(_ text: String) { _ = write(master, text, text.utf8.count) }

    func resize(columns: Int) {
        screen.withLock { $0.columns = columns }
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// `true` if keys arrive one by one and without echo.
    var isRaw: Bool {
        var settings = termios()
        guard tcgetattr(master, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }

    /// Returns the rows once they are as the test expects.
    @discardableResult
    func rows(_ seconds: Int32 = 20, where matches: @escaping @Sendable ([String]) -> Bool) async throws -> [String] {
        try await blocking { [self] in
            while true {
                let rows = screen.withLock { $0.text }
                if matches(rows) { return rows }
                var wait = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
                guard poll(&wait, 1, seconds * 1000) == 1, readOnce() else { throw TimedOut(screen: rows) }
            }
        }
    }

    /// Reads to the end and returns the wait status.
    func end() async throws -> Int32 {
        try await blocking { [self] in
            while readOnce() {}
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            return status
        }
    }

    private func readOnce() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &bytes, bytes.count)
        guard count > 0 else { return false }
        screen.withLock { $0.show(bytes[..<count]) }
        return true
    }
}

/// A model of a terminal for the few sequences that the player uses; others stay visible as `␛`.
struct Screen {
    var columns: Int
    private var rows: [[String]] = [[]]
    private var row = 0
    private var column = 0
    private var pending: [UInt8] = []

    init(columns: Int) { self.columns = columns }

    var text: [String] {
        rows.map { cells in
            let line = cells.joined()
            return String(line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)])
        }
    }

    mutating func show(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        guard let text = String(validating: pending, as: UTF8.self) else { return }
        pending = []
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\r\n":
                column = 0
                newRow()
            case "\r": column = 0
            case "\n": newRow()
            case "\u{1B}" where rest.first == "[":
                rest.removeFirst()
                let parameter = rest.prefix { $0.isNumber }
                rest = rest.dropFirst(parameter.count)
                switch rest.popFirst() {
                case "A": row = max(0, row - (Int(parameter) ?? 1))
                case "J":
                    rows.removeSubrange((row + 1)...)
                    rows[row] = Array(rows[row].prefix(column))
                default: put("␛")
                }
            case "\u{1B}": put("␛")
            default: put(character)
            }
        }
    }

    private mutating func newRow() {
        row += 1
        if row == rows.count { rows.append([]) }
    }

    private mutating func put(_ character: Character) {
        // General punctuation, which lies between them, is narrow: quotation marks, dashes, the ellipsis.
        let isWide =
            character.unicodeScalars.first.map {
                (0x1100...0xFFDC).contains($0.value) && !(0x2000...0x206F).contains($0.value)
            } == true
        let width = isWide ? 2 : 1
        if column + width > columns {
            column = 0
            newRow()
        }
        while rows[row].count < column + width { rows[row].append(" ") }
        rows[row][column] = String(character)
        // The second half of a wide character is not a cell of its own.
        if width == 2 { rows[row][column + 1] = "" }
        column += width
    }
}

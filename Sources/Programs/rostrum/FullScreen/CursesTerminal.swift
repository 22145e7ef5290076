// SPDX-License-Identifier: Apache-2.0

import CCurses
import CGNUSource
import Glibc
import SessionProtocol
import TerminalPlayer

/// The terminal as a screen, through ncurses.
final class CursesTerminal {
    /// The number of colours, 0 for none.
    let colours: Int
    private var shown: Screen?

    private let isUnicode: Bool

    init(isUnicode: Bool) throws(SessionError) {
        self.isUnicode = isUnicode
        gnu_use_unicode_characters()
        // https://no-color.org: any value but an empty one.
        let wantsColours = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
        let colours = ccurses_open(wantsColours ? 1 : 0)
        guard colours >= 0 else {
            throw SessionError(
                .unavailable, "no full screen: TERM names a terminal that has none; try `rostrum --plain`")
        }
        self.colours = Int(colours)
        // ncurses would believe LINES and COLUMNS.
        resize(size)
    }

    /// `true` while the terminal belongs to another program, which writing to it would stop this one for.
    ///
    /// A terminal that controls no program has no foreground.
    var isInBackground: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group >= 0 && group != getpgrp()
    }

    /// Leaves the terminal as it is, because it belongs to another program.
    func abandon() { ccurses_abandon() }

    deinit { ccurses_close() }

    /// Gives the terminal back until the next ``show(_:)``.
    func leave() {
        ccurses_leave()
        shown = nil
    }

    func close() { ccurses_close() }

    /// Lets the terminal report where the mouse is while its button is down.
    func reportDrags(_ isOn: Bool) { ccurses_report_drags(isOn ? 1 : 0) }

    var size: Screen.Size {
        var rows: Int32 = 0
        var columns: Int32 = 0
        ccurses_size(&rows, &columns)
        return Screen.Size(rows: Int(rows), columns: Int(columns))
    }

    func resize(_ size: Screen.Size) {
        ccurses_resize(Int32(size.rows), Int32(size.columns))
        // Terminals differ in what they keep of a screen whose size changes.
        forget()
    }

    /// Lets the next ``show(_:)`` write everything.
    func forget() {
        ccurses_forget()
        shown = nil
    }

    /// Returns our own signs in ASCII; titles stay as they are.
    private static func ascii(_ character: Character) -> String {
        switch character {
        case "…": "~"
        case "·": "|"
        case "←": "<"
        case "→": ">"
        case "↑": "^"
        case "↓": "v"
        default: String(character)
        }
    }

    func show(_ screen: Screen) {
        guard screen != shown else { return }
        shown = screen
        ccurses_erase()
        for row in 0..<screen.rows {
            for column in 0..<screen.columns {
                let cell = screen[row, column]
                guard let character = cell.character, cell != .blank else { continue }
                let look = Look(cell.style, colours: colours)
                ccurses_put(
                    Int32(row), Int32(column), isUnicode ? String(character) : Self.ascii(character), look.attributes,
                    look.foreground, look.background)
            }
        }
        ccurses_show()
    }
}

/// The look of a style with the colours that there are.
private struct Look {
    var attributes: Int32 = 0
    var foreground: Int32 = -1
    var background: Int32 = -1

    init(_ style: Style, colours: Int) {
        switch style {
        case .plain: break
        case .faint: attributes = Int32(CCURSES_FAINT)
        case .strong: attributes = Int32(CCURSES_BOLD)
        case .accent: (attributes, foreground) = (Int32(CCURSES_BOLD), 6)
        case .selected: attributes = Int32(CCURSES_REVERSE)
        case .warning: (attributes, foreground) = (Int32(CCURSES_BOLD), 3)
        case .failure: (attributes, foreground) = (Int32(CCURSES_BOLD), 1)
        case .bar: foreground = 6
        case .spoken: attributes = Int32(CCURSES_REVERSE | CCURSES_BOLD)
        case .sentence: attributes = Int32(CCURSES_UNDERLINE)
        case .found: (attributes, foreground) = (Int32(CCURSES_REVERSE), 3)
        case .played: (attributes, foreground) = (colours == 0 ? Int32(CCURSES_FAINT) : 0, 4)
        case .unplayed: break
        case .chosen: (attributes, foreground) = (Int32(CCURSES_BOLD), 6)
        case .handle: (attributes, foreground) = (Int32(CCURSES_BOLD), 3)
        case .heldHandle: (attributes, foreground) = (Int32(CCURSES_BOLD | CCURSES_REVERSE), 3)
        case .playhead: (attributes, foreground) = (Int32(CCURSES_BOLD), 1)
        case .picture(let front, let back): (foreground, background) = (Int32(front), Int32(back))
        }
        // The rest of a bar and what is over differ in their characters, too.
        if colours == 0 { (foreground, background) = (-1, -1) }
    }
}

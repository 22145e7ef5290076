// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol

/// The choice of a player for the terminal.
enum TerminalProgram {
    /// The parameters of `play` for an item to begin with, and its open descriptors.
    typealias Beginning = (parameters: PlayParameters, descriptors: [Int32])

    static var isInTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// `true` if the terminal can show a full screen.
    static var hasFullScreen: Bool {
        let isDumb = getenv("TERM").map { ["", "dumb"].contains(String(cString: $0)) } ?? true
        return !isDumb && isInTerminal
    }

    /// Opens the full-screen player, or the plain one if it is asked for or the terminal can do no more.
    static func run(
        isPlain: Bool = false, isBig: Bool = false, playing beginning: Beginning? = nil
    ) throws(SessionError) {
        if isPlain || !hasFullScreen {
            try PlainPlayer().run(playing: beginning)
        } else {
            try FullScreenPlayer.run(isBig: isBig, playing: beginning)
        }
    }
}

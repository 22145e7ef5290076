// SPDX-License-Identifier: Apache-2.0

/// The characters of bars and signs, which depend on what the terminal can show.
public struct Glyphs: Sendable, Hashable {
    public var filled: Character
    public var empty: Character
    public var rule: Character
    public var playing: String
    public var paused: String
    public var held: String
    public var here: String
    public var block: Character
    /// The line of the playhead and of a handle.
    public var stroke: Character
    /// The sign below the playhead.
    public var pointer: String

    /// Terminals agree on the width of these; of the signs of a remote control (⏸) they do not.
    public static let unicode = Glyphs(
        filled: "━", empty: "─", rule: "─", playing: "►", paused: "‖", held: "◌", here: "▸", block: "█",
        stroke: "│", pointer: "▲")
    /// The signs for terminals of another encoding.
    public static let ascii = Glyphs(
        filled: "=", empty: "-", rule: "-", playing: ">", paused: "||", held: "~", here: ">", block: "#",
        stroke: "|", pointer: "^")
}

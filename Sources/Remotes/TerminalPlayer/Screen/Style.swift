// SPDX-License-Identifier: Apache-2.0

/// The role of a cell, which a terminal shows with the colours and attributes that it has.
public enum Style: Sendable, Hashable {
    case plain
    /// Text that matters less than the rest.
    case faint
    case strong
    /// Keys, and what is current.
    case accent
    /// The line that the next key acts on.
    case selected
    case warning
    case failure
    /// The part of a bar that is over.
    case bar
    /// The word that is being spoken, and its sentence.
    case spoken, sentence
    /// The text that a search has found.
    case found
    /// The sound of a strip before and behind the playhead, and within the selection.
    case played, unplayed, chosen
    /// A bound of the selection, and the one that keys move.
    case handle, heldHandle
    case playhead
    /// A cell of a picture, in indexes of the terminal's palette; −1 is the terminal's own colour.
    case picture(foreground: Int16, background: Int16)
}

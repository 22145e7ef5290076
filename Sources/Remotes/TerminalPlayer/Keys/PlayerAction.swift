// SPDX-License-Identifier: Apache-2.0

/// An action of a key of the full-screen player; the raw value is its name in the setting `keys`.
public enum PlayerAction: String, Sendable, Hashable, CaseIterable {
    case pause, stop, back, forward, previousChapter, nextChapter, slower, faster, quieter, louder
    case go, sleep, undo, clip, next
    case now, library, text, history, engines, why, clips, documents
    case search, sort, filter, follow, readHere, archive, delete
    case big, help, redraw, quit, pauseAndQuit

    /// The action in words, for the list of keys.
    var meaning: String {
        switch self {
        case .pause: "pause and go on"
        case .stop: "stop"
        case .back: "skip back"
        case .forward: "skip forward"
        case .previousChapter: "chapter before"
        case .nextChapter: "next chapter"
        case .slower: "slower"
        case .faster: "faster"
        case .quieter: "quieter"
        case .louder: "louder"
        case .go: "go to a time"
        case .sleep: "sleep timer"
        case .undo: "undo the last jump"
        case .clip: "keep a clip of this place"
        case .next: "next book; next match"
        case .now: "what plays"
        case .library: "library"
        case .text: "text being read"
        case .history: "history"
        case .engines: "engines"
        case .why: "why: the newest events"
        case .clips: "clips"
        case .documents: "reading list"
        case .search: "search books, or the text"
        case .sort: "sort the library"
        case .filter: "filter the list"
        case .follow: "follow the voice"
        case .readHere: "read from the top line"
        case .archive: "archive a document"
        case .delete: "delete a document"
        case .big: "big mode"
        case .help: "keys"
        case .redraw: "draw again"
        case .quit: "leave; the sound goes on"
        case .pauseAndQuit: "pause and leave"
        }
    }

    var defaultKeys: [TerminalKey] {
        switch self {
        case .pause: [.character(" "), .character("p")]
        case .stop: [.character("x")]
        case .back: [.left]
        case .forward: [.right]
        case .previousChapter: [.character("<"), .character(",")]
        case .nextChapter: [.character(">"), .character(".")]
        case .slower: [.character("[")]
        case .faster: [.character("]")]
        case .quieter: [.character("-")]
        case .louder: [.character("+"), .character("=")]
        case .go: [.character("g")]
        case .sleep: [.character("s")]
        case .undo: [.character("u")]
        case .clip: [.character("c")]
        case .next: [.character("n")]
        case .now: [.character("1")]
        case .library: [.character("2"), .character("l")]
        case .text: [.character("3"), .character("t")]
        case .history: [.character("4"), .character("h")]
        case .engines: [.character("5"), .character("e")]
        case .why: [.character("6"), .character("w")]
        case .clips: [.character("7"), .character("C")]
        case .documents: [.character("8"), .character("R")]
        case .search: [.character("/")]
        case .sort: [.character("o")]
        case .filter: [.character("f")]
        case .follow: [.character("v")]
        case .readHere: [.character("r")]
        case .archive: [.character("a")]
        case .delete: [.character("d")]
        case .big: [.character("b")]
        case .help: [.character("?"), .function(1)]
        case .redraw: [.character("\u{0C}")]
        case .quit: [.character("q")]
        case .pauseAndQuit: [.character("Q")]
        }
    }
}

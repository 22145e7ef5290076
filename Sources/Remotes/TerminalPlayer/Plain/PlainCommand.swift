// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

/// A line that a listener types into the plain player.
public enum PlainCommand: Sendable, Hashable {
    case send(SessionCommand)
    case whereabouts
    case chapters
    /// The text that is being read aloud, or said by a recording, in writing.
    case text
    /// Begins or ends to print each sentence as it is heard.
    case follow(Bool)
    case library(String)
    case play(Int)
    case history
    /// Keeps a clip of the current place, with a note.
    case clip(String)
    case help
    case nothing
    case quit
    /// No command; the text says what is wrong.
    case wrong(String)

    public static let overview = [
        "pause, resume, toggle (or p), stop", "back, forward", "chapter next, chapter previous, chapter 3",
        "seek 1:02:03, seek +30, seek 50%", "text, seek sentence:+1, seek paragraph:-1, seek sentence:12",
        "follow (prints each sentence as it is heard), follow off", "speed 1.5, volume 80",
        "sleep 30, sleep chapter, sleep off",
        "undo, history", "clip, clip NOTE",
        "where, chapters", "library, library WORDS, play NUMBER", "engine ID", "quit",
    ]

    public init(_ line: String) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        let rest = words.dropFirst().joined(separator: " ")
        switch words.first?.lowercased() {
        case nil: self = .nothing
        case "pause": self = .main(.pause)
        case "resume", "continue": self = .main(.resume)
        case "toggle", "p": self = .main(.toggle)
        case "stop": self = .main(.stop)
        case "back": self = .main(.skip(forward: false))
        case "forward": self = .main(.skip(forward: true))
        case "chapter" where !rest.isEmpty: self = .main(.chapter(rest))
        case "seek" where !rest.isEmpty, "go" where !rest.isEmpty: self = .main(.seek(rest))
        case "speed", "rate":
            self =
                Self.number(rest).map { .main(.rate($0)) } ?? .wrong("speed: give a number from 0.5 to 3, such as 1.25")
        case "volume":
            self = Self.number(rest).map { .main(.volume($0 / 100)) } ?? .wrong("volume: give a number from 0 to 100")
        case "sleep" where !rest.isEmpty: self = .send(.sleep(rest))
        case "undo": self = .send(.undo)
        case "history": self = .history
        case "clip": self = .clip(rest)
        case "where", "status": self = .whereabouts
        case "chapters": self = .chapters
        case "text": self = .text
        case "follow" where rest.isEmpty, "follow" where rest == "on": self = .follow(true)
        case "follow" where rest == "off": self = .follow(false)
        case "follow": self = .wrong("follow: say follow, or follow off")
        case "library", "books": self = .library(rest)
        case "play" where rest.isEmpty: self = .main(.resume)
        case "play": self = Int(rest).map { .play($0) } ?? .wrong("play: give the number of a book; library lists them")
        case "engine" where !rest.isEmpty: self = .send(.engine(rest))
        case "help", "?": self = .help
        case "quit", "exit", "q": self = .quit
        case let word?: self = .wrong("no such command: \(word); help lists them")
        }
    }

    private static func number(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

    private static func main(_ command: SessionCommand) -> PlainCommand {
        .send(.addressed(Address(owner: PlayerState.owner), command))
    }
}

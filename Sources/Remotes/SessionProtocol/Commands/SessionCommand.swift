// SPDX-License-Identifier: Apache-2.0

/// One command to the session.
///
/// Methods on the socket are named as the commands of `rostrum`.
public indirect enum SessionCommand: Sendable, Hashable {
    case play(PlayParameters)
    case read(PlayParameters)
    case status
    case pause
    case resume
    case toggle
    case stop
    /// `+TIME`, `-TIME` or `TIME`.
    case seek(String)
    case skip(forward: Bool)
    /// `next`, `previous`, or a number from 1.
    case chapter(String)
    case rate(Double)
    case volume(Double)
    case engine(String)
    case engines
    /// `engines` with a verb: one engine is shown, or what is decided about it changes.
    case manageEngine(EngineAction)
    /// A part of an item, with `at` and `until` as its ends.
    case clip(PlayParameters)
    /// Takes the stage for an owner, without a sound.
    case claim(String)
    /// Gives it back to the one from whom it was taken.
    case release(String)
    /// A command that is meant for one owner, or for one item, and moves nothing else.
    case addressed(Address, SessionCommand)
    case inspect(PlayParameters)
    /// Back to where the newest jump led away from.
    case undo
    /// So many of the newest jumps and spans of listening.
    case history(limit: Int)
    /// `DURATION`, `+DURATION` (longer), `chapter`, `ch:NUMBER`, `book` or `off`.
    case sleep(String)
    /// `sleep` without a wish: the chapters that there are to fall asleep with.
    case sleepChoices
    /// A name and a value of `OptionExpression`.
    case option(String, String)
    /// The books that are known, and how they come to be.
    case library(LibraryAction)
    case log
}

/// For whom a command is meant: `pause`, `resume`, `toggle`, `stop`, `seek`, `skip`, `chapter`, `rate`, `volume` and
/// `status` can be addressed.
public struct Address: Sendable, Hashable {
    public var owner: String?
    /// The URI of the item that the sender believes to be there.
    public var item: String?

    public init(owner: String? = nil, item: String? = nil) {
        self.owner = owner
        self.item = item
    }
}

/// What a command answers.
public enum SessionReply: Sendable, Hashable {
    case done
    case status(Status)
    case engines([EngineInfo])
    case engine(EngineDetail)
    /// What was done, as lines for people.
    case message(String)
    case inspection(Inspection)
    case history(History)
    case sleepChoices(SleepChoices)
    case books(LibraryPage)
    case book(LibraryBookDetail)
    case imported(LibraryImportSummary)
    /// Path of the transition log; the client reads it itself.
    case log(path: String)
}

// SPDX-License-Identifier: Apache-2.0

/// One command to the session.
///
/// The methods on the socket have the names of the commands of `rostrum`.
public indirect enum SessionCommand: Sendable, Hashable {
    case play(PlayParameters)
    case read(PlayParameters)
    case status
    /// Shows the loaded item with its cover and all of its chapters.
    case contents
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
    /// `engines` with a verb, which shows one engine or changes the decisions about it.
    case manageEngine(EngineAction)
    /// A part of an item, from `at` to `until`.
    case clip(PlayParameters)
    /// Lists, plays or changes the clips of the library.
    case manageClips(ClipAction)
    /// Gives audio focus to an owner, without starting any sound.
    ///
    /// If it is attached, the owner is released when the client disconnects.
    case claim(String, isAttached: Bool = false)
    /// Gives audio focus back to the owner that it was taken from.
    case release(String)
    /// A command for one owner or one item, which affects nothing else.
    case addressed(Address, SessionCommand)
    case inspect(PlayParameters)
    /// Goes back to where the newest jump started.
    case undo
    /// The newest jumps and spans of listening, at most `limit` of each.
    case history(limit: Int)
    /// One of `DURATION`, `+DURATION` (adds time), `chapter`, `ch:NUMBER`, `book` and `off`.
    case sleep(String)
    /// `sleep` without a time: lists the chapters at whose ends playback can stop.
    case sleepChoices
    /// The name and the value of an ``OptionExpression``.
    case option(String, String)
    case settings(SettingsAction)
    /// Lists the books of the library, or changes it.
    case library(LibraryAction)
    /// Shows a part of a track's waveform, and sees to it that it is made.
    case peaks(PeaksRequest)
    /// Shows a part of the text that is read aloud.
    case text(TextPassageRequest)
    /// Lists the documents of the reading list, or changes it.
    case reading(ReadingAction)
    case log
}

/// The recipient of a command.
///
/// `pause`, `resume`, `toggle`, `stop`, `seek`, `skip`, `chapter`, `rate`, `volume`, `status`, `contents` and `text` can
/// be addressed.
public struct Address: Sendable, Hashable {
    public var owner: String?
    /// The URI of the item that the sender expects to be current.
    public var item: String?

    public init(owner: String? = nil, item: String? = nil) {
        self.owner = owner
        self.item = item
    }
}

/// The result of a command.
public enum SessionReply: Sendable, Hashable {
    case done
    case status(Status)
    case contents(ItemContents)
    case engines([EngineInfo])
    case engine(EngineDetail)
    /// A report of what was done, as lines for the user.
    case message(String)
    case inspection(Inspection)
    case history(History)
    case sleepChoices(SleepChoices)
    case books(LibraryPage)
    case book(LibraryBookDetail)
    case work(LibraryWork)
    case imported(LibraryImportSummary)
    case watches(LibraryWatches)
    case settings(SettingsList)
    case clips(ClipPage)
    case clipExport(ClipExport)
    case clipRepair(ClipRepair)
    case waveform(WaveformInfo)
    case text(TextPassage)
    case reading(ReadingPage)
    /// The path of the transition log; the client reads it itself.
    case log(path: String)
}

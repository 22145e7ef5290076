// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

/// An event of the full-screen player.
public enum PlayerEvent: Sendable {
    /// A session answers, and has been subscribed to.
    case connected
    /// The session is gone; it is looked for again when somebody needs it, or when it appears.
    case lost(String)
    case status(Status)
    case answer(Request, Result<Answer, SessionError>)
    case key(TerminalKey)
    /// Text that was pasted, of any number of lines.
    case paste(String)
    case press(row: Int, column: Int)
    /// The mouse moves while its button is down, and the button goes up.
    case drag(row: Int, column: Int)
    case lift(row: Int, column: Int)
    case wheel(Int)
    /// The terminal has another size, or shows the player again.
    case resized(Screen.Size)
    /// The listener has come back to this window.
    case focused
    case picture(Picture)
    /// Lines of the transition log, the oldest first.
    case records([String])
    /// A waveform has grown.
    case peaks(WaveformProgress)
    /// More sentences of a text are known.
    case text(TextProgress)
    /// The time that the player asked for has come.
    case tick
}

/// The purpose of a request, by which its answer is recognised.
public enum Request: Sendable, Hashable {
    case control
    case subscription
    /// A change of position that is shown already.
    case seek
    case contents
    case books
    case history
    case engines
    case sleep
    case settings
    /// The newest records of the transition log.
    case records
    /// The state of the player's owner.
    case status
    /// The status of the owner with audio focus.
    case holder
    case next
    /// A clip of the current place.
    case clip
    /// The clips of the library from a number on.
    case clips(from: Int)
    /// The reading list.
    case documents
    /// A document of the reading list that is archived or put back.
    case document
    /// A document of the reading list that is deleted.
    case deletedDocument
    /// A request of the screen of a clip, and the number of that screen: the answer may find another one.
    case clipScreen(ClipRequest, number: Int)
    /// A part of the text that is read aloud.
    case text(TextWish)
    /// The next book, which starts by itself if nothing sounds.
    case start
}

/// The purpose of a request for a part of a text.
public enum TextWish: Sendable, Hashable {
    case window
    /// The search with a number; the answer may find another one.
    case search(Int)
    /// The sentences that the plain player prints as they are heard.
    case follow
}

/// The purpose of a request of the screen of a clip.
public enum ClipRequest: Sendable, Hashable {
    case open, save, delete
    /// A part of the recording, which is heard when it is answered; parts are counted.
    case play(Int)
    /// New bounds of the part that plays.
    case range
    /// A change of position within it that is shown already.
    case seek
    /// Another command of the clip's owner.
    case control
    /// The chapters of the recording.
    case contents
    /// A part of a waveform.
    case peaks(WaveformWish)
}

public enum Answer: Sendable {
    case done
    case contents(ItemContents)
    case books([LibraryBook])
    case history(History)
    case engines([EngineInfo])
    case sleep(SleepChoices)
    case settings(SettingsList)
    case status(Status)
    /// A clip that was made.
    case clip(ClipInfo)
    case clips([ClipInfo])
    case waveform(WaveformInfo)
    case text(TextPassage)
    case documents([ReadingDocumentInfo])

    /// The books of a list.
    public var books: [LibraryBook]? {
        if case .books(let books) = self { books } else { nil }
    }
}

/// A deed that the player wants to have done.
public enum PlayerEffect: Sendable, Hashable {
    case send(SessionCommand, Request)
    /// Subscribes to the status as an owner sees it.
    case follow(String)
    /// Shows a picture in so many cells.
    case drawPicture(path: String, columns: Int, rows: Int)
    case readRecords
    /// Shows the newest records; the session has written what it had in memory.
    case showRecords
    /// Draws everything again.
    case redraw
    case quit
}

extension PlayerEffect {
    /// `true` for a command of the listener.
    var isCommand: Bool {
        if case .send(_, let request) = self { request == .control || request == .seek } else { false }
    }
}

/// A picture as cells of the terminal.
public struct Picture: Sendable, Hashable {
    public var path: String
    /// The room that it was made for.
    public var columns: Int
    public var rows: Int
    /// Empty if it cannot be shown.
    public var cells: [[Screen.Cell]]

    public init(path: String, columns: Int, rows: Int, cells: [[Screen.Cell]]) {
        self.path = path
        self.columns = columns
        self.rows = rows
        self.cells = cells
    }
}

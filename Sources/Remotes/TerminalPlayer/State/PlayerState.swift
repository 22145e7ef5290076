// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

/// The full-screen player as a value: an event goes in, effects come out.
///
/// Times are monotonic, in ms. It shows and controls one owner, `main`, also while another one has audio focus.
public struct PlayerState: Sendable {
    public static let owner = "main"

    enum Page: Int, Sendable, CaseIterable {
        case now, library, text, history, engines, why, clips, documents

        var title: String {
            switch self {
            case .now: "Now"
            case .library: "Library"
            case .text: "Text"
            case .history: "History"
            case .engines: "Engines"
            case .why: "Why"
            case .clips: "Clips"
            case .documents: "Reading"
            }
        }
    }

    /// A box that lies over the page and takes the keys.
    enum Overlay: Sendable, Hashable {
        case help
        case sleep(Selection)
        /// A time that is being typed.
        case go(String)
        /// A document that is deleted if the listener says so.
        case delete(id: String, name: String)
    }

    struct Message: Sendable, Hashable {
        var text: String
        var isFailure: Bool
    }

    var session = SessionView()
    var own = OwnPosition()
    var page = Page.now
    var overlay: Overlay?
    /// Big letters, and no keys but arrows and Enter.
    var sofa: SofaMode?
    /// The clip that takes the whole screen; `nil` if none does.
    var clipScreen: ClipScreen?
    /// The number of screens of clips that were opened.
    var clipScreens = 0
    var lists = Lists()
    var reading = Reading()
    var picture: Picture?
    var message: Message?
    var next: NextBook?
    var preferences = Preferences()
    public internal(set) var ending = Ending()
    public let glyphs: Glyphs
    public internal(set) var size: Screen.Size

    public init(size: Screen.Size, glyphs: Glyphs = .unicode, isBig: Bool = false) {
        self.size = size
        self.glyphs = glyphs
        sofa = isBig ? SofaMode() : nil
    }

    /// The way in which the player ends.
    public struct Ending: Sendable {
        /// `true` if the listener has paused in order to leave.
        public internal(set) var isSilent = false
        /// The line to print; `nil` if there is none.
        public internal(set) var farewell: String?
        /// The reason why the player could not do what it was opened for.
        public internal(set) var failure: SessionError?
    }

    /// The lists of the pages.
    struct Lists: Sendable, Hashable {
        var chapters = Selection()
        var books = BookList()
        var history: History?
        var jumps = Selection()
        var engines: [EngineInfo] = []
        var engine = Selection()
        var clips = ClipList()
        var documents = DocumentList()
        var sleep: SleepChoices?
        /// Lines of the transition log, the oldest first; `nil` until it was read.
        var records: [String]?
        /// The number of lines after the last one shown.
        var recordsBelow = 0
    }

    /// Takes an event that happens at a time, and returns what is to be done.
    public mutating func handle(_ event: PlayerEvent, now: Int64) -> [PlayerEffect] {
        if let effects = handleOnClip(event, now) { return effects }
        var effects: [PlayerEffect] = []
        switch event {
        case .connected: effects = connected()
        case .lost(let reason): lost(reason, now)
        case .status(let status): effects = take(status.bounded, now)
        case .answer(let request, .success(let answer)): effects = take(answer, to: request, now)
        case .answer(let request, .failure(let error)): refused(request, error)
        case .key(let key): effects = handle(key, now)
        case .paste(let text): effects = paste(text, now)
        case .press(let row, let column): effects = press(row, column, now)
        case .wheel(let rows): effects = scroll(by: rows)
        case .resized(let size): self.size = size
        case .focused:
            effects = [
                .send(.addressed(Address(owner: Self.owner), .status), .status), .send(.settings(.list), .settings),
            ]
        case .picture(let picture):
            // One of another book, or for another room, comes too late.
            guard picture.path == self.picture?.path, picture.columns == self.picture?.columns,
                picture.rows == self.picture?.rows
            else { break }
            self.picture = picture
        case .records(let lines): lists.records = lines
        case .text(let progress): reading.learn(progress)
        case .tick: effects = startNextIfDue(now)
        case .drag, .lift, .peaks: break
        }
        effects += adaptClip(to: event, now)
        reading.hear(session.status?.text, atMs: own.at(now))
        if page == .text { reading.arrange(textColumns) }
        return effects + supplies()
    }

    /// `true` while the owner of the player is heard.
    public var isPlaying: Bool { session.isPlaying }

    /// Returns the time in ms until the screen changes by itself; `nil` if it does not.
    public func nextChange(_ now: Int64) -> Int64? {
        if let clipScreen { return clipScreen.nextChange(now) }
        let times = [
            own.nextChange(now), sentenceChange(now), session.sleepChange(now),
            next?.startsAt.map { countdownChange($0, now) },
        ]
        return times.compactMap { $0 }.min()
    }

    /// Returns the ms until the recording says another sentence of the text that is shown.
    private func sentenceChange(_ now: Int64) -> Int64? {
        guard page == .text, isPlaying, let position = own.at(now), let rate = session.status?.rate, rate > 0,
            let next = reading.passage?.times.first(where: { $0 > position })
        else { return nil }
        return max(20, Int64((Double(next - position) / rate).rounded(.up)))
    }

    private func countdownChange(_ start: Int64, _ now: Int64) -> Int64 { max(1, (start - now - 1) % 1000 + 1) }

    /// Returns what has to be fetched for what the screen shows now.
    private mutating func supplies() -> [PlayerEffect] {
        var effects: [PlayerEffect] = []
        if let room = pictureRoom, let path = session.contents?.cover,
            picture?.path != path || picture?.columns != room.columns || picture?.rows != room.rows
        {
            // It is noted before it is there, so that it is asked for once.
            picture = Picture(path: path, columns: room.columns, rows: room.rows, cells: [])
            effects.append(.drawPicture(path: path, columns: room.columns, rows: room.rows))
        }
        if page == .text || sofa != nil, session.isPresent, session.status?.item != nil,
            let request = reading.request()
        {
            effects.append(ask(request, .window))
        }
        return effects
    }
}

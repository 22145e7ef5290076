// SPDX-License-Identifier: Apache-2.0

/// The state of the session, as `rostrum status --json` prints it.
///
/// Other programs read it: an existing name is never removed, and its meaning never changes.
public struct Status: Sendable, Hashable, Codable {
    public struct Item: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case uri, title, author }

        public var uri: String
        public var title: String?
        public var author: String?
        public init(uri: String, title: String?, author: String?) {
            self.uri = uri
            self.title = title
            self.author = author
        }
    }

    public struct Position: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case ms, provenance }

        public var ms: Int64?
        public var provenance: String
        public init(ms: Int64?, provenance: String) {
            self.ms = ms
            self.provenance = provenance
        }
    }

    public struct Duration: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case ms, confidence }

        public var ms: Int64?
        public var confidence: String
        public init(ms: Int64?, confidence: String) {
            self.ms = ms
            self.confidence = confidence
        }
    }

    public struct Track: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case index, count, positionMs, durationMs }

        public var index: Int
        public var count: Int
        public var positionMs: Int64?
        public var durationMs: Int64?
        public init(index: Int, count: Int, positionMs: Int64?, durationMs: Int64?) {
            self.index = index
            self.count = count
            self.positionMs = positionMs
            self.durationMs = durationMs
        }
    }

    public struct Chapter: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case index, count, title, startMs, endMs }

        public var index: Int
        public var count: Int
        public var title: String?
        public var startMs: Int64?
        public var endMs: Int64?
        public init(index: Int, count: Int, title: String?, startMs: Int64?, endMs: Int64?) {
            self.index = index
            self.count = count
            self.title = title
            self.startMs = startMs
            self.endMs = endMs
        }
    }

    /// A page of a text, as its document numbers it.
    public struct Page: Sendable, Hashable, Codable {
        /// The number as it is printed.
        public var label: String
        public var index: Int
        public var count: Int
        public init(label: String, index: Int, count: Int) {
            self.label = label
            self.index = index
            self.count = count
        }
    }

    public struct Text: Sendable, Hashable, Codable {
        public var offset: Int64
        public var length: Int64
        public init(offset: Int64, length: Int64) {
            self.offset = offset
            self.length = length
        }
    }

    public struct Sleep: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case remainingMs, end, setAtMs }

        /// The real time, while playing.
        public var remainingMs: Int64?
        /// One of `time`, `chapter`, `book` and `over`.
        ///
        /// `over` says that the timer has stopped the sound, and that `undo` returns to where the timer was set.
        public var end: String?
        /// The position at which the timer was set, in book time.
        public var setAtMs: Int64?

        public init(remainingMs: Int64?, end: String? = nil, setAtMs: Int64? = nil) {
            self.remainingMs = remainingMs
            self.end = end
            self.setAtMs = setAtMs
        }
    }

    /// The listening options in force.
    public struct Sound: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case mono, balance, loudness, silence }

        public var mono: Bool
        /// A balance from −1 (left) to 1 (right).
        public var balance: Double
        /// The loudness to which speech is brought, in LUFS; `nil` if it is played as recorded.
        public var loudness: Double?
        /// The length in seconds above which silences are shortened; `nil` if none is.
        public var silence: Double?

        public init(mono: Bool, balance: Double, loudness: Double?, silence: Double?) {
            self.mono = mono
            self.balance = balance
            self.loudness = loudness
            self.silence = silence
        }
    }

    public struct Session: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case active, output, route, hungOutputs, lost }

        public var active: Bool
        public var output: String?
        public var route: String?
        /// The number of abandoned outputs that did not respond and still hang; `nil` if there is none.
        public var hungOutputs: Int?
        /// `true` while a lost sound server is looked for: playback goes on by itself when it is back.
        ///
        /// `nil`, and not printed, otherwise.
        public var lost: Bool?

        public init(active: Bool, output: String?, route: String?, hungOutputs: Int? = nil, lost: Bool? = nil) {
            self.active = active
            self.output = output
            self.route = route
            self.hungOutputs = hungOutputs
            self.lost = lost
        }
    }

    public struct Failure: Sendable, Hashable, Codable {
        public var code: Int32
        public var message: String
        public init(code: Int32, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// The other side of what is loaded: the text of a recording, or the recording of a text.
    public struct Work: Sendable, Hashable, Codable {
        public var uri: String
        public var title: String?
        /// One of `exact`, `aligned`, `anchored`, `proportional` and `unknown`: what is known of the present place there.
        public var grade: String
        /// The bound of the error of that place, in milliseconds of the recording; `nil` if nothing is known.
        public var errorMs: Int64?
        /// The alignment that goes on, or how the last one ended; `nil` if none was begun, or if the last one is complete.
        public var run: AlignmentReport?

        public init(uri: String, title: String?, grade: String, errorMs: Int64?, run: AlignmentReport? = nil) {
            self.uri = uri
            self.title = title
            self.grade = grade
            self.errorMs = errorMs
            self.run = run
        }
    }

    enum CodingKeys: String, CodingKey {
        case v, status, intent, suppression, engine, owner, item, position, duration, track, chapter, text, rate,
            volume, sleep, sound, session, error, warning, work, page
    }

    public var v = 1
    /// One of `idle`, `loading`, `ready`, `playing`, `paused`, `ended` and `error`.
    public var status: String
    /// One of `play`, `pause` and `stop`.
    public var intent: String
    /// One of `interruption`, `routeLost`, `owner` and `sleep`, or `nil`.
    public var suppression: String?
    public var engine: String?
    public var owner: String
    public var item: Item?
    public var position: Position
    public var duration: Duration
    public var track: Track?
    public var chapter: Chapter?
    public var text: Text?
    public var rate: Double
    public var volume: Double
    public var sleep: Sleep?
    /// The listening options; `nil`, and not printed, if the sound is as recorded.
    public var sound: Sound?
    public var session: Session
    public var error: Failure?
    /// One line about what goes wrong during playback, such as a place that cannot be saved.
    ///
    /// `nil`, and not printed, if nothing does.
    public var warning: String?
    /// The other side of the work; `nil`, and not printed, if there is none, or if it has not been looked up yet.
    public var work: Work?
    /// The page of the position; `nil`, and not printed, if the text has no pages, or none before the position.
    public var page: Page?

    public init(
        status: String, intent: String, suppression: String?, engine: String?, owner: String, item: Item?,
        position: Position, duration: Duration, track: Track?, chapter: Chapter?, text: Text?, rate: Double,
        volume: Double, sleep: Sleep?, sound: Sound? = nil, session: Session, error: Failure?,
        warning: String? = nil, page: Page? = nil
    ) {
        self.status = status
        self.intent = intent
        self.suppression = suppression
        self.engine = engine
        self.owner = owner
        self.item = item
        self.position = position
        self.duration = duration
        self.track = track
        self.chapter = chapter
        self.text = text
        self.rate = rate
        self.volume = volume
        self.sleep = sleep
        self.sound = sound
        self.session = session
        self.error = error
        self.warning = warning
        self.page = page
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What the session is doing, as `rostrum status --json` prints it.
///
/// Others read it: a name that is there stays, and means what it means.
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

        /// By the clock on the wall, while playing.
        public var remainingMs: Int64?
        /// `time`, `chapter` or `book`; `over`: it has ended the sound, and `undo` leads back to where it was set.
        public var end: String?
        /// Where it was set, in book time.
        public var setAtMs: Int64?

        public init(remainingMs: Int64?, end: String? = nil, setAtMs: Int64? = nil) {
            self.remainingMs = remainingMs
            self.end = end
            self.setAtMs = setAtMs
        }
    }

    /// What the listener chose of how things sound.
    public struct Sound: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case mono, balance, loudness, silence }

        public var mono: Bool
        /// −1 (left) to 1 (right).
        public var balance: Double
        /// LUFS that speech is brought to; nil: as recorded.
        public var loudness: Double?
        /// Seconds above which silences are shortened; nil: none is.
        public var silence: Double?

        public init(mono: Bool, balance: Double, loudness: Double?, silence: Double?) {
            self.mono = mono
            self.balance = balance
            self.loudness = loudness
            self.silence = silence
        }
    }

    public struct Session: Sendable, Hashable, Codable {
        enum CodingKeys: String, CodingKey { case active, output, route, hungOutputs }

        public var active: Bool
        public var output: String?
        public var route: String?
        /// Outputs that were given up because they did not answer, and are still stuck; nil: none.
        public var hungOutputs: Int?

        public init(active: Bool, output: String?, route: String?, hungOutputs: Int? = nil) {
            self.active = active
            self.output = output
            self.route = route
            self.hungOutputs = hungOutputs
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

    enum CodingKeys: String, CodingKey {
        case v, status, intent, suppression, engine, owner, item, position, duration, track, chapter, text, rate,
            volume, sleep, sound, session, error, warning
    }

    public var v = 1
    /// `idle`, `loading`, `ready`, `playing`, `paused`, `ended`, `error`.
    public var status: String
    /// `play`, `pause`, `stop`.
    public var intent: String
    /// `interruption`, `routeLost`, `owner`, `sleep`, or nil.
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
    /// nil, and not printed: as recorded.
    public var sound: Sound?
    public var session: Session
    public var error: Failure?
    /// What goes wrong while it plays, in one line: a place that cannot be saved.
    ///
    /// nil, and not printed: nothing.
    public var warning: String?

    public init(
        status: String, intent: String, suppression: String?, engine: String?, owner: String, item: Item?,
        position: Position, duration: Duration, track: Track?, chapter: Chapter?, text: Text?, rate: Double,
        volume: Double, sleep: Sleep?, sound: Sound? = nil, session: Session, error: Failure?,
        warning: String? = nil
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
    }
}

// SPDX-License-Identifier: Apache-2.0

/// `play` and `read`.
public struct PlayParameters: Sendable, Hashable, Codable {
    /// Absolute paths or URLs; empty: resume, or the last item of this kind. `descriptor:N` names the N-th descriptor that
    /// came with the request.
    public var items: [String] = []
    /// Names for the descriptors, for a person and as a hint for the format.
    public var names: [String]?
    /// `play` takes what is given as its content says; `read` takes it as a text.
    public var asText: Bool?
    public var engine: String?
    /// A `TimeExpression`.
    public var at: String?
    public var fromStart: Bool?
    public var until: String?
    public var rate: Double?
    public var volume: Double?
    public var owner: String?
    public var voice: String?
    /// `NAME:VALUE`, for http(s). Never logged.
    public var headers: [String]?
    /// `auto`, `pulse[:SINK]`, `alsa[:PCM]`, `wav:PATH` (absolute), `null`, `null:fast`.
    public var output: String?
    /// The player stays attached: the reply comes when it plays, and a `finished` notification when it is over.
    public var attach: Bool?

    public init() {}
}

/// One command to the session. Method names on the socket are the command names of `interface.md`.
public enum SessionCommand: Sendable, Hashable {
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
    case inspect(PlayParameters)
    case log
}

public struct EngineInfo: Sendable, Hashable, Codable {
    public var id: String
    public var name: String
    public var version: String
    public var vendor: String
    public var license: String
    public var abi: String
    public var kinds: [String]
    public var hosting: String
    public var state: String
    public var path: String
    public var reason: String?

    public init(
        id: String, name: String, version: String, vendor: String, license: String, abi: String, kinds: [String],
        hosting: String, state: String, path: String, reason: String?
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.vendor = vendor
        self.license = license
        self.abi = abi
        self.kinds = kinds
        self.hosting = hosting
        self.state = state
        self.path = path
        self.reason = reason
    }
}

public struct Inspection: Sendable, Hashable, Codable {
    public struct Track: Sendable, Hashable, Codable {
        public var index: Int
        public var uri: String
        public var durationMs: Int64?
        public var codec: String
        public var sampleRate: Int
        public var channels: Int
        public init(index: Int, uri: String, durationMs: Int64?, codec: String, sampleRate: Int, channels: Int) {
            self.index = index
            self.uri = uri
            self.durationMs = durationMs
            self.codec = codec
            self.sampleRate = sampleRate
            self.channels = channels
        }
    }

    public struct Chapter: Sendable, Hashable, Codable {
        public var index: Int
        public var title: String?
        public var startMs: Int64?
        public var endMs: Int64?
        public var source: String
        public init(index: Int, title: String?, startMs: Int64?, endMs: Int64?, source: String) {
            self.index = index
            self.title = title
            self.startMs = startMs
            self.endMs = endMs
            self.source = source
        }
    }

    public var uri: String
    public var title: String?
    public var author: String?
    public var durationMs: Int64?
    public var durationConfidence: String
    public var tracks: [Track]
    public var chapters: [Chapter]

    public init(
        uri: String, title: String?, author: String?, durationMs: Int64?, durationConfidence: String, tracks: [Track],
        chapters: [Chapter]
    ) {
        self.uri = uri
        self.title = title
        self.author = author
        self.durationMs = durationMs
        self.durationConfidence = durationConfidence
        self.tracks = tracks
        self.chapters = chapters
    }
}

/// What a command answers.
public enum SessionReply: Sendable, Hashable {
    case done
    case status(Status)
    case engines([EngineInfo])
    case inspection(Inspection)
    /// Path of the transition log; the client reads it itself.
    case log(path: String)
}

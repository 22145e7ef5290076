// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import BookTimeline
public import PlaybackCore

/// One source of a track, opened by the session.
public enum TrackSource: Sendable, Hashable {
    /// A file by its path, which the session opens read-only when the engine asks for it.
    case file(path: String)
    /// A file that a client handed over. Owned by the content; duplicated for each use.
    case descriptor(SharedDescriptor, name: String)
    /// http or https, with header lines that are never logged.
    case url(String, headers: [String])
}

extension TrackSource {
    /// A name without folders and extension, for a person: see ``FileTitle``.
    public var title: String {
        let path: Substring =
            switch self {
            case .file(let path): path[...]
            case .descriptor(_, let name): name[...]
            case .url(let url, _): url.prefix { $0 != "?" && $0 != "#" }
            }
        return FileTitle.title(path.split(separator: "/").last ?? path)
    }
}

/// A mark of a cue sheet in one of the content's tracks.
public struct CueEntry: Sendable, Hashable {
    /// Index into the content's tracks.
    public var track: Int
    /// CD frames, 1/75 s, from the beginning of that track.
    public var start: Int64
    public var title: String?
    /// The sheet was found beside the file, and was not asked for: chapters of the file itself count more.
    public var isBeside: Bool

    public init(track: Int, start: Int64, title: String?, isBeside: Bool = false) {
        self.track = track
        self.start = start
        self.title = title
        self.isBeside = isBeside
    }
}

/// What an engine is to play.
public struct Content: Sendable, Hashable {
    public var uri: String
    public var kind: ContentKind
    public var tracks: [TrackSource]
    /// For a person, before the engine knows better.
    public var title: String
    public var language: String?
    /// Chapters from cue sheets.
    public var cue: [CueEntry]
    /// Only this part of it; for an engine that can.
    public var clip: ClipRange?

    public init(
        uri: String, kind: ContentKind, tracks: [TrackSource], title: String, language: String? = nil,
        cue: [CueEntry] = []
    ) {
        self.uri = uri
        self.kind = kind
        self.tracks = tracks
        self.title = title
        self.language = language
        self.cue = cue
    }
}

extension Content {
    /// Some of its bytes come from a server.
    public var isRemote: Bool { tracks.contains { if case .url = $0 { true } else { false } } }

    /// Where a track comes from, for a person; nil for what came through a pipe.
    public func trackURI(_ index: Int) -> String? {
        guard tracks.indices.contains(index) else { return nil }
        if tracks.count == 1 { return uri }
        switch tracks[index] {
        case .file(let path): return path
        case .url(let url, _): return WebIdentity.shown(url)
        case .descriptor: return nil
        }
    }
}

/// What an engine says of a track that it has opened.
public struct TrackDescription: Sendable, Hashable {
    public var timeline: TimelineTrack
    public var format: AudioFormat
    public var encoding: SampleEncoding
    public var codec: String
    public var title: String?

    public init(timeline: TimelineTrack, format: AudioFormat, encoding: SampleEncoding, codec: String, title: String?) {
        self.timeline = timeline
        self.format = format
        self.encoding = encoding
        self.codec = codec
        self.title = title
    }
}

/// What an engine says of an item that it has loaded.
public struct MediaDescription: Sendable, Hashable {
    public var title: String?
    public var author: String?
    /// One per track of the content.
    ///
    /// Those that were not opened yet have no duration and the start track's format; what they are follows as
    /// `EngineEvent.track`.
    public var tracks: [TrackDescription]
    public var chapters: [Chapter]
    /// The range of rates that the engine does itself; the session does the rest.
    public var nativeRates: ClosedRange<Double>?

    public init(
        title: String?, author: String?, tracks: [TrackDescription], chapters: [Chapter],
        nativeRates: ClosedRange<Double>?
    ) {
        self.title = title
        self.author = author
        self.tracks = tracks
        self.chapters = chapters
        self.nativeRates = nativeRates
    }
}

/// How to load.
public struct LoadRequest: Sendable {
    public var content: Content
    public var start: MediaPosition
    public var generation: UInt32
    /// Within the engine's own range, if it has one.
    public var rate: Double
    public var voice: String?

    public init(content: Content, start: MediaPosition, generation: UInt32, rate: Double, voice: String?) {
        self.content = content
        self.start = start
        self.generation = generation
        self.rate = rate
        self.voice = voice
    }
}

public enum EngineEvent: Sendable {
    /// A word or sentence of the text begins at `position`, in bytes.
    case mark(generation: UInt32, kind: MarkKind, position: Int64, length: Int64)
    /// Rendering failed; nothing more comes of this generation. `leavesSound` as below.
    case failed(generation: UInt32, EngineError, leavesSound: Bool)
    /// The process (or thread) is gone. `leavesSound`: it had rendered something since it was told where to go on;
    /// that can still be heard, and `end` is where it ends, if another process can go on there.
    case gone(EngineError, leavesSound: Bool, end: RenderedEnd? = nil)
    case log(level: String, message: String)
    /// More is known of a track now, as the engine looks ahead in idle moments.
    case track(index: Int, TrackDescription)
}

/// Where the sound ends that an engine left behind.
public struct RenderedEnd: Sendable, Hashable {
    public var generation: UInt32
    /// Of the first frame that is missing.
    public var position: MediaPosition
    /// It waited for room: what comes at that place did not end it.
    public var wasIdle: Bool

    public init(generation: UInt32, position: MediaPosition, wasIdle: Bool) {
        self.generation = generation
        self.position = position
        self.wasIdle = wasIdle
    }
}

public enum MarkKind: UInt32, Sendable {
    case word = 1
    case sentence = 2
}

/// A failure of an engine.
public struct EngineError: Error, Sendable, Hashable {
    /// A code of the contract (negative), or one of ours below.
    public var code: Int32
    /// One line for a person.
    public var message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// No engine of this id, or it may not be loaded.
    public static let unavailable: Int32 = -1
    /// The engine did not answer in time and was ended.
    public static let timeout: Int32 = -2
    /// The engine process died.
    public static let crashed: Int32 = -3
    /// The engine broke the contract.
    public static let misbehaved: Int32 = -4
    /// The engine's folder or licence does not permit to load it.
    public static let refused: Int32 = -5
    /// What was asked for makes no sense for this content.
    public static let usage: Int32 = -6

    /// The engine process ended before it was up: no item is at fault.
    public static let neverReady: Int32 = -7

    /// The process is gone, or is ended: not its content is at fault.
    public var isOfTheProcess: Bool {
        [Self.unavailable, Self.timeout, Self.crashed, Self.misbehaved, Self.neverReady].contains(code)
    }
}

/// One live engine: a process of its own, or a thread.
///
/// Every call has a deadline of its own, after which the engine is ended and the call throws `timeout`.
public protocol PlaybackEngine: Sendable {
    var id: EngineID { get }

    /// Events, in order; ends after `shutDown`. One consumer.
    var events: AsyncStream<EngineEvent> { get }

    /// What it renders, one ring for the life of the engine.
    var source: any PCMSource { get }

    /// Opens the content and begins to render into the ring from `start`.
    /// Ends what was loaded before. Within 10 s.
    func load(_ request: LoadRequest) async throws(EngineError) -> MediaDescription

    /// Renders from another place. The source must have been told to discard older generations.
    func seek(to position: MediaPosition, generation: UInt32) async throws(EngineError)

    /// For engines with native rates: what is rendered from the next seek on. (The session seeks to what is
    /// being heard, so that nothing is skipped.)
    func setRate(_ rate: Double) async throws(EngineError)

    /// For engines that play clips: nothing outside of it is rendered from the next seek on. Ends exactly before `end`,
    /// or goes on at `start` without a gap. `unavailable` if the engine cannot.
    func setRange(_ start: MediaPosition, _ end: MediaPosition, loops: Bool) async throws(EngineError)

    /// Waits until every track is described; throws `timeout`, and leaves the engine alone, if one takes more than 10 s.
    func describeAll() async throws(EngineError) -> MediaDescription

    /// Counts the duration of a track; nil if the engine cannot.
    func measure(track: Int) async throws(EngineError) -> Int64?

    /// The same when the engine has nothing else to do, for however long that takes; sound and every other call come first.
    /// What it finds out follows as `EngineEvent.track`, too.
    func measureLater(track: Int) async throws(EngineError) -> Int64?

    /// The picture in a track; nil: there is none, or the engine knows of no pictures. Within 10 s.
    func cover(track: Int) async throws(EngineError) -> CoverPicture?

    /// Drops the content, keeps the process.
    func unload() async

    /// Ends the process: politely, then not. Returns when it is gone.
    func shutDown() async
}

extension PlaybackEngine {
    /// An engine that cannot.
    public func measureLater(track: Int) async throws(EngineError) -> Int64? { nil }

    /// An engine that cannot.
    public func cover(track: Int) async throws(EngineError) -> CoverPicture? { nil }
}

/// Knows which engines are installed, and makes live ones.
public protocol EngineProvider: Sendable {
    /// From manifests alone; best first.
    func installed() async -> [InstalledEngine]

    /// Starts an engine (or takes one that is warm). Does not wait for it to be up: that is part of `load`.
    func start(_ id: EngineID) async throws(EngineError) -> any PlaybackEngine

    /// Starts another process in place of one that is gone: what it renders follows, in the same source, what that one left.
    /// Only where that one said where its sound ends.
    func start(_ id: EngineID, inPlaceOf gone: any PlaybackEngine) async throws(EngineError) -> any PlaybackEngine

    /// Starts the process of an engine ahead of need: the next `start` takes it. If it cannot, `start` says so.
    func prewarm(_ id: EngineID) async

    /// Ends what `prewarm` started.
    func endSpare(_ id: EngineID) async

    /// The process of an engine ended by itself, or had to be ended; `item` is what it had been given last.
    /// Returns what was decided about the engine for that, in one line for the log.
    func died(_ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool) async -> String?
}

/// What the manifest of an engine says.
public struct InstalledEngine: Sendable, Hashable {
    public enum State: String, Sendable { case available, shadowed, incompatible, refused, quarantined, disabled }
    public enum Hosting: String, Sendable { case isolated, inProcess }

    public var id: EngineID
    public var name: String
    public var version: String
    public var vendor: String
    public var license: String
    public var abi: String
    public var kinds: [ContentKind]
    /// File name extensions, lower case, without the dot.
    public var extensions: [String]
    public var schemes: [String]
    public var hosting: Hosting
    public var state: State
    /// The engine's folder.
    public var path: String
    /// Why it is not available, or has not all that it asks for.
    public var reason: String?

    public init(
        id: EngineID, name: String, version: String, vendor: String, license: String, abi: String,
        kinds: [ContentKind], extensions: [String], schemes: [String], hosting: Hosting, state: State, path: String,
        reason: String?
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.vendor = vendor
        self.license = license
        self.abi = abi
        self.kinds = kinds
        self.extensions = extensions
        self.schemes = schemes
        self.hosting = hosting
        self.state = state
        self.path = path
        self.reason = reason
    }

    /// Its manifest promises file name extensions; an engine that promises none plays only what it is named for.
    var opensByContent: Bool { !extensions.isEmpty }
}

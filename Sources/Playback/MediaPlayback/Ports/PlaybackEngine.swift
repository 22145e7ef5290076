// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import BookTimeline
public import PlaybackCore

/// The source of a track, opened by the session.
public enum TrackSource: Sendable, Hashable {
    /// A file by its path, which the session opens read-only when the engine asks for it.
    case file(path: String)
    /// A file that a client handed over; the content owns it, and it is duplicated for each use.
    case descriptor(SharedDescriptor, name: String)
    /// An http or https address, with header lines that are never logged.
    case url(String, headers: [String])
}

extension TrackSource {
    /// A readable name without folders and extension: see ``FileTitle``.
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

/// An entry of a cue sheet in one of the content's tracks.
public struct CueEntry: Sendable, Hashable {
    /// Index into the content's tracks.
    public var track: Int
    /// The start in CD frames of 1/75 s, from the beginning of that track.
    public var start: Int64
    public var title: String?
    /// Whether the sheet was only found beside the file; then chapters of the file itself take precedence.
    public var isBeside: Bool

    public init(track: Int, start: Int64, title: String?, isBeside: Bool = false) {
        self.track = track
        self.start = start
        self.title = title
        self.isBeside = isBeside
    }
}

/// The content that an engine is to play.
public struct Content: Sendable, Hashable {
    public var uri: String
    public var kind: ContentKind
    public var tracks: [TrackSource]
    /// The title to show until the engine knows better.
    public var title: String
    public var language: String?
    /// The chapters from cue sheets.
    public var cue: [CueEntry]
    /// The only part to play, for an engine that supports clips.
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
    /// Whether some of the content comes from a server.
    public var isRemote: Bool { tracks.contains { if case .url = $0 { true } else { false } } }

    /// Returns where a track comes from, to be shown; `nil` if it came through a pipe.
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

/// The engine's description of a track that it has opened.
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

/// The engine's description of an item that it has loaded.
public struct MediaDescription: Sendable, Hashable {
    public var title: String?
    public var author: String?
    /// One description per track of the content.
    ///
    /// A track that was not opened yet has no duration and the start track's format; its details follow as
    /// `EngineEvent.track`.
    public var tracks: [TrackDescription]
    public var chapters: [Chapter]
    /// The range of rates that the engine renders itself; the session does the rest.
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

/// The parameters of a load.
public struct LoadRequest: Sendable {
    public var content: Content
    public var start: MediaPosition
    public var generation: UInt32
    /// The rate, within the engine's own range if it has one.
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
    /// Rendering failed; no more sound of this generation follows. For `leavesSound`, see `gone`.
    case failed(generation: UInt32, EngineError, leavesSound: Bool)
    /// The process (or thread) is gone.
    ///
    /// `leavesSound` says that it rendered something after it was told where to continue. That sound can still be
    /// heard. `end` is where the sound ends, if another process can continue there.
    case gone(EngineError, leavesSound: Bool, end: RenderedEnd? = nil)
    case log(level: String, message: String)
    /// More is known about a track now, because the engine looks ahead when it is idle.
    case track(index: Int, TrackDescription)
}

/// The end of the sound that an engine left behind.
public struct RenderedEnd: Sendable, Hashable {
    public var generation: UInt32
    /// The position of the first missing frame.
    public var position: MediaPosition
    /// Whether the engine was waiting for room; then the content at that position did not end it.
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
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// There is no engine with this id, or it may not be loaded.
        case unavailable
        /// The engine did not answer in time and was ended.
        case timedOut
        /// The engine process died.
        case crashed
        /// The engine broke the contract.
        case misbehaved
        /// The engine's folder or licence does not permit loading it.
        case refused
        /// The request makes no sense for this content.
        case usage
        /// The engine process ended before it was ready; no item is at fault.
        case neverReady
        /// What is to be opened does not exist.
        case noInput
        /// The content cannot be opened, or not by this engine, or cannot be decoded.
        case badContent
        /// A disk or a server failed; it may work again.
        case io
        /// The engine has no such voice or language.
        case unknownVoice
        /// The engine failed in another way.
        case failed
    }

    public var kind: Kind
    /// One line for the user.
    public var message: String
    /// The number by which the log tells the failure, if whoever reports it has one; no decision depends on it.
    public var number: Int32?

    public init(_ kind: Kind, message: String, number: Int32? = nil) {
        self.kind = kind
        self.message = message
        self.number = number
    }

    /// Whether the process is gone or is being ended, so that the content is not at fault.
    public var isOfTheProcess: Bool {
        switch kind {
        case .unavailable, .timedOut, .crashed, .misbehaved, .neverReady: true
        case .refused, .usage, .noInput, .badContent, .io, .unknownVoice, .failed: false
        }
    }
}

/// A live engine: a process of its own, or a thread.
///
/// Every call has its own deadline, after which the engine is ended and the call throws `timedOut`.
public protocol PlaybackEngine: Sendable {
    var id: EngineID { get }

    /// The events, in order; the stream ends after `shutDown`. It supports one consumer.
    var events: AsyncStream<EngineEvent> { get }

    /// The rendered sound: one ring for the life of the engine.
    var source: any PCMSource { get }

    /// Opens the content and begins to render into the ring from `start`.
    ///
    /// Ends what was loaded before. The deadline is 10 s.
    func load(_ request: LoadRequest) async throws(EngineError) -> MediaDescription

    /// Renders from another position.
    ///
    /// The source must have been told to discard older generations.
    func seek(to position: MediaPosition, generation: UInt32) async throws(EngineError)

    /// Sets the rate of what is rendered from the next seek on, for engines with native rates.
    ///
    /// The session seeks to what is audible, so that nothing is skipped.
    func setRate(_ rate: Double) async throws(EngineError)

    /// Restricts rendering to a range from the next seek on, for engines that play clips.
    ///
    /// Rendering ends exactly before `end`, or continues at `start` without a gap. Throws `unavailable` if the engine
    /// cannot do this.
    func setRange(_ start: MediaPosition, _ end: MediaPosition, loops: Bool) async throws(EngineError)

    /// Waits until every track is described.
    ///
    /// Throws `timedOut`, and leaves the engine running, if a track takes more than 10 s.
    func describeAll() async throws(EngineError) -> MediaDescription

    /// Counts the duration of a track; `nil` if the engine cannot.
    func measure(track: Int) async throws(EngineError) -> Int64?

    /// Counts the duration of a track when the engine has nothing else to do, however long that takes.
    ///
    /// Sound and every other call come first. The result also follows as `EngineEvent.track`.
    func measureLater(track: Int) async throws(EngineError) -> Int64?

    /// Returns the picture in a track; `nil` if there is none or the engine does not support pictures.
    ///
    /// The deadline is 10 s.
    func cover(track: Int) async throws(EngineError) -> CoverPicture?

    /// Drops the content, but keeps the process.
    func unload() async

    /// Ends the process, by force if it does not end when asked. Returns when it is gone.
    func shutDown() async
}

extension PlaybackEngine {
    /// Returns `nil`, for an engine that cannot measure.
    public func measureLater(track: Int) async throws(EngineError) -> Int64? { nil }

    /// Returns `nil`, for an engine without pictures.
    public func cover(track: Int) async throws(EngineError) -> CoverPicture? { nil }
}

/// Knows which engines are installed, and starts them.
public protocol EngineProvider: Sendable {
    /// Returns the installed engines, from their manifests alone; the best first.
    func installed() async -> [InstalledEngine]

    /// Starts an engine, or takes one that is already running.
    ///
    /// Does not wait until it is ready; `load` does.
    func start(_ id: EngineID) async throws(EngineError) -> any PlaybackEngine

    /// Starts another process in place of one that is gone.
    ///
    /// Its sound follows, in the same source, the sound that the other one left. Possible only if the other one said
    /// where its sound ends.
    func start(_ id: EngineID, inPlaceOf gone: any PlaybackEngine) async throws(EngineError) -> any PlaybackEngine

    /// Starts the process of an engine ahead of need; the next `start` takes it.
    ///
    /// If the process cannot be started, `start` reports that.
    func prewarm(_ id: EngineID) async

    /// Ends the process that `prewarm` started.
    func endSpare(_ id: EngineID) async

    /// Reports that the process of an engine ended by itself, or had to be ended.
    ///
    /// - Parameter item: what the engine had been given last.
    /// - Returns: the decision about the engine that followed, in one line for the log.
    func died(_ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool) async -> String?
}

/// The contents of an engine's manifest.
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
    /// The file name extensions: lower case, without the dot.
    public var extensions: [String]
    public var schemes: [String]
    public var hosting: Hosting
    public var state: State
    /// The engine's folder.
    public var path: String
    /// The reason why it is not available, or lacks something that it asks for.
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

    /// Whether its manifest promises file name extensions; an engine without any plays only what it is named for.
    var opensByContent: Bool { !extensions.isEmpty }
}

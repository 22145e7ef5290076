// SPDX-License-Identifier: Apache-2.0

/// What the listener should hear, and as what.
public struct StreamRequest: Sendable {
    public var format: AudioFormat
    /// For a file output.
    public var encoding: SampleEncoding
    public var source: any PCMSource
    /// Blocks of older generations are not heard.
    public var generation: UInt32
    /// Stretched by the session, pitch kept; 1.0 passes samples through bit for bit.
    public var rate: Double
    /// 0.0 to 1.0, linear in loudness as the listener sets it.
    public var volume: Double
    /// Begins without a sound, as after `pause`.
    public var isPaused: Bool
    /// The stream ends before this frame, as if the content did; nil: with the content.
    public var until: HeardPosition?
    public var sound: SoundOptions
    /// Where chapters begin, in order, whatever their generation: no silence is left out across them.
    public var boundaries: [HeardPosition]
    /// What the sound server shows.
    public var title: String
    /// `audiobook`, `speech` or `clip`.
    public var mode: String
    /// Told what is heard when; nil: nobody wants to know.
    public var feed: HeardFeed?

    public init(
        format: AudioFormat, encoding: SampleEncoding, source: any PCMSource, generation: UInt32, rate: Double,
        volume: Double, isPaused: Bool, until: HeardPosition? = nil, sound: SoundOptions = SoundOptions(),
        boundaries: [HeardPosition] = [], title: String, mode: String, feed: HeardFeed? = nil
    ) {
        self.format = format
        self.encoding = encoding
        self.source = source
        self.generation = generation
        self.rate = rate
        self.volume = volume
        self.isPaused = isPaused
        self.until = until
        self.sound = sound
        self.boundaries = boundaries
        self.title = title
        self.mode = mode
        self.feed = feed
    }
}

/// A place in the content as it is heard, not as it was decoded.
public struct HeardPosition: Sendable, Hashable {
    public var generation: UInt32
    public var track: Int
    /// Units of the track.
    public var units: Int64

    public init(generation: UInt32, track: Int, units: Int64) {
        self.generation = generation
        self.track = track
        self.units = units
    }
}

/// Where the sound goes, as far as the output knows.
public struct Route: Sendable, Hashable {
    /// One of `pulse`, `alsa`, `wav`, `null`.
    public var output: String
    /// Sink, port, PCM or file; nil if it means nothing here.
    public var device: String?
    /// Whether another program is playing on the same server; nil if unknown.
    public var otherAudioPlaying: Bool?

    public init(output: String, device: String?, otherAudioPlaying: Bool? = nil) {
        self.output = output
        self.device = device
        self.otherAudioPlaying = otherAudioPlaying
    }
}

/// Whose sound the session makes room for, as far as the sound server tells.
public struct OtherSound: Sendable, Hashable {
    /// What kind of stream it is, as its program says: `phone`.
    public var role: String?
    /// The program's name.
    public var program: String?

    public init(role: String? = nil, program: String? = nil) {
        self.role = role
        self.program = program
    }
}

/// Why sound comes from somewhere else.
public enum RouteReason: String, Sendable {
    /// Somebody moved the stream, and what it left is still there.
    case moved
    /// Somebody chose another port of the same sink.
    case portChanged
    case sinkRemoved
    /// Nothing is plugged in any more where it came from.
    case portUnplugged
}

/// What happened at the device without anybody asking.
public enum OutputEvent: Sendable {
    /// The first frame of this generation can be heard.
    case started(generation: UInt32)
    /// All that there is of this generation has been heard.
    /// `atLimit`: at the place that the request named, not at the end of the content.
    case ended(generation: UInt32, atLimit: Bool = false)
    /// Nothing to play: the engine is late. Sound goes on by itself when it comes.
    case starved(generation: UInt32)
    case routeChanged(Route, RouteReason? = nil)
    /// What was listened with is gone, and the sound comes, or would come, from something else that nobody chose:
    /// headphones out, Bluetooth gone, a sink removed. Not: a move by the user while the old one is still there.
    case routeLost(Route, RouteReason? = nil)
    /// What was lost is there again.
    case routeReturned(Route)
    /// The sound server asks for silence (or no longer does), for a call, say; `by`: for whom, if it tells.
    /// `othersPlay`: whether another program sounds; nil: not known.
    case interruption(began: Bool, by: OtherSound? = nil, othersPlay: Bool? = nil)
    /// The stream is gone: server lost, sink removed, device unplugged, file system full.
    /// `heard` is the last place that was heard, if it is known.
    case failed(OutputError, heard: HeardPosition?)
}

/// A failure of an output: which call failed, on what, and why.
public struct OutputError: Error, Sendable, Hashable {
    public enum Code: String, Sendable {
        /// No such server, sink, device.
        case unavailable
        /// The server or device refused.
        case refused
        /// It was there, and is gone.
        case lost
        /// The device is gone, and the server is there: another one could be had, but nobody chose it.
        case deviceGone
        /// It did not answer in time.
        case timeout
        /// A file could not be made.
        case cannotCreate
        /// Writing failed.
        case io
    }

    public var code: Code
    /// The call of the library that failed, as `pa_context_connect`.
    public var source: String
    /// One line for a person.
    public var message: String

    public init(_ code: Code, source: String, message: String) {
        self.code = code
        self.source = source
        self.message = message
    }
}

/// A device, or what stands for one.
///
/// Opened and used by the coordinator alone.
///
/// One stream at a time. Every call returns within `deadline` of the implementation (at most 5 s), with
/// `timeout` if the device did not answer. Calls come one at a time.
public protocol AudioOutput: Sendable {
    /// As the `--output` option spells it: `pulse`, `alsa`, `wav:PATH`, `null`, `null:fast`.
    var name: String { get }

    /// Keeps no clock: takes sound as fast as it comes.
    var isRender: Bool { get }

    /// Events, in order; ends after `shutDown`. One consumer.
    var events: AsyncStream<OutputEvent> { get }

    /// Reaches the server or device, ahead of a stream and beside the start of an engine. Harmless when
    /// repeated.
    func connect() async throws(OutputError) -> Route

    /// Opens a stream and begins to sound as soon as the source delivers, unless it is to be paused. A stream that
    /// is open already is replaced: the old sound fades out, and is not drained.
    func open(_ request: StreamRequest) async throws(OutputError) -> Route

    /// Fades out within milliseconds and stops there. Returns where; nothing is lost or heard twice at
    /// `resume`.
    func pause() async throws(OutputError) -> HeardPosition?

    func resume() async throws(OutputError)

    /// Drops what was not heard of generations before this one, and goes over to it as soon as its first
    /// sound arrives. Also while paused.
    func reposition(to generation: UInt32) async throws(OutputError)

    /// From what is heard next, with nothing skipped.
    func setRate(_ rate: Double) async throws(OutputError)

    /// From what is heard next.
    func setVolume(_ volume: Double) async throws(OutputError)

    /// From what is heard next, with nothing skipped but what the options leave out.
    func setSound(_ sound: SoundOptions) async throws(OutputError)

    /// The stream ends before another place than the request said; nil: with the content.
    func setLimit(_ limit: HeardPosition?) async throws(OutputError)

    /// What is audible now; nil before the first sound of the present generation, or without a stream.
    func heard() async -> HeardPosition?

    /// Fades out, ends the stream and keeps the connection. Returns the last place heard. Harmless without a stream.
    func close() async -> HeardPosition?

    /// Ends everything.
    func shutDown() async
}

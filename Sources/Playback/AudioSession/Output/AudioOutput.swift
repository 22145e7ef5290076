// SPDX-License-Identifier: Apache-2.0

/// The content and the settings of a stream to open.
public struct StreamRequest: Sendable {
    public var format: AudioFormat
    /// The sample encoding of a file output.
    public var encoding: SampleEncoding
    public var source: any PCMSource
    /// The generation to play; blocks of older ones are not heard.
    public var generation: UInt32
    public var settings: StreamSettings
    /// A flag that opens the stream silent, as after `pause`.
    public var isPaused: Bool
    /// The beginnings of the chapters, in order.
    ///
    /// Their generation does not matter. No silence across them is left out.
    public var boundaries: [HeardPosition]
    /// The title that the sound server shows.
    public var title: String
    /// The mode: `audiobook`, `speech` or `clip`.
    public var mode: String
    /// The feed that receives which position is audible when; `nil` if nobody needs it.
    public var feed: HeardFeed?
    /// The seconds of silence before the first sound of a device that was asleep; `nil` for as long as such a device needs.
    public var preRoll: Double?

    public init(
        format: AudioFormat, encoding: SampleEncoding, source: any PCMSource, generation: UInt32,
        settings: StreamSettings = StreamSettings(), isPaused: Bool = false, boundaries: [HeardPosition] = [],
        title: String, mode: String, feed: HeardFeed? = nil, preRoll: Double? = nil
    ) {
        self.format = format
        self.encoding = encoding
        self.source = source
        self.generation = generation
        self.settings = settings
        self.isPaused = isPaused
        self.boundaries = boundaries
        self.title = title
        self.mode = mode
        self.feed = feed
        self.preRoll = preRoll
    }
}

/// A position in the content as it is heard, not as it was decoded.
public struct HeardPosition: Sendable, Hashable {
    public var generation: UInt32
    public var track: Int
    /// The position within the track, in units of the track.
    public var units: Int64

    public init(generation: UInt32, track: Int, units: Int64) {
        self.generation = generation
        self.track = track
        self.units = units
    }
}

/// The destination of the sound, as far as the output knows it.
public struct Route: Sendable, Hashable {
    /// The kind of output: `pulse`, `alsa`, `wav` or `null`.
    public var output: String
    /// The sink, port, PCM or file; `nil` if the output has none.
    public var device: String?
    /// `true` if another program is playing on the same server; `nil` if unknown.
    public var otherAudioPlaying: Bool?
    /// The sound server and its version, as it says them; `nil` if there is none, or it is not asked.
    public var server: String?

    public init(output: String, device: String?, otherAudioPlaying: Bool? = nil, server: String? = nil) {
        self.output = output
        self.device = device
        self.otherAudioPlaying = otherAudioPlaying
        self.server = server
    }
}

/// The stream that the session makes room for, as far as the sound server reports it.
public struct OtherSound: Sendable, Hashable {
    /// The role of the stream as its program declares it, such as `phone`.
    public var role: String?
    /// The program's name.
    public var program: String?

    public init(role: String? = nil, program: String? = nil) {
        self.role = role
        self.program = program
    }
}

/// The reason why the sound has another destination.
public enum RouteReason: String, Sendable {
    /// The stream was moved, and the device that it left still exists.
    case moved
    /// Another port of the same sink was chosen.
    case portChanged
    case sinkRemoved
    /// Nothing is plugged in any more at the port that was in use.
    case portUnplugged
}

/// An event at the device that no call caused.
public enum OutputEvent: Sendable {
    /// The first frame of this generation is audible.
    case started(generation: UInt32)
    /// The whole of this generation has been heard.
    ///
    /// `atLimit` is `true` if it ended at the limit that the request named, not at the end of the content.
    case ended(generation: UInt32, atLimit: Bool = false)
    /// There is nothing to play because the engine is late. Sound continues by itself when the engine delivers.
    case starved(generation: UInt32)
    case routeChanged(Route, RouteReason? = nil)
    /// The device in use is gone, and the sound moves, or would move, to one that nobody chose.
    ///
    /// Examples are headphones that are unplugged, Bluetooth that disconnects and a sink that is removed. A move by the
    /// user while the old device still exists is no loss.
    case routeLost(Route, RouteReason? = nil)
    /// The lost device is available again.
    case routeReturned(Route)
    /// The device was asleep, and this much silence, in milliseconds, precedes the sound while it wakes.
    case woke(preRoll: Int)
    /// The sound server requests silence, for a call for example, or ends the request.
    ///
    /// `by` is the stream that it makes room for, if the server reports it. `othersPlay` is `true` if another program
    /// is audible, and `nil` if that is not known.
    case interruption(began: Bool, by: OtherSound? = nil, othersPlay: Bool? = nil)
    /// The stream is gone: the server is lost, the sink removed, the device unplugged or the file system full.
    ///
    /// `heard` is the last position that was heard, if known.
    case failed(OutputError, heard: HeardPosition?)
}

/// A failure of an output: the call that failed, its object and the reason.
public struct OutputError: Error, Sendable, Hashable {
    public enum Code: String, Sendable {
        /// There is no such server, sink or device.
        case unavailable
        /// The server or device refused.
        case refused
        /// The device or server existed and is gone.
        case lost
        /// The device is gone and the server remains. Another device could be used, but nobody chose it.
        case deviceGone
        /// The device or server did not answer in time.
        case timeout
        /// A file could not be created.
        case cannotCreate
        /// Writing failed.
        case io
    }

    public var code: Code
    /// The library call that failed, such as `pa_context_connect`.
    public var source: String
    /// A message of one line for people.
    public var message: String

    public init(_ code: Code, source: String, message: String) {
        self.code = code
        self.source = source
        self.message = message
    }
}

/// A sound device, or an output that stands for one.
///
/// Only the coordinator opens and uses outputs. An output has one stream at a time, and calls come one at a time. Every
/// call returns within the implementation's `deadline` (at most 5 s), with `timeout` if the device did not answer.
public protocol AudioOutput: Sendable {
    /// The name as the `--output` option spells it: `pulse`, `alsa`, `wav:PATH`, `null`, `null:fast`.
    var name: String { get }

    /// `true` if the output keeps no clock and takes sound as fast as it comes.
    var isRender: Bool { get }

    /// The events in order, for one consumer; the stream ends after `shutDown`.
    var events: AsyncStream<OutputEvent> { get }

    /// Connects to the server or device, ahead of a stream and in parallel with the start of an engine.
    ///
    /// Repeated calls are harmless.
    func connect() async throws(OutputError) -> Route

    /// Opens a stream, which becomes audible as soon as the source delivers, unless it is to be paused.
    ///
    /// It replaces a stream that is already open: the old sound fades out and is not drained.
    func open(_ request: StreamRequest) async throws(OutputError) -> Route

    /// Fades out within milliseconds, stops there, and returns the position.
    ///
    /// At `resume` nothing is lost or heard twice.
    func pause() async throws(OutputError) -> HeardPosition?

    func resume() async throws(OutputError)

    /// Drops sound of earlier generations that was not heard, and crosses over to this one when its first sound
    /// arrives.
    ///
    /// This also works while paused.
    func reposition(to generation: UInt32) async throws(OutputError)

    /// Changes one of the stream's settings for all sound that is heard from now on.
    func set(_ setting: StreamSetting) async throws(OutputError)

    /// Returns the position that is audible now.
    ///
    /// `nil` without a stream, or before the first sound of the current generation.
    func heard() async -> HeardPosition?

    /// Fades out, ends the stream, keeps the connection, and returns the last position heard.
    ///
    /// It is harmless without a stream.
    func close() async -> HeardPosition?

    /// Returns `true` if another program is audible at this server; `nil` if that is not known.
    func othersPlay() async throws(OutputError) -> Bool?

    /// Ends the stream, the connection and the thread.
    func shutDown() async
}

extension AudioOutput {
    public func othersPlay() async throws(OutputError) -> Bool? { nil }
}

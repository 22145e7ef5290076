// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import BookTimeline
public import PlaybackCore

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

/// A live engine: a process of its own, or a thread.
///
/// Every call has its own deadline, after which the engine is ended and the call throws `timeout`.
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
    /// Throws `timeout`, and leaves the engine running, if a track takes more than 10 s.
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

// SPDX-License-Identifier: Apache-2.0

public import EngineABI

/// Turns content into sound, as blocks that carry their position.
///
/// Write a final class that conforms to this protocol and export it with one line:
///
///     @c(rostrum_engine_entry)
///     public func entry(major: UInt32, minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
///         EngineModule.export(ToneEngine.self, hostMajor: major)
///     }
///
/// Every call comes on the engine's own thread, one at a time. Whether the host wants a call to end
/// early is asked with ``Host/isInterrupted``, which may be read from any thread.
public protocol Engine: AnyObject {
    /// As in the manifest: lower case letters, digits and `-`, at most 32.
    static var id: String { get }
    static var version: String { get }

    /// Makes an engine without content. Must be quick.
    init(host: Host) throws(EngineFailure)

    /// Opens the content, goes to its start position and says what it is.
    ///
    /// What was loaded before is dropped first. After an error nothing is loaded.
    func load(_ content: Content) throws(EngineFailure) -> Media

    func unload()

    /// What is known of a track; one that has not been opened yet may be opened for this.
    func track(_ index: Int) throws(EngineFailure) -> Track

    /// Writes what comes next into the block: some frames, or the end. Need not fill it.
    func render(into block: inout Block) throws(EngineFailure)

    /// The next block begins at exactly this unit (audio), or at the word that holds it (text).
    func seek(track: Int, position: Int64) throws(EngineFailure)
}

/// An engine that can change its own rate, as speech can.
public protocol RateChanging: Engine {
    /// What it can do itself; the session does the rest.
    static var rates: ClosedRange<Double> { get }
    func setRate(_ rate: Double) throws(EngineFailure)
}

/// An engine that plays clips: a part of its content, exact to the frame.
public protocol RangeLimiting: Engine {
    /// From the next seek on nothing outside of the range is rendered.
    ///
    /// Not before: the host renders ahead, and goes on doing so between this call and that seek.
    /// It ends exactly there; or goes on at its start, without a gap, if it loops. A load forgets it.
    func setRange(_ range: PlayingRange) throws(EngineFailure)
}

/// An engine that has voices to choose from.
public protocol VoiceListing: Engine {
    func voices() -> [Voice]
}

/// An engine that can count a duration exactly where the container only claims one.
public protocol DurationMeasuring: Engine {
    /// The duration in units. May read the whole track; looks at ``Host/isInterrupted`` meanwhile.
    func measure(track: Int) throws(EngineFailure) -> Int64
}

/// An engine whose findings about a file the host keeps, so that they need not be made again.
public protocol TrackIndexing: DurationMeasuring {
    /// What measuring a track found out, in bytes of the engine's own; `nil`: nothing worth keeping.
    ///
    /// Comes back through ``Host/index(track:)``.
    func index(track: Int) throws(EngineFailure) -> [UInt8]?
}

/// An engine whose content may have pictures in it, as an audiobook has its cover.
public protocol CoverReading: Engine {
    /// The picture in a track that stands for the whole best, the same each time; `nil`: there is none.
    ///
    /// May open the track; looks at ``Host/isInterrupted`` meanwhile.
    func cover(track: Int) throws(EngineFailure) -> CoverPicture?
}

/// Why a call failed: a code of the contract and one line that says what failed, on what.
public struct EngineFailure: Error {
    public var code: rostrum_result
    public var message: String

    public init(_ code: rostrum_result, _ message: String) {
        self.code = code
        self.message = message
    }
}

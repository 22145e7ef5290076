// SPDX-License-Identifier: Apache-2.0

public import EngineABI

/// A producer of sound: it turns content into blocks that carry their position.
///
/// Write a final class that conforms to this protocol and export it with one line:
///
///     @c(rostrum_engine_entry)
///     public func entry(major: UInt32, minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
///         EngineModule.export(ToneEngine.self, hostMajor: major)
///     }
///
/// The host makes every call on the engine's own thread, one at a time. Check ``Host/isInterrupted`` to learn that the
/// host wants the current call to end early; it may be read from any thread.
public protocol Engine: AnyObject {
    /// The engine's ID, as in its manifest: lower case letters, digits and `-`, at most 32.
    static var id: String { get }
    static var version: String { get }

    /// Creates an engine without content; must be quick.
    init(host: Host) throws(EngineFailure)

    /// Opens the content, goes to its start position and describes it.
    ///
    /// An engine with something loaded drops that first. After an error nothing is loaded.
    func load(_ content: Content) throws(EngineFailure) -> Media

    /// Drops what is loaded.
    func unload()

    /// Returns the description of a track, which may be opened for this if it has not been opened yet.
    func track(_ index: Int) throws(EngineFailure) -> Track

    /// Fills the block with the frames that come next, or marks the end; it need not fill all of the block.
    func render(into block: inout Block) throws(EngineFailure)

    /// Moves so that the next block begins at exactly this unit (audio), or at the word that holds it (text).
    func seek(track: Int, position: Int64) throws(EngineFailure)
}

/// An engine that can change its own rate, as speech can.
public protocol RateChanging: Engine {
    /// The range of rates that the engine can do itself; the session does the rest.
    static var rates: ClosedRange<Double> { get }
    /// Sets the rate of the blocks rendered from now on; 2.0 is twice as fast.
    func setRate(_ rate: Double) throws(EngineFailure)
}

/// An engine that plays clips: a range of its content, exact to the frame.
public protocol RangeLimiting: Engine {
    /// Limits rendering to a range from the next seek on.
    ///
    /// The range does not apply before that seek: the host renders ahead, and goes on doing so between this call and
    /// the seek. Rendering ends exactly at the end of the range or, if the range loops, continues at its start without
    /// a gap. A load removes the range.
    func setRange(_ range: PlayingRange) throws(EngineFailure)
}

/// An engine that has voices to choose from.
public protocol VoiceListing: Engine {
    func voices() -> [Voice]
}

/// An engine that can determine an exact duration where the container only claims one.
public protocol DurationMeasuring: Engine {
    /// Returns the duration in units.
    ///
    /// It may read the whole track, and checks ``Host/isInterrupted`` meanwhile.
    func measure(track: Int) throws(EngineFailure) -> Int64
}

/// An engine whose findings about a file the host keeps, so that the file need not be measured again.
public protocol TrackIndexing: DurationMeasuring {
    /// Returns what measuring a track found, in bytes of the engine's own, or `nil` if nothing is worth keeping.
    ///
    /// The bytes come back through ``Host/index(track:)``.
    func index(track: Int) throws(EngineFailure) -> [UInt8]?
}

/// An engine whose content may contain pictures, such as the cover of an audiobook.
public protocol CoverReading: Engine {
    /// Returns the picture in a track that best represents the whole item, or `nil` if there is none.
    ///
    /// It returns the same picture each time. It may open the track, and checks ``Host/isInterrupted`` meanwhile.
    func cover(track: Int) throws(EngineFailure) -> CoverPicture?
}

/// The reason why a call failed: a code of the contract, and one line that says what failed, on what.
public struct EngineFailure: Error {
    public var code: rostrum_result
    public var message: String

    public init(_ code: rostrum_result, _ message: String) {
        self.code = code
        self.message = message
    }
}

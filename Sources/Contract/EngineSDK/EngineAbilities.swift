// SPDX-License-Identifier: Apache-2.0

public import EngineABI

/// An engine that can change its own rate, as speech can.
public protocol RateChanging: Engine {
    /// The range of rates that the engine can produce itself; the session makes up the difference.
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

/// An engine that can determine an exact duration where the container states one that may be wrong.
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

/// An engine that can write a passage of its content into a file of its own.
public protocol PassageCutting: Engine {
    /// Writes a passage, exact to the frame at both ends.
    ///
    /// It may open tracks and takes as long as encoding takes, and checks ``Host/isInterrupted`` meanwhile. It throws
    /// `ROSTRUM_ERROR_ARGUMENT` for a passage that is empty or lies outside of the content, `ROSTRUM_ERROR_UNSUPPORTED`
    /// for a format that it cannot write, and `ROSTRUM_ERROR_IO` if the file cannot be written.
    func cut(_ order: CutOrder) throws(EngineFailure) -> CutOutcome
}

/// An engine that can say how loud each part of a track is.
public protocol PeakReading: Engine {
    /// Fills the buffer with peak number `first` of a track and those that follow it, and returns how many there are.
    ///
    /// Peak n covers what is heard in `framesPerPeak` units from `n * framesPerPeak` on. Fewer than the buffer has
    /// room for mean that the track ends. A call that continues where the last one ended decodes straight on. It checks
    /// ``Host/isInterrupted`` meanwhile.
    ///
    /// - Parameters:
    ///   - framesPerPeak: `ROSTRUM_PEAKS_LEAST_FRAMES` to `ROSTRUM_PEAKS_MOST_FRAMES`.
    ///   - first: 0 or more; the product with `framesPerPeak` is at most 2^53.
    ///   - peaks: Room for at least one peak.
    func peaks(
        track: Int, framesPerPeak: Int, first: Int64, into peaks: UnsafeMutableBufferPointer<rostrum_peak>
    ) throws(EngineFailure) -> Int
}

// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// The lowest and the highest sample and the RMS of one stretch of a track.
///
/// They are in samples of 16 bits, the mean of all channels: full scale is -32768 and 32767.
public struct Peak: Sendable, Hashable {
    public var minimum: Int16
    public var maximum: Int16
    /// The root of the mean of the squares, 0 to 32768.
    public var rms: UInt16

    public init(minimum: Int16, maximum: Int16, rms: UInt16) {
        self.minimum = minimum
        self.maximum = maximum
        self.rms = rms
    }
}

/// A process that reads the peaks of the item that it has loaded, and from which nothing is heard.
public protocol PeakSource: Sendable {
    /// Opens the content; its first peaks are then asked for.
    ///
    /// The deadline is 10 s.
    func load(_ request: LoadRequest) async throws(EngineError) -> MediaDescription

    /// Returns the peaks of a track from number `first` on; fewer than `count` only at its end.
    ///
    /// Peak n covers the units `[n * framesPerPeak, (n + 1) * framesPerPeak)`. Requests that continue each other are
    /// fast, and others seek. Throws `failed` if the engine cannot read peaks.
    ///
    /// - Parameters:
    ///   - framesPerPeak: 64 to 65,536.
    ///   - count: 1 to 4,096.
    func peaks(track: Int, framesPerPeak: Int, first: Int64, count: Int) async throws(EngineError) -> [Peak]

    /// Ends the process, by force if it does not end when asked. Returns when it is gone.
    func shutDown() async
}

/// Starts processes that read peaks.
public protocol PeakSourceProvider: Sendable {
    /// Starts a process of an engine's own, at the lowest priority of processor and disk.
    ///
    /// It is none of those that ``EngineProvider`` starts, and its death counts for nothing.
    func startPeakSource(_ id: EngineID) async throws(EngineError) -> any PeakSource
}

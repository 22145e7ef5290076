// SPDX-License-Identifier: Apache-2.0

/// The time limits for an engine's responses, after which the engine is ended.
public struct EngineDeadlines: Sendable, Hashable {
    /// The limit for `load`, counted from the start of the process if the load includes it.
    public var load = Duration.seconds(10)
    public var seek = Duration.seconds(5)
    public var rate = Duration.seconds(5)
    public var unload = Duration.seconds(5)
    /// The limit for `measure`, which may have to read a whole track.
    public var measure = Duration.seconds(60)
    /// The limit for `measureLater`, which runs only when there is nothing else to do; that may be rare.
    public var measureLater = Duration.seconds(12 * 3600)
    /// The limit for `describeAll`, for each track.
    public var describe = Duration.seconds(10)
    /// The limit for `cover`, which may have to open a file.
    public var cover = Duration.seconds(10)
    /// The limit for `cut`, which may have to encode hours.
    public var cut = Duration.seconds(1800)
    /// The limit for `peaks`, which may have to decode a minute of audio, on a machine that is busy with other things.
    public var peaks = Duration.seconds(120)
    /// The limit for `voices`, which counts from the start of the process if the request includes it.
    public var voices = Duration.seconds(10)
    /// The time for which an engine whose ring is half empty may render nothing before it is pinged.
    public var quiet = Duration.milliseconds(250)
    /// The limit for the response to that ping, which the engine sends between two calls of `render`.
    public var render = Duration.seconds(1)
    /// The same limit for content of which some comes from a server.
    public var renderRemote = Duration.seconds(20)
    /// The time between asking an engine to quit and killing it; a session that shuts down has 2 s in all.
    public var shutDown = Duration.seconds(1)
    /// The time between killing a process and leaving it behind.
    ///
    /// A killed process that waits for a disk or a server does not exit before that responds. The sum of this and
    /// `shutDown` is less than the time that a session has to shut down.
    public var kill = Duration.milliseconds(700)

    public init() {}

    /// The deadlines for an engine in a debugger.
    public static var patient: EngineDeadlines {
        var deadlines = EngineDeadlines()
        let long = Duration.seconds(24 * 3600)
        deadlines.load = long
        deadlines.seek = long
        deadlines.render = long
        deadlines.renderRemote = long
        deadlines.rate = long
        deadlines.unload = long
        deadlines.measure = long
        deadlines.describe = long
        deadlines.cover = long
        deadlines.cut = long
        deadlines.peaks = long
        deadlines.voices = long
        deadlines.shutDown = .seconds(10)
        return deadlines
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to the range that fits.
    var nanoseconds: UInt64 {
        let parts = components
        guard parts.seconds >= 0, parts.seconds < 1_000_000_000 else { return parts.seconds < 0 ? 0 : 1 << 60 }
        return UInt64(parts.seconds) * 1_000_000_000 + UInt64(max(0, parts.attoseconds) / 1_000_000_000)
    }
}

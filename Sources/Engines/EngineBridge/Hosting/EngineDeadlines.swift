// SPDX-License-Identifier: Apache-2.0

/// How long an engine may take for an answer before it is ended.
public struct EngineDeadlines: Sendable, Hashable {
    /// From the start of the process, if that is part of it.
    public var load = Duration.seconds(10)
    public var seek = Duration.seconds(5)
    public var rate = Duration.seconds(5)
    public var unload = Duration.seconds(5)
    /// A whole track may have to be read.
    public var measure = Duration.seconds(60)
    /// Only when there is nothing else to do, which may be rare.
    public var measureLater = Duration.seconds(12 * 3600)
    /// For each track.
    public var describe = Duration.seconds(10)
    /// A file may have to be opened for it.
    public var cover = Duration.seconds(10)
    /// For which an engine whose ring is half empty may give nothing before it is asked whether it is still there.
    public var quiet = Duration.milliseconds(250)
    /// From then until it answers, which it does between two calls of `render`.
    public var render = Duration.seconds(1)
    /// The same for content of which some comes from a server.
    public var renderRemote = Duration.seconds(20)
    /// Between being asked to go and being killed; a session that is ended has 2 s in all.
    public var shutDown = Duration.seconds(1)
    /// Between being killed and being left behind: a process that waits for a disk or a server does not end before that answers.
    ///
    /// With `shutDown` less than what a session that is ended has.
    public var kill = Duration.milliseconds(700)

    public init() {}

    /// For an engine in a debugger.
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
        deadlines.shutDown = .seconds(10)
        return deadlines
    }
}

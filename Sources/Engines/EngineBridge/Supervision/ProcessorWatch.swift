// SPDX-License-Identifier: Apache-2.0

/// A check that an engine does not take more of the processor than it should.
///
/// It limits a rate and not a total, because the total of a long book must not end its engine. An engine that was asked
/// for something may take nearly all cores for a while, as a neural voice does. An engine that was asked for nothing
/// has no reason to. The check runs every `window` while the engine does something, and not at all once it is idle. All
/// times are in nanoseconds.
struct ProcessorWatch {
    private var last: (time: UInt64, used: UInt64)?
    private var wasAsked = false

    static let window: UInt64 = 10_000_000_000
    /// The share of one core that an engine may take when it was asked for nothing.
    static let idleLimit = 0.5
    /// The share of all cores that a busy engine may take if there are several; an engine that counts a whole file may
    /// use up one core.
    static let busyLimit = 0.95
    /// The rate below which an engine is idle.
    private static let rest = 0.02

    var deadline: UInt64? { last.map { $0.time &+ Self.window } }

    /// Notes that something was asked of the engine.
    mutating func noteRequest(at now: UInt64, used: UInt64) {
        wasAsked = true
        if last == nil { last = (now, used) }
    }

    /// Returns the number of cores that the engine took over the last window if that is too many.
    ///
    /// Returns `nil` if it is not, or if the window is not over.
    mutating func excess(at now: UInt64, used: UInt64, cores: Int) -> Double? {
        guard let last, now >= last.time &+ Self.window else { return nil }
        let rate = Double(used &- last.used) / Double(now &- last.time)
        let limit = wasAsked ? max(1.5, Self.busyLimit * Double(cores)) : Self.idleLimit
        self.last = wasAsked || rate > Self.rest ? (now, used) : nil
        wasAsked = false
        return rate > limit ? rate : nil
    }
}

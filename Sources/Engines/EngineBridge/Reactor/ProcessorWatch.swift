// SPDX-License-Identifier: Apache-2.0

/// Whether an engine takes more of the processor than it should, as a rate: a long book must not die of its total.
///
/// An engine that was asked for something may take nearly all cores for a while: a neural voice does. One that was asked for
/// nothing has no reason to. Looks every `window` while the engine does something, and not at all once it rests. All times
/// are nanoseconds.
struct ProcessorWatch {
    private var last: (time: UInt64, used: UInt64)?
    private var wasAsked = false

    static let window: UInt64 = 10_000_000_000
    /// Of one core, by an engine that was asked for nothing.
    static let idleLimit = 0.5
    /// Of all cores, if there are several: one may be used up by who has to count a whole file.
    static let busyLimit = 0.95
    /// Below it rests.
    private static let rest = 0.02

    var deadline: UInt64? { last.map { $0.time &+ Self.window } }

    /// Something was asked of it.
    mutating func noteRequest(at now: UInt64, used: UInt64) {
        wasAsked = true
        if last == nil { last = (now, used) }
    }

    /// Cores that it took over the last window, if that is too many; nil if not, or if the window is not over.
    mutating func excess(at now: UInt64, used: UInt64, cores: Int) -> Double? {
        guard let last, now >= last.time &+ Self.window else { return nil }
        let rate = Double(used &- last.used) / Double(now &- last.time)
        let limit = wasAsked ? max(1.5, Self.busyLimit * Double(cores)) : Self.idleLimit
        self.last = wasAsked || rate > Self.rest ? (now, used) : nil
        wasAsked = false
        return rate > limit ? rate : nil
    }
}

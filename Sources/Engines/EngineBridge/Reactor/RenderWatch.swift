// SPDX-License-Identifier: Apache-2.0

/// Whether an engine renders when it should.
///
/// While the ring is more than half full nothing is asked. When it falls below that, something has to come; if nothing does,
/// the engine is asked whether it is still there, for it may have nothing more to give. So nothing ticks while
/// nothing is heard, and an engine that hangs is found out while there is still sound to go on with.
struct RenderWatch {
    private enum State {
        case content
        /// Nothing has come since `written`.
        case quiet(deadline: UInt64, written: UInt64)
        /// And the engine was asked.
        case asked(written: UInt64)
    }

    private var state = State.content
    /// What had been written when the engine was told last where to go on.
    private(set) var begun: UInt64 = 0

    /// It is told where to go on.
    mutating func begin(written: UInt64) {
        begun = written
        state = .content
    }

    /// When to look again.
    var deadline: UInt64? {
        if case .quiet(let deadline, _) = state { deadline } else { nil }
    }

    /// Looks at the ring; true if the engine is to be asked now.
    ///
    /// - Parameter patience: nanoseconds for which an engine that should render may give nothing.
    mutating func mustAsk(isLow: Bool, written: UInt64, now: UInt64, patience: UInt64) -> Bool {
        guard isLow else {
            state = .content
            return false
        }
        switch state {
        case .quiet(let deadline, written) where deadline <= now:
            state = .asked(written: written)
            return true
        case .quiet(_, written), .asked(written): return false
        case .content, .quiet, .asked:
            state = .quiet(deadline: now &+ patience, written: written)
            return false
        }
    }
}

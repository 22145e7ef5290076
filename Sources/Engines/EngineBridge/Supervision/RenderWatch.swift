// SPDX-License-Identifier: Apache-2.0

/// A check that an engine renders when it should.
///
/// While the ring is more than half full, nothing is checked. When its level falls below that, the engine has to
/// render. If nothing arrives, the engine is pinged, because it may have nothing more to give. So there is no periodic
/// timer while nothing is heard, and a hanging engine is detected while there is still sound to play.
struct RenderWatch {
    private enum State {
        case content
        /// Nothing has arrived since `written`.
        case quiet(deadline: UInt64, written: UInt64)
        /// Nothing has arrived since `written`, and the engine has been pinged.
        case asked(written: UInt64)
    }

    private var state = State.content
    /// The number of bytes that had been written at the last load or seek.
    private(set) var begun: UInt64 = 0

    /// Notes a load or a seek.
    mutating func begin(written: UInt64) {
        begun = written
        state = .content
    }

    /// The time of the next check.
    var deadline: UInt64? {
        if case .quiet(let deadline, _) = state { deadline } else { nil }
    }

    /// Checks the ring, and returns `true` if the engine is to be pinged now.
    ///
    /// - Parameter patience: The time in nanoseconds for which an engine that should render may give nothing.
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

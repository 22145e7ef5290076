// SPDX-License-Identifier: Apache-2.0

/// The signals and the blocks with little or no sound that an engine may send.
///
/// Without it, an engine could keep an output busy with them.
struct RingAllowance {
    private static let mostIdleRings = 1_000
    private static let mostCredit = Int(Limits.tracks)
    private static let ringCost = 16
    private static let framesForOne = 4

    /// The credit that signals and blocks without frames use up, and that frames restore.
    private var credit = RingAllowance.mostCredit
    /// The number of consecutive signals without new data, and the head at the last signal.
    private var idleRings = 0
    private var rungAt: UInt64 = 0

    /// Restores the credit, since the engine begins anew.
    mutating func renew() { credit = Self.mostCredit }

    /// Counts a block, and returns `false` if it is one too many.
    mutating func allowsBlock(frames: Int) -> Bool {
        credit = frames == 0 ? credit - 1 : min(credit + frames / Self.framesForOne, Self.mostCredit)
        return credit >= 0
    }

    /// Counts a signal, and returns `false` if it is one too many.
    ///
    /// The engine signals with sound, or a little after the sound was found.
    mutating func allowsRing(head: UInt64) -> Bool {
        idleRings = head == rungAt ? idleRings + 1 : 0
        rungAt = head
        credit -= Self.ringCost
        return idleRings <= Self.mostIdleRings && credit >= 0
    }
}

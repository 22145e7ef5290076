// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What an output says of the place that is audible.
public enum HeardAnswer: Sendable, Hashable {
    case place(HeardPosition?)
    /// It did not answer at once: what it said before is all there is.
    case none
}

/// Whether an output owes an answer that was given up.
final class HeardAsks: Sendable {
    private let open = Atomic<Int>(0)
    private let isGivenUp = Atomic<Bool>(false)

    var isWaitedFor: Bool { isGivenUp.load(ordering: .relaxed) && open.load(ordering: .relaxed) > 0 }

    func begin() { open.wrappingAdd(1, ordering: .relaxed) }

    func end() { open.wrappingSubtract(1, ordering: .relaxed) }

    func giveUp() { isGivenUp.store(true, ordering: .relaxed) }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The answer of an output about the audible position.
public enum HeardAnswer: Sendable, Hashable {
    case place(HeardPosition?)
    /// The output did not answer at once, so only its earlier answer is known.
    case none
}

/// The questions that an output has not answered and whether one of them was given up.
final class HeardAsks: Sendable {
    private let open = Atomic<Int>(0)
    private let isGivenUp = Atomic<Bool>(false)

    var isWaitedFor: Bool { isGivenUp.load(ordering: .relaxed) && open.load(ordering: .relaxed) > 0 }

    func begin() { open.wrappingAdd(1, ordering: .relaxed) }

    func end() { open.wrappingSubtract(1, ordering: .relaxed) }

    func giveUp() { isGivenUp.store(true, ordering: .relaxed) }
}

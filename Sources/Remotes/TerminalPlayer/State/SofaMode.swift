// SPDX-License-Identifier: Apache-2.0

/// The big mode, which is read from a sofa and steered with arrows and Enter.
struct SofaMode: Sendable, Hashable {
    enum Button: Int, Sendable, CaseIterable {
        case back, pause, forward, previousChapter, nextChapter, books, sleep, leave
    }

    enum Shelf: Sendable, Hashable {
        case controls
        /// The books, one at a time.
        case books
        case sleep(Int)
    }

    /// The minutes that the sleep timer offers; 0 turns it off.
    static let sleepMinutes = [15, 30, 45, 60, 0]

    var button = Button.pause
    var shelf = Shelf.controls
}

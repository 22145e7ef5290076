// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The book that is offered at the end of another.
struct NextBook: Sendable, Hashable {
    /// The time after which it starts by itself, if the setting `playNext` says so: 15 s.
    static let delay: Int64 = 15_000

    var book: LibraryBook
    /// The monotonic time in ms at which it starts; `nil` if the listener has to start it.
    var startsAt: Int64?
    /// `true` while Enter plays it, and not the chapter that the listener has moved to.
    var isSelected = true

    /// The offer in words; `key` plays the book now.
    func text(_ now: Int64, key: String) -> String {
        guard let seconds = countdown(now) else { return "Next: \(book.title). \(key) plays it, Escape does not." }
        return "Next: \(book.title) starts in \(seconds) s. \(key) plays it now, Escape stops that."
    }

    /// The seconds until it starts.
    func countdown(_ now: Int64) -> Int64? { startsAt.map { max(0, ($0 - now + 999) / 1000) } }
}

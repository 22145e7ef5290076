// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The books of the library as the listener wants to see them.
struct BookList: Sendable, Hashable {
    enum Order: String, Sendable, CaseIterable {
        case recent, title, author, progress
    }

    enum Filter: String, Sendable, CaseIterable {
        case all, begun, new, finished
    }

    private static let most = 200_000

    private(set) var all: [LibraryBook] = []
    /// Title and author of each of ``all``, without case and accents.
    private var texts: [[UInt8]] = []
    /// The books that match, in order.
    private(set) var shown: [LibraryBook] = []
    private(set) var order = Order.recent
    private(set) var filter = Filter.all
    private(set) var search = ""
    var isSearching = false
    var selection = Selection()
    /// The book that was pressed with the mouse last; a second press plays it.
    var pressed: String?
    /// `false` until the session has sent the last page.
    var isComplete = false
    /// Pages of a list that is being read; `nil` if none is.
    private var coming: [LibraryBook]?

    var selected: LibraryBook? { shown.indices.contains(selection.index) ? shown[selection.index] : nil }

    /// Takes a page of the list; the one after it begins after the returned book.
    mutating func take(_ page: [LibraryBook]) -> String? {
        guard let before = coming else { return nil }
        let books = before + page
        coming = books
        // An empty page is the end, and a session that repeats itself is not followed for ever.
        if let last = page.last, books.count < Self.most { return last.id }
        all = books
        texts = books.map { Array(($0.title + " " + ($0.author ?? "")).folded.utf8) }
        coming = nil
        isComplete = true
        arrange()
        return nil
    }

    /// Begins to read the list; `false` if it is being read already.
    mutating func begin() -> Bool {
        guard coming == nil else { return false }
        coming = []
        return true
    }

    /// Gives up the list that is being read: its session is gone, or has refused.
    mutating func giveUp() { coming = nil }

    mutating func nextOrder() {
        order = Self.after(order)
        arrange()
        selection.index = 0
    }

    mutating func nextFilter() {
        filter = Self.after(filter)
        arrange()
        selection.index = 0
    }

    mutating func search(for text: String) {
        search = text
        arrange()
        selection.index = 0
    }

    private static func after<Choice: CaseIterable & Equatable>(_ choice: Choice) -> Choice
    where Choice.AllCases == [Choice] {
        let all = Choice.allCases
        return all[((all.firstIndex(of: choice) ?? 0) + 1) % all.count]
    }

    private mutating func arrange() {
        let selected = selected?.id
        let words = search.folded.split(separator: " ").map { Array($0.utf8) }
        shown = all.indices.filter { index in
            filter.includes(all[index]) && words.allSatisfy { texts[index].contains($0) }
        }.map { all[$0] }
        switch order {
        // The session sends them by title, and the sort keeps that order among equals.
        case .title: break
        case .recent: shown = Self.stable(shown) { -($0.playedAt ?? .min + 1) }
        case .author: shown = Self.stable(shown) { ($0.author ?? "\u{10FFFF}").folded }
        case .progress: shown = Self.stable(shown) { -($0.progress ?? -1) }
        }
        if let selected, let index = shown.firstIndex(where: { $0.id == selected }) { selection.index = index }
        selection.move(by: 0, of: shown.count)
    }

    private static func stable<Key: Comparable>(_ books: [LibraryBook], _ key: (LibraryBook) -> Key) -> [LibraryBook] {
        let keys = books.map(key)
        let order = books.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
        return order.map { books[$0] }
    }
}

extension BookList.Filter {
    fileprivate func includes(_ book: LibraryBook) -> Bool {
        switch self {
        case .all: true
        case .begun: book.progress.map { $0 > 0 && !book.isFinished } ?? false
        case .new: book.positionMs == nil
        case .finished: book.isFinished
        }
    }
}

extension LibraryBook {
    /// The part that was heard, 0 to 1; `nil` if none was, or the length is not known.
    var progress: Double? {
        guard let positionMs, let durationMs, durationMs > 0 else { return nil }
        return min(1, max(0, Double(positionMs) / Double(durationMs)))
    }

    /// `true` if the place is in the last half minute, or in the last hundredth of a short book.
    var isFinished: Bool {
        guard let positionMs, let durationMs, durationMs > 0 else { return false }
        return positionMs >= durationMs - min(30_000, durationMs / 100)
    }
}

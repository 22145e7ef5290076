// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The documents of the reading list, as the listener wants to see them.
struct DocumentList: Sendable, Hashable {
    enum Filter: String, Sendable, CaseIterable {
        case listed, archived, all
    }

    private static let most = 10_000

    private var all: [ReadingDocumentInfo] = []
    /// The documents of the filter, the newest first.
    private(set) var shown: [ReadingDocumentInfo] = []
    private(set) var filter = Filter.listed
    var selection = Selection()
    /// `false` until the session has sent the list.
    private(set) var isComplete = false
    /// `true` while the session is asked for the list; it may have to read documents for their titles.
    private var isComing = false

    var selected: ReadingDocumentInfo? { shown.indices.contains(selection.index) ? shown[selection.index] : nil }

    /// `true` if there is no document, whatever the filter.
    var isEmpty: Bool { all.isEmpty }

    /// Begins to ask for the list; `false` if it is being asked for already.
    mutating func begin() -> Bool {
        guard !isComing else { return false }
        isComing = true
        return true
    }

    /// Gives up the list that was asked for: its session is gone, or has refused.
    mutating func giveUp() { isComing = false }

    mutating func take(_ documents: [ReadingDocumentInfo]) {
        all = Array(documents.prefix(Self.most))
        (isComing, isComplete) = (false, true)
        arrange()
    }

    mutating func nextFilter() {
        filter = Filter.allCases[((Filter.allCases.firstIndex(of: filter) ?? 0) + 1) % Filter.allCases.count]
        arrange()
    }

    private mutating func arrange() {
        let id = selected?.id
        shown = all.filter { filter == .all || $0.isArchived == (filter == .archived) }
        if let id, let index = shown.firstIndex(where: { $0.id == id }) { selection.index = index }
        selection.move(by: 0, of: shown.count)
    }
}

extension ReadingDocumentInfo {
    /// The title, or else the address.
    var name: String { title ?? url }

    /// The share that was read, as text; `new` if none was.
    var progressText: String {
        if fault != nil { return "damaged" }
        guard let percent, percent.isFinite else { return "new" }
        return percent >= 100 ? "finished" : "\(Int(max(0, percent))) %"
    }
}

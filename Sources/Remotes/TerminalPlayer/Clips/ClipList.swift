// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The clips of the library, by book and place.
struct ClipList: Sendable, Hashable {
    private static let most = 100_000

    private(set) var all: [ClipInfo] = []
    var selection = Selection()
    private(set) var isComplete = false
    /// The pages of a list that is being read; `nil` if none is.
    private var coming: [ClipInfo]?
    /// The clip that is to be selected when the list is there.
    private var wanted: String?

    var selected: ClipInfo? { all.indices.contains(selection.index) ? all[selection.index] : nil }

    /// Begins to read the list; `false` if it is being read already.
    mutating func begin() -> Bool {
        guard coming == nil else { return false }
        coming = []
        return true
    }

    /// Gives up the list that is being read.
    mutating func giveUp() { coming = nil }

    /// Selects a clip, as soon as it is there.
    mutating func select(_ id: String) {
        wanted = id
        if let index = all.firstIndex(where: { $0.id == id }) { selection.index = index }
    }

    /// Takes a page from a number on, and returns the number of the next one.
    mutating func take(_ page: [ClipInfo], from first: Int) -> Int? {
        guard let before = coming, first == before.count else { return nil }
        let clips = before + page
        coming = clips
        if page.count == ClipAction.mostClips, clips.count < Self.most { return clips.count }
        let id = wanted ?? selected?.id
        all = clips
        coming = nil
        isComplete = true
        if let id, let index = all.firstIndex(where: { $0.id == id }) { selection.index = index }
        wanted = nil
        selection.move(by: 0, of: all.count)
        return nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// What opens the items of this session again, and what was asked for with each, by URI.
///
/// An item may lose the stage and come back; what a pipe delivered cannot be found a second time. What nobody can
/// come back to is forgotten.
struct SessionItems {
    private struct Entry {
        var content: Content?
        var wishes = PlayWishes()
        var habits: [OwnerID: ListeningHabit] = [:]
        /// Wall clock, milliseconds.
        var silentSince: Int64?
    }

    /// Beyond those that somebody can come back to.
    private static let spare = 16
    private var entries: [String: Entry] = [:]
    /// The one that was touched last is last.
    private var order: [String] = []

    var count: Int { entries.count }

    subscript(content uri: String) -> Content? { entries[uri]?.content }

    /// Changing them makes the item the newest.
    subscript(wishes uri: String) -> PlayWishes {
        get { entries[uri]?.wishes ?? PlayWishes() }
        set {
            entries[uri, default: Entry()].wishes = newValue
            touch(uri)
        }
    }

    /// How an owner listens to it; nil: not known in this session.
    subscript(habit uri: String, owner: OwnerID) -> ListeningHabit? {
        get { entries[uri]?.habits[owner] }
        set {
            if entries[uri] == nil { touch(uri) }
            entries[uri, default: Entry()].habits[owner] = newValue
        }
    }

    /// When the listener heard it last; nil: he hears it, or it is not known.
    subscript(silentSince uri: String) -> Int64? {
        get { entries[uri]?.silentSince }
        set { entries[uri, default: Entry()].silentSince = newValue }
    }

    mutating func keep(_ content: Content) {
        entries[content.uri, default: Entry()].content = content
        touch(content.uri)
    }

    /// Forgets the oldest of those that are not in `needed`.
    mutating func prune(needed: () -> Set<String>) {
        guard entries.count > Self.spare else { return }
        let kept = needed()
        var surplus = entries.keys.count { !kept.contains($0) } - Self.spare
        order.removeAll { uri in
            guard surplus > 0, !kept.contains(uri) else { return false }
            surplus -= 1
            entries[uri] = nil
            return true
        }
    }

    private mutating func touch(_ uri: String) {
        guard order.last != uri else { return }
        order.removeAll { $0 == uri }
        order.append(uri)
    }
}

extension PlaybackState {
    /// The items that somebody can come back to.
    var reachable: Set<String> {
        var playings = [current, displaced].compactMap { $0 }
        playings += held.compactMap(\.playing) + remembered.values.flatMap(\.values) + leaving.values.map(\.playing)
        return Set(playings.map(\.item.uri))
    }
}

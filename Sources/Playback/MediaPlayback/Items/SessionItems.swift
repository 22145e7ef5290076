// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The contents that reopen the items of this session, and the options and preferences for each, by URI.
///
/// An item may lose audio focus and get it back, and what a pipe delivered cannot be found a second time. An item that
/// nobody can come back to is forgotten.
struct SessionItems {
    private struct Entry {
        var content: Content?
        var options = OpeningOptions()
        var preferences: [OwnerID: ItemPreferences] = [:]
        /// The time since when the item is silent: wall clock, in milliseconds.
        var silentSince: Int64?
        /// Lines that the listener may want to know about the item, until they were told.
        var remarks: [String] = []
        /// The line about the item that the status has.
        var notice: String?
    }

    /// The number of items kept beyond those that somebody can come back to.
    private static let spare = 16
    private static let mostRemarks = 8
    /// The number of documents kept open among those items.
    ///
    /// Each has two descriptors.
    static let spareDocuments = 2
    /// The gaps of the recording that plays, for which its text is read.
    var gaps = RecordingGaps()
    private var entries: [String: Entry] = [:]
    /// The URIs in the order of use; the most recently used one is last.
    private var order: [String] = []
    /// The contents that commands replaced whose items are not open yet.
    private var replaced: [UInt64: (new: Content, old: Content)] = [:]

    var count: Int { entries.count }

    subscript(content uri: String) -> Content? { entries[uri]?.content }

    /// The options for opening an item; changing them makes the item the newest.
    subscript(opening uri: String) -> OpeningOptions {
        get { entries[uri]?.options ?? OpeningOptions() }
        set {
            entries[uri, default: Entry()].options = newValue
            touch(uri)
        }
    }

    /// The preferences of an owner for an item; `nil` if they are not known in this session.
    subscript(preferences uri: String, owner: OwnerID) -> ItemPreferences? {
        get { entries[uri]?.preferences[owner] }
        set {
            if entries[uri] == nil { touch(uri) }
            entries[uri, default: Entry()].preferences[owner] = newValue
        }
    }

    /// The time when the item was last heard; `nil` if it is audible now, or if that is not known.
    subscript(silentSince uri: String) -> Int64? {
        get { entries[uri]?.silentSince }
        set {
            // An item outside of the order of use could never be forgotten.
            if entries[uri] == nil { touch(uri) }
            entries[uri, default: Entry()].silentSince = newValue
        }
    }

    /// The line about an item that the status has; setting one has it told, too.
    subscript(notice uri: String) -> String? {
        get { entries[uri]?.notice }
        set {
            guard newValue != entries[uri]?.notice else { return }
            if entries[uri] == nil { touch(uri) }
            entries[uri, default: Entry()].notice = newValue
            if let newValue { add(remarks: [newValue], to: uri) }
        }
    }

    mutating func add(remarks: [String], to uri: String) {
        guard !remarks.isEmpty else { return }
        if entries[uri] == nil { touch(uri) }
        let all = (entries[uri]?.remarks ?? []) + remarks
        entries[uri, default: Entry()].remarks = Array(all.prefix(Self.mostRemarks))
    }

    /// Takes out what is to be told about an item.
    mutating func takeRemarks(of uri: String) -> [String] {
        defer { entries[uri]?.remarks = [] }
        return entries[uri]?.remarks ?? []
    }

    mutating func keep(_ content: Content) {
        entries[content.uri, default: Entry()].content = content
        touch(content.uri)
    }

    /// Keeps the content that a command found, and what it replaces until the command is settled.
    mutating func keep(_ content: Content, replacing old: Content?, by command: UInt64) {
        if let old { replaced[command] = (content, old) }
        keep(content)
    }

    /// Ends the wait of a command for its item.
    ///
    /// - Parameter isLost: Returns `true` for content that was never open; what it replaced is kept again.
    mutating func settle(_ command: UInt64, isLost: (Content) -> Bool = { _ in false }) {
        guard let (new, old) = replaced.removeValue(forKey: command), isLost(new) else { return }
        keep(old)
    }

    /// Forgets the oldest of the items that are not in `needed`, and closes the documents of more of them.
    mutating func prune(needed: () -> Set<String>) {
        let documents = entries.values.count { $0.content?.document != nil }
        guard entries.count > Self.spare || documents > Self.spareDocuments else { return }
        let kept = needed()
        let open = order.filter { !kept.contains($0) && entries[$0]?.content?.document != nil }
        for uri in open.dropLast(Self.spareDocuments) { entries[uri]?.content = nil }
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
    /// The URIs of the items that somebody can come back to.
    var reachable: Set<String> {
        var playings = ([current, loaded.displaced] + playbacksWithoutFocus.flatMap { [$0.playing, $0.displaced] })
            .compactMap { $0 }
        playings += remembered.values.flatMap(\.values) + leaving.values.map(\.playing)
        return Set(playings.map(\.item.uri))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The operations on the podcasts to which the listener subscribes.
public struct PodcastAction: Sendable, Hashable, Codable {
    public enum Verb: String, Sendable, Hashable, Codable {
        case list, episodes, show, add, remove, refresh, `import`, export, played, unplayed, keep
    }

    /// The episodes that are listed.
    public enum Filter: String, Sendable, Hashable, Codable, CaseIterable {
        case all, new, unplayed
    }

    /// The largest number of episodes in one list, because the size of a message is limited.
    public static let mostEpisodes = 200
    /// The largest number of podcasts or episodes that one request names.
    public static let mostIDs = 200
    /// The largest number of the newest episodes that are kept.
    public static let mostKept = 1000
    private static let longestID = 4096

    static let method = "podcasts"

    public var action: Verb
    /// The podcasts, or the episodes as `PODCAST/EPISODE`, by their IDs or unique beginnings of them; the address, for `add`.
    public var ids: [String] = []
    /// The episodes that are listed, for `episodes`.
    public var filter: Filter?
    public var offset: Int?
    public var limit: Int?
    /// `true` if this machine and its networks may be asked, for `add`.
    public var allowPrivate: Bool?
    /// The absolute path of an OPML file, for `import`.
    public var path: String?
    /// The number of the newest episodes that should be here, 0 for none, for `keep`.
    public var newest: Int?
    /// `true` if an episode goes when it was heard to its end, for `keep`.
    public var deletePlayed: Bool?

    public init(_ action: Verb, ids: [String] = []) {
        self.action = action
        self.ids = ids
    }

    /// Decodes an action, any parameter of which may be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        action = try members.decodeIfPresent(Verb.self, forKey: .action) ?? .list
        ids = try members.decodeIfPresent([String].self, forKey: .ids) ?? []
        filter = try members.decodeIfPresent(Filter.self, forKey: .filter)
        offset = try members.decodeIfPresent(Int.self, forKey: .offset)
        limit = try members.decodeIfPresent(Int.self, forKey: .limit)
        allowPrivate = try members.decodeIfPresent(Bool.self, forKey: .allowPrivate)
        path = try members.decodeIfPresent(String.self, forKey: .path)
        newest = try members.decodeIfPresent(Int.self, forKey: .newest)
        deletePlayed = try members.decodeIfPresent(Bool.self, forKey: .deletePlayed)
    }

    func validate() throws(SessionError) {
        guard ids.count <= Self.mostIDs else { throw usage("more than \(Self.mostIDs) at once; name fewer") }
        for id in ids where id.isEmpty || id.utf8.count > Self.longestID || id.utf8.contains(0) {
            throw usage("bad id; see `rostrum podcast list`")
        }
        switch action {
        case .list, .refresh, .export: break
        case .episodes: if ids.count > 1 { throw usage("give one podcast, or none for all") }
        case .show: if ids.count != 1 { throw usage("give the id of one podcast or episode; see `rostrum podcast list`") }
        case .add: if ids.count != 1 { throw usage("give the address of one feed") }
        case .remove: if ids.isEmpty { throw usage("give the id of a podcast; see `rostrum podcast list`") }
        case .played, .unplayed:
            if ids.isEmpty { throw usage("give PODCAST/EPISODE, or a podcast for all its episodes") }
        case .keep:
            if ids.count != 1 { throw usage("give the id of one podcast; see `rostrum podcast list`") }
            if let newest, !(0...Self.mostKept).contains(newest) {
                throw usage("bad number of episodes: \(newest); give 0 to \(Self.mostKept)")
            }
        case .import:
            guard let path, path.hasPrefix("/"), !path.utf8.contains(0) else {
                throw usage("give the absolute path of an OPML file")
            }
        }
        guard offset ?? 0 >= 0 else { throw usage("bad offset: \(offset ?? 0); give 0 or more") }
        guard (1...Self.mostEpisodes).contains(limit ?? 1) else {
            throw usage("bad limit: \(limit ?? 0); give 1 to \(Self.mostEpisodes)")
        }
    }

    private func usage(_ reason: String) -> SessionError {
        SessionError(.usage, "podcast \(action.rawValue): \(reason)")
    }
}

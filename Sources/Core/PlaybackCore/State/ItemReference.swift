// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// One item, as far as the machine needs to know it.
public struct ItemReference: Sendable, Codable, Hashable {
    public var uri: String
    public var kind: ContentKind
    public var title: String
    /// The paths and URLs that open the item again; empty if nothing does (a pipe).
    ///
    /// They are not in the log, because a URL may hold a secret and no decision depends on them.
    public var items: [String] = []
    /// `true` if some of its bytes come from a server.
    public var isRemote: Bool

    private enum CodingKeys: String, CodingKey {
        case uri, kind, title, isRemote
    }

    public init(uri: String, kind: ContentKind, title: String, items: [String], isRemote: Bool? = nil) {
        self.uri = uri
        self.kind = kind
        self.title = title
        self.items = items
        self.isRemote = isRemote ?? ([uri] + items).contains { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
    }
}

/// An item with an engine and a position in it.
public struct Playing: Sendable, Codable, Hashable {
    public var item: ItemReference
    public var engine: EngineID
    public var position: MediaPosition
    public var provenance: Provenance
    /// The engine that was chosen for the item, and failed; `engine` plays in its place.
    public var insteadOf: FailedEngine?

    public init(
        item: ItemReference, engine: EngineID, position: MediaPosition, provenance: Provenance,
        insteadOf: FailedEngine? = nil
    ) {
        self.item = item
        self.engine = engine
        self.position = position
        self.provenance = provenance
        self.insteadOf = insteadOf
    }

    /// The engine that was chosen for the item, whether or not it works now.
    public var chosenEngine: EngineID { insteadOf?.engine ?? engine }

    /// The message to the user that another engine plays than the one that was chosen; `nil` if none does.
    public var substitution: String? {
        insteadOf.map { "\(engine) goes on in place of \($0.engine): \($0.reason)" }
    }
}

/// An engine that failed for good, so that another one plays its item.
public struct FailedEngine: Sendable, Codable, Hashable {
    public var engine: EngineID
    /// The reason, in one line for the user.
    public var reason: String

    public init(engine: EngineID, reason: String) {
        self.engine = engine
        self.reason = reason
    }
}

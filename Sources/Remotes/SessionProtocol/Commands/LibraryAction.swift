// SPDX-License-Identifier: Apache-2.0

/// The operations of `library`.
public struct LibraryAction: Sendable, Hashable {
    public enum Verb: String, Sendable, Hashable, Codable {
        case list, show, next, add, remove, rescan, pair, unpair, work, stopAlignment, watch, unwatch, watched
    }

    /// The largest number of lines in one list, because the size of a message is limited.
    public static let mostLines = 500

    /// The largest number of folders that are watched, because the kernel keeps a queue for each.
    public static let mostFolders = 64

    /// The greatest length of a URI in bytes: a path of the system's limit with every byte encoded fits.
    private static let longestURI = 16_384

    public var verb: Verb
    /// The ID of the book, for `show` and `remove`; its ID or URI, for `next`, `pair`, `unpair`, `work` and `stopAlignment`.
    public var id: String
    /// The absolute paths, for `add`, `watch` and `unwatch`; the path or address of the text, for `pair`.
    public var items: [String]
    /// `true` if the items are the files of one book, in this order, for `add`.
    public var asOne: Bool
    /// `true` if the text may be taken from another book, for `pair`.
    public var force: Bool
    /// The ID of the last book that the client already has, for `list`.
    public var after: String?
    public var offset: Int
    public var limit: Int

    public init(
        _ verb: Verb, id: String = "", items: [String] = [], asOne: Bool = false, force: Bool = false,
        after: String? = nil, offset: Int = 0, limit: Int = mostLines
    ) {
        self.verb = verb
        self.id = id
        self.items = items
        self.asOne = asOne
        self.force = force
        self.after = after
        self.offset = offset
        self.limit = limit
    }

    private static func isPlace(_ item: String) -> Bool {
        ["/", "file:///", "http://", "https://"].contains { item.hasPrefix($0) }
    }

    func validate() throws(SessionError) {
        switch verb {
        case .list:
            guard (1...Self.mostLines).contains(limit), offset >= 0 else {
                throw SessionError(.usage, "library list: give a limit of 1 to \(Self.mostLines) and an offset from 0")
            }
        case .show, .remove:
            guard !id.isEmpty, id.utf8.count <= 128 else {
                throw SessionError(.usage, "library \(verb.rawValue): bad id; see `rostrum library`")
            }
        case .next, .pair, .unpair, .work, .stopAlignment:
            guard !id.isEmpty, id.utf8.count <= Self.longestURI else {
                throw SessionError(.usage, "library \(verb.rawValue): bad id; give the ID or the URI of a book")
            }
            guard verb == .pair else { break }
            guard items.count == 1, let text = items.first, text.utf8.count <= Self.longestURI,
                Self.isPlace(text) || text.hasPrefix(ReadingName.prefix)
            else {
                throw SessionError(
                    .usage, "library pair: give one text, by its absolute path, its address, or `reading:` and its name"
                )
            }
        case .add:
            guard !items.isEmpty, items.allSatisfy({ $0.hasPrefix("/") }) else {
                throw SessionError(.usage, "library add: give absolute paths of folders or files")
            }
        case .watch, .unwatch:
            guard !items.isEmpty, items.count <= Self.mostFolders, items.allSatisfy({ $0.hasPrefix("/") }) else {
                throw SessionError(.usage, "library \(verb.rawValue): give absolute paths of folders")
            }
        case .rescan, .watched: break
        }
    }
}

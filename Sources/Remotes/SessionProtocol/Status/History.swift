// SPDX-License-Identifier: Apache-2.0

/// The result of `history`, the newest first.
public struct History: Sendable, Hashable, Codable {
    /// A position in an item.
    public struct Place: Sendable, Hashable, Codable {
        public var uri: String
        public var title: String
        /// The book time; `null` if it was not known.
        public var ms: Int64?

        public init(uri: String, title: String, ms: Int64?) {
            self.uri = uri
            self.title = title
            self.ms = ms
        }

        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(uri, forKey: .uri)
            try members.encode(title, forKey: .title)
            try members.encode(ms, forKey: .ms)
        }
    }

    public struct Jump: Sendable, Hashable, Codable {
        /// Milliseconds since 1970.
        public var at: Int64
        /// One of `seek`, `play`, `restart`, `rewind`, `sleep`, `stepOver` and `undo`.
        public var cause: String
        public var from: Place
        public var to: Place
        public var undone: Bool

        public init(at: Int64, cause: String, from: Place, to: Place, undone: Bool) {
            self.at = at
            self.cause = cause
            self.from = from
            self.to = to
            self.undone = undone
        }
    }

    /// A stretch of at least 20 s that was listened to without a break.
    public struct Span: Sendable, Hashable, Codable {
        /// Milliseconds since 1970.
        public var began: Int64
        public var ended: Int64
        public var from: Place
        public var to: Place

        public init(began: Int64, ended: Int64, from: Place, to: Place) {
            self.began = began
            self.ended = ended
            self.from = from
            self.to = to
        }
    }

    public var jumps: [Jump]
    public var listened: [Span]

    public init(jumps: [Jump], listened: [Span]) {
        self.jumps = jumps
        self.listened = listened
    }
}

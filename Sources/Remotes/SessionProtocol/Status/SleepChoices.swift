// SPDX-License-Identifier: Apache-2.0

/// What `sleep` without a wish answers: the timer that runs, and the chapters at whose ends the sound could be over.
public struct SleepChoices: Sendable, Hashable, Codable {
    public struct Chapter: Sendable, Hashable, Codable {
        /// From 0; `sleep ch:1` is the end of the first.
        public var index: Int
        public var title: String?
        /// Book time.
        public var endMs: Int64?
        /// By the clock on the wall, at the present speed.
        public var remainingMs: Int64
        /// Milliseconds since 1970: when that is, if it plays on from now.
        public var at: Int64

        public init(index: Int, title: String?, endMs: Int64?, remainingMs: Int64, at: Int64) {
            self.index = index
            self.title = title
            self.endMs = endMs
            self.remainingMs = remainingMs
            self.at = at
        }

        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(index, forKey: .index)
            try members.encode(title, forKey: .title)
            try members.encode(endMs, forKey: .endMs)
            try members.encode(remainingMs, forKey: .remainingMs)
            try members.encode(at, forKey: .at)
        }
    }

    /// nil: none is set.
    public var sleep: Status.Sleep?
    /// The present one first.
    public var chapters: [Chapter]

    public init(sleep: Status.Sleep?, chapters: [Chapter]) {
        self.sleep = sleep
        self.chapters = chapters
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(sleep, forKey: .sleep)
        try members.encode(chapters, forKey: .chapters)
    }
}

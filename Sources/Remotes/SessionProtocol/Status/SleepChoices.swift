// SPDX-License-Identifier: Apache-2.0

/// The result of `sleep` without a time: the running timer, and the chapters at whose ends playback can stop.
public struct SleepChoices: Sendable, Hashable, Codable {
    public struct Chapter: Sendable, Hashable, Codable {
        /// The index, from 0; `sleep ch:1` stops at the end of the first chapter.
        public var index: Int
        public var title: String?
        /// The book time.
        public var endMs: Int64?
        /// The real time, at the current speed.
        public var remainingMs: Int64
        /// The time at which the chapter ends if playback continues from now on, in milliseconds since 1970.
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

    /// The running timer; `nil` if none is set.
    public var sleep: Status.Sleep?
    /// The chapters, the current one first.
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

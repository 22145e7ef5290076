// SPDX-License-Identifier: Apache-2.0

/// The contents of an item, as `rostrum inspect --json` prints them.
public struct Inspection: Sendable, Hashable, Codable {
    public struct Track: Sendable, Hashable, Codable {
        public var index: Int
        public var uri: String
        public var durationMs: Int64?
        public var codec: String
        public var sampleRate: Int
        public var channels: Int
        public init(index: Int, uri: String, durationMs: Int64?, codec: String, sampleRate: Int, channels: Int) {
            self.index = index
            self.uri = uri
            self.durationMs = durationMs
            self.codec = codec
            self.sampleRate = sampleRate
            self.channels = channels
        }

        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(index, forKey: .index)
            try members.encode(uri, forKey: .uri)
            try members.encode(durationMs, forKey: .durationMs)
            try members.encode(codec, forKey: .codec)
            try members.encode(sampleRate, forKey: .sampleRate)
            try members.encode(channels, forKey: .channels)
        }
    }

    public struct Chapter: Sendable, Hashable, Codable {
        public var index: Int
        public var title: String?
        public var startMs: Int64?
        public var endMs: Int64?
        public var source: String
        public init(index: Int, title: String?, startMs: Int64?, endMs: Int64?, source: String) {
            self.index = index
            self.title = title
            self.startMs = startMs
            self.endMs = endMs
            self.source = source
        }

        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(index, forKey: .index)
            try members.encode(title, forKey: .title)
            try members.encode(startMs, forKey: .startMs)
            try members.encode(endMs, forKey: .endMs)
            try members.encode(source, forKey: .source)
        }
    }

    public var uri: String
    public var title: String?
    public var author: String?
    public var durationMs: Int64?
    public var durationConfidence: String
    public var tracks: [Track]
    public var chapters: [Chapter]

    public init(
        uri: String, title: String?, author: String?, durationMs: Int64?, durationConfidence: String, tracks: [Track],
        chapters: [Chapter]
    ) {
        self.uri = uri
        self.title = title
        self.author = author
        self.durationMs = durationMs
        self.durationConfidence = durationConfidence
        self.tracks = tracks
        self.chapters = chapters
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encode(title, forKey: .title)
        try members.encode(author, forKey: .author)
        try members.encode(durationMs, forKey: .durationMs)
        try members.encode(durationConfidence, forKey: .durationConfidence)
        try members.encode(tracks, forKey: .tracks)
        try members.encode(chapters, forKey: .chapters)
    }
}

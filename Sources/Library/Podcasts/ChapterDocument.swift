// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import PodcastFeeds

/// The chapters in a document of Podcasting 2.0, JSON of its version 1.
enum ChapterDocument {
    static let mostBytes = 1 << 20

    private struct File: Decodable {
        var chapters: [Entry]
    }

    /// An entry, of which any member may be missing or of another kind.
    private struct Entry: Decodable {
        var start: Double?
        var title: String?
        var isListed: Bool

        enum Key: String, CodingKey { case startTime, title, toc }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            start =
                (try? members.decode(Double.self, forKey: .startTime))
                ?? Self.text(members, .startTime).flatMap {
                    FeedDuration.milliseconds($0).map { Double($0) / 1000 }
                }
            title = Self.text(members, .title)
            isListed = (try? members.decode(Bool.self, forKey: .toc)) ?? true
        }

        private static func text(_ members: KeyedDecodingContainer<Key>, _ key: Key) -> String? {
            try? members.decode(String.self, forKey: key)
        }
    }

    /// Returns the chapters that a table of contents has, in order; empty if the document is none.
    static func chapters(_ bytes: [UInt8]) -> [PodcastChapter] {
        guard bytes.count <= mostBytes, let file = try? JSONDecoder().decode(File.self, from: Data(bytes)) else {
            return []
        }
        var chapters = file.chapters.compactMap { entry -> PodcastChapter? in
            guard entry.isListed, let start = entry.start, start >= 0, start * 1000 <= Double(FeedLimits.duration)
            else {
                return nil
            }
            return PodcastChapter(
                start: Int64((start * 1000).rounded()), title: entry.title?.line(to: FeedLimits.title))
        }
        chapters.sort { $0.start < $1.start }
        return Array(chapters.prefix(FeedLimits.chapters))
    }
}

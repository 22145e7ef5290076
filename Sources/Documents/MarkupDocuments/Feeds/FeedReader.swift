// SPDX-License-Identifier: Apache-2.0

public import PodcastFeeds
public import ReadingText

/// Reads the feeds of podcasts: RSS and Atom, with the tags of iTunes, Podcasting 2.0 and Podlove.
public enum FeedReader {
    /// Reads a feed; a faulty one is read as far as it makes sense.
    ///
    /// - Parameters:
    ///   - charset: The encoding by the transport, if it says one, for a file that says none.
    ///   - base: The address of the feed, from which relative addresses in it are taken.
    public static func read(
        _ file: [UInt8], charset: String? = nil, base: String? = nil, limits: ReadingLimits = ReadingLimits()
    ) throws(DocumentError) -> PodcastFeed {
        var limits = limits
        limits.fileSize = min(limits.fileSize, FeedLimits.document)
        let builder = FeedBuilder(base: base)
        // Servers say "iso-8859-1" or nothing for whatever they send; the file knows better.
        let isSound = try FeedEvents.read(
            file, charset: declares(file) ? nil : charset, limits: limits, to: builder)
        guard builder.isFeed else {
            throw DocumentError(.format, "it is no RSS or Atom feed; give the address of a podcast's feed")
        }
        return builder.finished(isSound: isSound)
    }

    private static func declares(_ file: [UInt8]) -> Bool {
        let head = String(decoding: file.prefix(200), as: UTF8.self)
        guard let start = head.range(of: "<?xml"), let end = head[start.upperBound...].range(of: "?>") else {
            return false
        }
        return head[start.upperBound..<end.lowerBound].range(of: "encoding") != nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import DocumentOrders
import MarkupDocuments
import PodcastFeeds
import ReadingText

/// The episodes of a feed, or the feeds of an OPML file.
enum FeedFile {
    /// Reads a file and writes what is in it, in the form of `FeedMessage` or of `SubscriptionList`.
    static func read(
        _ order: DocumentOrder, source: Int32, answer: Int32
    ) throws(DocumentError) -> DocumentReply {
        let bytes = try DocumentBytes.read(source, limit: FeedLimits.document)
        let message: [UInt8]
        if order.form == .feed {
            message = FeedMessage.encode(try FeedReader.read(bytes, charset: order.charset, base: order.base))
        } else {
            message = try OPMLReader.read(bytes, charset: order.charset).encoded
        }
        guard message.count <= FeedLimits.message else {
            throw DocumentError(.tooLarge, "more is in it than is kept of a feed")
        }
        try DocumentBytes.write(message, to: answer)
        return .read(warnings: [])
    }
}

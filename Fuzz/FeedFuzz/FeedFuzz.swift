// SPDX-License-Identifier: Apache-2.0

import MarkupDocuments
import PodcastFeeds
import ReadingText

/// Reads bytes as a feed, as OPML, or as what a process that parses feeds says; the last byte says which.
///
/// Whatever they are, reading returns or throws one line, what is read survives its way to the session, and every address is
/// one of the web.
@c(LLVMFuzzerTestOneInput)
public func readFeed(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    var bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    guard let choice = bytes.popLast() else { return 0 }
    switch choice & 3 {
    case 0:
        guard let list = try? OPMLReader.read(bytes) else { return 0 }
        guard SubscriptionList(decoding: list.encoded) == list else { fatalError("a list is changed on its way") }
        guard let again = try? OPMLReader.read(Array(list.opml.utf8)),
            again.entries.map(\.url) == list.entries.map(\.url)
        else { fatalError("a list is not read as it was written") }
    case 1:
        guard let feed = FeedMessage.decode(bytes) else { return 0 }
        guard FeedMessage.decode(FeedMessage.encode(feed)) != nil else {
            fatalError("a message is refused the second time")
        }
    default:
        guard let feed = try? FeedReader.read(bytes, base: "https://a.example/f") else { return 0 }
        guard feed.episodes.count <= FeedLimits.episodes else { fatalError("too many episodes") }
        guard FeedMessage.decode(FeedMessage.encode(feed)) == feed else { fatalError("a feed is changed on its way") }
    }
    return 0
}

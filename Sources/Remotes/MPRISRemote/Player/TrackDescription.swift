// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The metadata of an item and its chapters, by the names of the MPRIS metadata guidelines.
struct TrackDescription: Equatable {
    let ids: TrackIDs
    let item: Status.Item
    /// The length of the item in milliseconds, if it is known.
    let length: Int64?
    let cover: String?
    let chapters: [NowPlaying.Chapter]

    /// Returns the metadata of a chapter, or of the whole item.
    func metadata(ofChapter index: Int?) -> BusValue {
        var members: [BusValue.Member] = []
        func add(_ name: String, _ value: BusValue?) {
            if let value { members.append(BusValue.Member(name: name, value: value)) }
        }
        let title = Self.title(of: item)
        let chapter = index.map { chapters[$0] }
        add("mpris:trackid", .path(index.map(ids.chapter) ?? ids.item))
        let length = chapter.map { $0.endMs - $0.startMs } ?? length
        add("mpris:length", length.map { .int64($0 * 1000) })
        add("mpris:artUrl", cover.map { .string(FileURI.uri(ofPath: $0)) })
        add("xesam:title", .string(index.map { chapter?.title ?? "Chapter \($0 + 1)" } ?? title))
        add("xesam:album", .string(title))
        add("xesam:artist", item.author.map { .strings([$0]) })
        add("xesam:trackNumber", index.map { .int32(Int32(clamping: $0 + 1)) })
        add("xesam:url", .string(FileURI.uri(of: item.uri)))
        return .dictionary(members)
    }

    /// Returns the title of an item, or else the name of its file.
    private static func title(of item: Status.Item) -> String {
        if let title = item.title, !title.isEmpty { return title }
        let name = item.uri.split(separator: "/").last.map(String.init) ?? item.uri
        return name.isEmpty ? item.uri : name
    }
}

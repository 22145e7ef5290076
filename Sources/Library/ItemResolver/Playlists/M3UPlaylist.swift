// SPDX-License-Identifier: Apache-2.0

/// An .m3u or .m3u8 playlist.
struct M3UPlaylist: Equatable {
    struct Entry: Equatable {
        var location: String
        /// The title in `#EXTINF`.
        var title: String?
    }

    /// The title in `#PLAYLIST`.
    var title: String?
    var entries: [Entry] = []
    /// `true` if this is a list of the segments of an HTTP live stream, not of titles.
    var isLiveStream = false

    init(_ bytes: [UInt8]) {
        var next: String?
        for line in TextDecoding.lines(bytes) where !line.isEmpty {
            if let value = Self.value(of: "#EXTINF:", in: line) {
                let title = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
                    .first
                next = title.map(TextDecoding.trimmed).flatMap { $0.isEmpty ? nil : String($0) }
            } else if let value = Self.value(of: "#PLAYLIST:", in: line) {
                title = value.isEmpty ? nil : String(value)
            } else if line.hasPrefix("#EXT-X-") {
                isLiveStream = true
            } else if !line.hasPrefix("#") {
                entries.append(Entry(location: String(line), title: next))
                next = nil
            }
        }
    }

    private static func value(of name: String, in line: Substring) -> Substring? {
        line.prefix(name.count).uppercased() == name ? TextDecoding.trimmed(line.dropFirst(name.count)) : nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PlaybackCore

/// The content that one ITEM of a request stands for.
struct ItemPart {
    /// `true` if the item may have another name the next time, as an address or a pipe may.
    var hasNoName: Bool { !uri.hasPrefix("file:") }

    var uri: String
    var kind: ContentKind
    var tracks: [TrackSource]
    var title: String
    /// The entries of a cue sheet.
    ///
    /// Their track numbers count within this part.
    var cue: [CueEntry] = []
    /// The ITEM that opens this part again, or `nil` if nothing does.
    var item: String?
    /// The folder of the file, if the part is a single file.
    var folder: String?
}

extension ResolvedItem {
    static let mostNotes = 20

    /// Combines the parts into one queue, in order.
    init(_ parts: [ItemPart], notes: [String]) throws(ItemError) {
        guard let first = parts.first else {
            throw ItemError(.missing, "nothing to play; name a file, a folder or a URL")
        }
        if let odd = parts.first(where: { $0.kind != first.kind }) {
            throw ItemError(
                .unsupported, "\(odd.title): text and audio cannot be in one queue; play them one after the other")
        }
        // A place in a text is a byte offset, so an engine can read only one text at a time.
        if first.kind == .text, parts.count > 1 {
            throw ItemError(
                .unsupported, "\(parts[1].title): several texts cannot be in one queue; read them one after the other")
        }
        var content = Content(uri: first.uri, kind: first.kind, tracks: [], title: first.title)
        for part in parts {
            content.cue += part.cue.map {
                CueEntry(
                    track: $0.track + content.tracks.count, start: $0.start, title: $0.title, isBeside: $0.isBeside)
            }
            content.tracks += part.tracks
        }
        if parts.count > 1 {
            content.uri = Self.queueURI(of: parts.map(\.uri))
            if let folder = first.folder, parts.allSatisfy({ $0.folder == folder }), folder != "" {
                content.title = FileName.title(ofFolder: folder)
            } else {
                content.title = "\(first.title) and \(parts.count - 1) more"
            }
        }
        var notes = notes
        if notes.count > Self.mostNotes {
            notes = notes.prefix(Self.mostNotes - 1) + ["and \(notes.count - Self.mostNotes + 1) more left out"]
        }
        let items = parts.compactMap(\.item)
        self.init(content: content, items: items.count == parts.count ? items : [], notes: notes)
    }

    /// Returns the URI of a queue, which is the same for the same items in the same order.
    ///
    /// It is a hash, because the URIs in full would be too long for a status line.
    static func queueURI(of uris: [String]) -> String {
        // FNV-1a: two 64-bit hashes with different initial values.
        var (a, b): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x6C62_272E_07BB_0142)
        for uri in uris {
            for byte in uri.utf8 + [0] {
                a = (a ^ UInt64(byte)) &* 0x100_0000_01B3
                b = (b ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return "queue:" + [a, b].map { String($0, radix: 16) }.joined(separator: "-")
    }
}

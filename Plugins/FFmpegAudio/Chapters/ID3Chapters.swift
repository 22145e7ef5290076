// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The CHAP and CTOC frames of an ID3v2.3 or 2.4 tag at the head of a file (ID3v2 Chapter Frame Addendum).
///
/// If there is a table of contents, only what it names is a chapter: podcasts change pictures with chapters that no
/// table lists. libavformat does not read tables, and leaves out chapters whose title comes with pictures or links.
enum ID3Chapters {
    private static let largestTag = 32 << 20
    private static let milliseconds = AVRational(num: 1, den: 1000)

    /// Returns the chapters; `nil` if there is no such tag or it cannot be read here, as from a pipe.
    static func read(_ container: Container) -> [ListedChapter]? {
        let input = container.input
        guard input.source.isSeekable else { return nil }
        let place = avio_tell(input.context)
        defer { avio_seek(input.context, place, 0) }
        guard let header = input.bytes(at: 0, count: 10), header.starts(with: [0x49, 0x44, 0x33]),
            header[3] == 3 || header[3] == 4
        else { return nil }
        let size = ID3Size.syncSafe(header[6...9])
        let available = input.source.size.map { max(0, $0 - 10) } ?? Int64(size)
        guard size <= largestTag, let body = input.bytes(at: 10, count: Int(min(Int64(size), available))) else {
            return nil
        }
        let isUnsynchronised = header[5] & 0x80 != 0
        var tag = ID3Frames(
            bytes: isUnsynchronised && header[3] == 3 ? ID3Frames.resynchronised(body[...]) : body,
            version: header[3])
        if header[5] & 0x40 != 0 { tag.skipExtendedHeader() }
        var chapters: [(name: ArraySlice<UInt8>, chapter: ListedChapter)] = []
        var contents = TableOfContents()
        while let frame = tag.next() {
            switch frame.id {
            case "CHAP":
                if let chapter = chapter(frame.body, version: header[3]) {
                    chapters.append((frame.body.prefix { $0 != 0 }, chapter))
                }
            case "CTOC": contents.add(frame.body)
            default: break
            }
        }
        let all = chapters.map(\.chapter)
        guard let names = contents.names else { return all }
        var places: [ArraySlice<UInt8>: Int] = [:]
        for (index, entry) in chapters.enumerated() where places[entry.name] == nil { places[entry.name] = index }
        let named = names.compactMap { places[$0] }.map { all[$0] }
        // If the table names nothing that exists, use all chapters rather than none.
        return named.isEmpty ? all : named
    }

    /// The CTOC frames, each of which names chapters or further tables.
    private struct TableOfContents {
        private var children: [ArraySlice<UInt8>: [ArraySlice<UInt8>]] = [:]
        private var tops: [ArraySlice<UInt8>] = []
        private var order: [ArraySlice<UInt8>] = []

        /// Adds a table: a name, flags (2: top level, 1: ordered), a count, and as many names.
        mutating func add(_ body: ArraySlice<UInt8>) {
            guard let nul = body.firstIndex(of: 0), body.endIndex - nul > 2 else { return }
            let name = body[..<nul]
            var rest = body[(nul + 3)...]
            var names: [ArraySlice<UInt8>] = []
            for _ in 0..<body[nul + 2] {
                guard let end = rest.firstIndex(of: 0) else { break }
                names.append(rest[..<end])
                rest = rest[(end + 1)...]
            }
            guard children[name] == nil else { return }
            children[name] = names
            order.append(name)
            if body[nul + 1] & 2 != 0 { tops.append(name) }
        }

        /// The names of chapters, each once, in the order of the tables; `nil` without a table.
        var names: [ArraySlice<UInt8>]? {
            guard !order.isEmpty else { return nil }
            var result: [ArraySlice<UInt8>] = []
            var seen: Set<ArraySlice<UInt8>> = []
            // More than 255 chapters are written as several tables. Some writers mark none of them as top level.
            var waiting = Array((tops.isEmpty ? order : tops).reversed())
            while let name = waiting.popLast() {
                guard seen.insert(name).inserted else { continue }
                if let names = children[name] { waiting += names.reversed() } else { result.append(name) }
            }
            return result
        }
    }

    /// Parses a chapter: its name, its start and end in milliseconds and in bytes, and frames of its own.
    private static func chapter(_ body: ArraySlice<UInt8>, version: UInt8) -> ListedChapter? {
        guard let nul = body.firstIndex(of: 0), body.endIndex - nul > 16 else { return nil }
        let times = nul + 1
        let start = ID3Frames.number(body[times..<times + 4])
        let end = ID3Frames.number(body[times + 4..<times + 8])
        guard start != 0xffff_ffff else { return nil }
        var inner = ID3Frames(bytes: Array(body[(times + 16)...]), version: version)
        var title: String?
        while title == nil, let frame = inner.next() {
            if frame.id == "TIT2" { title = text(frame.body) }
        }
        return ListedChapter(
            start: .init(value: Int64(start), base: milliseconds),
            end: end == 0xffff_ffff ? nil : .init(value: Int64(end), base: milliseconds), title: title)
    }

    private static func text(_ body: ArraySlice<UInt8>) -> String? {
        guard let encoding = body.first else { return nil }
        let bytes = body.dropFirst()
        switch encoding {
        case 0: return EncodedText.plain(EncodedText.latin1(bytes))
        case 1: return EncodedText.plain(EncodedText.utf16(bytes, bigEndian: false))
        case 2: return EncodedText.plain(EncodedText.utf16(bytes, bigEndian: true))
        default: return EncodedText.plain(String(decoding: bytes, as: UTF8.self))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The chapters of an MP4 file: the samples of its text track, else Nero's `chpl` list.
///
/// libavformat mixes several text tracks into one list; here the first one that has titles counts.
enum QuickTimeChapters {
    private static let limit = 100_000

    static func read(_ container: Container) -> ([ListedChapter], String) {
        for index in 0..<Int(container.context.pointee.nb_streams) {
            // libavformat gives this codec to the tracks that the audio track refers to as chapters.
            guard let stream = container.context.pointee.streams[index],
                stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_BIN_DATA
            else { continue }
            let chapters = samples(of: stream, container)
            if !chapters.isEmpty { return (chapters, "quicktime") }
        }
        return (ChapterReader.listed(container), "nero")
    }

    private static func samples(
        of stream: UnsafeMutablePointer<AVStream>, _ container: Container
    ) -> [ListedChapter] {
        guard container.isSeekable else { return [] }
        let place = avio_tell(container.input.context)
        defer { avio_seek(container.input.context, place, 0) }
        let base = stream.pointee.time_base
        guard base.num > 0, base.den > 0 else { return [] }
        var chapters: [ListedChapter] = []
        let count = min(Int(avformat_index_get_entries_count(stream)), limit)
        for number in 0..<count {
            guard let entry = avformat_index_get_entry(stream, Int32(number))?.pointee else { break }
            let start = ListedChapter.Time(value: entry.timestamp, base: base)
            if !chapters.isEmpty { chapters[chapters.count - 1].end = start }
            chapters.append(
                ListedChapter(start: start, end: nil, title: title(entry, container.input)))
        }
        // A track that holds only the names or addresses of pictures has no titles.
        return chapters.contains { $0.title != nil } ? chapters : []
    }

    /// Returns the title in a text sample: its length in two bytes, then UTF-8, or UTF-16 with a byte order mark.
    private static func title(_ entry: AVIndexEntry, _ input: SourceStream) -> String? {
        let size = Int(cff_entry_size(entry))
        guard size >= 2, size <= 64 << 10, let bytes = input.bytes(at: entry.pos, count: size) else { return nil }
        let length = Int(bytes[0]) << 8 | Int(bytes[1])
        let text = bytes[2..<min(bytes.count, 2 + length)]
        return EncodedText.plain(
            text.starts(with: [0xfe, 0xff]) || text.starts(with: [0xff, 0xfe])
                ? EncodedText.utf16(text, bigEndian: true) : String(decoding: text, as: UTF8.self))
    }
}

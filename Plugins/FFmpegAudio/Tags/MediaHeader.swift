// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The length of a track according to an MP4 file's own `mdhd` box.
///
/// libavformat cuts that down to the edit list, which often counts in milliseconds only.
struct MediaHeader {
    let timeScale: Int64
    let duration: Int64

    private static let boxLimit = 10_000

    /// Reads the box; `nil` if it cannot be found with a few reads.
    ///
    /// It leaves the stream where it was.
    init?(_ container: Container) {
        // On the web every jump is a new request, for a gain of a millisecond at most.
        guard container.input.source is DescriptorSource, let size = container.input.source.size else { return nil }
        let input = container.input
        let place = avio_tell(input.context)
        defer { avio_seek(input.context, place, 0) }
        let boxes = Boxes(input: input)
        guard let movie = boxes.first("moov", in: 0..<size) else { return nil }
        for track in boxes.all("trak", in: movie) {
            guard let header = boxes.first("tkhd", in: track), let media = boxes.first("mdia", in: track),
                let mediaHeader = boxes.first("mdhd", in: media),
                let id = boxes.number(header, version0: 12, version1: 20, long: false),
                id == Int64(container.stream.pointee.id),
                let scale = boxes.number(mediaHeader, version0: 12, version1: 20, long: false),
                let duration = boxes.number(mediaHeader, version0: 16, version1: 24, long: true), scale > 0
            else { continue }
            timeScale = scale
            self.duration = duration
            return
        }
        return nil
    }

    /// A walk over boxes that does not read what is in them.
    private struct Boxes {
        let input: SourceStream

        func first(_ name: String, in range: Range<Int64>) -> Range<Int64>? {
            all(name, in: range, limit: 1).first
        }

        func all(_ name: String, in range: Range<Int64>, limit: Int = 64) -> [Range<Int64>] {
            var found: [Range<Int64>] = []
            var place = range.lowerBound
            var count = 0
            while place + 8 <= range.upperBound, found.count < limit, count < boxLimit,
                let head = input.bytes(at: place, count: 8)
            {
                count += 1
                var size = Int64(ID3Frames.number(head[0..<4]))
                var body = place + 8
                if size == 1, let long = input.bytes(at: body, count: 8) {
                    size = long.reduce(0) { $0 << 8 | Int64($1) }
                    body += 8
                }
                if size == 0 { size = range.upperBound - place }
                guard size >= body - place, size <= range.upperBound - place else { break }
                if head[4...].elementsEqual(name.utf8) { found.append(body..<place + size) }
                place += size
            }
            return found
        }

        /// Returns a number of a box whose fields move with its version.
        func number(_ box: Range<Int64>, version0: Int64, version1: Int64, long: Bool) -> Int64? {
            guard let version = input.bytes(at: box.lowerBound, count: 1)?.first else { return nil }
            let offset = version == 1 ? version1 : version0
            let width = version == 1 && long ? 8 : 4
            guard box.lowerBound + offset + Int64(width) <= box.upperBound,
                let bytes = input.bytes(at: box.lowerBound + offset, count: width), bytes[0] < 0x80 || width == 4
            else { return nil }
            return bytes.reduce(0) { $0 << 8 | Int64($1) }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// The cue points of a WAV file, with their labels.
///
/// libavformat does not read them.
enum WAVCues {
    private static let largestChunk = 1 << 20

    static func read(_ container: Container) -> [ListedChapter] {
        let input = container.input
        guard input.source.isSeekable, let size = input.source.size else { return [] }
        let place = avio_tell(input.context)
        defer { avio_seek(input.context, place, 0) }
        guard let head = input.bytes(at: 0, count: 12), Array(head[8..<12]) == Array("WAVE".utf8) else { return [] }
        var points: [(id: UInt32, frame: UInt32)] = []
        var labels: [UInt32: String] = [:]
        var chunk: Int64 = 12
        while chunk + 8 <= size, let header = input.bytes(at: chunk, count: 8) {
            let length = Int64(number(header[4..<8]))
            let id = String(decoding: header[0..<4], as: UTF8.self)
            if id == "cue " || id == "LIST", length <= largestChunk,
                let body = input.bytes(at: chunk + 8, count: Int(length))
            {
                if id == "cue " { points = cues(body) } else { labels.merge(self.labels(body)) { first, _ in first } }
            }
            chunk += 8 + length + length % 2
        }
        // A single point is a position that a sound editor remembered.
        guard points.count > 1 || !labels.isEmpty else { return [] }
        let rate = container.parameters.pointee.sample_rate
        guard rate > 0 else { return [] }
        let base = AVRational(num: 1, den: rate)
        return points.map {
            ListedChapter(start: .init(value: Int64($0.frame), base: base), end: nil, title: labels[$0.id])
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Parses a count, then 24 bytes each: id, place in a play list, chunk, two offsets, and the frame.
    private static func cues(_ body: [UInt8]) -> [(id: UInt32, frame: UInt32)] {
        guard body.count >= 4 else { return [] }
        return stride(from: 4, through: body.count - 24, by: 24).map { start in
            (number(body[start..<start + 4]), number(body[start + 20..<start + 24]))
        }
    }

    private static func labels(_ body: [UInt8]) -> [UInt32: String] {
        guard body.starts(with: Array("adtl".utf8)) else { return [:] }
        var labels: [UInt32: String] = [:]
        var place = 4
        while place + 8 <= body.count {
            let size = Int(number(body[place + 4..<place + 8]))
            let end = place + 8 + size
            guard size <= body.count, end <= body.count else { break }
            if body[place...].starts(with: Array("labl".utf8)), size > 4 {
                let id = number(body[place + 8..<place + 12])
                labels[id] = EncodedText.plain(String(decoding: body[place + 12..<end], as: UTF8.self))
            }
            place = end + size % 2
        }
        return labels
    }
}

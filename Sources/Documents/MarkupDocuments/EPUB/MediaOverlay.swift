// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The recorded sound of a book's text, as SMIL tells it.
struct MediaOverlay {
    struct Clip {
        /// The text: a file, and an element in it.
        var path: String
        var fragment: String?
        var file: String
        var start: Int64
        var end: Int64?
    }

    private(set) var clips: [Clip] = []

    init(_ bytes: [UInt8], path: String, limits: ReadingLimits) throws(DocumentError) {
        let tree = try XMLTree.parse(bytes, limits: limits).tree
        for pair in tree.all("par", in: tree.range) {
            let inside = tree.inside(pair)
            guard let text = tree.first("text", in: inside), let source = tree.attribute("src", of: text),
                let target = MemberPath.resolve(source, from: path)
            else { continue }
            // A pair may have its sound in several pieces.
            for audio in tree.all("audio", in: inside) {
                guard let file = tree.attribute("src", of: audio).flatMap({ MemberPath.resolve($0, from: path) }) else {
                    continue
                }
                let start = tree.attribute("clipBegin", of: audio) ?? tree.attribute("clip-begin", of: audio)
                let end = tree.attribute("clipEnd", of: audio) ?? tree.attribute("clip-end", of: audio)
                let first = start.flatMap { ClockValue.milliseconds($0) } ?? 0
                let last = end.flatMap { ClockValue.milliseconds($0) }
                if let last, last <= first { continue }
                clips.append(
                    Clip(path: target, fragment: MemberPath.fragment(source), file: file, start: first, end: last))
            }
        }
    }
}

/// Puts recordings on blocks.
struct RecordingPlacement {
    private static let limit = 1_000_000
    /// The most blocks that share one sound.
    private static let spanLimit = 500
    private var pieces: [(block: Int, recording: Recording)] = []

    /// Gives a stretch of text its sound.
    ///
    /// Several blocks share one sound by their lengths.
    mutating func add(_ range: Range<Int>, _ clip: MediaOverlay.Clip, blocks: [TextBlock]) {
        guard pieces.count < Self.limit else { return }
        var index = Self.first(at: range.lowerBound, blocks)
        var parts: [(block: Int, range: Range<Int>)] = []
        while index < blocks.count, blocks[index].range.lowerBound < range.upperBound, parts.count < Self.spanLimit {
            let part = blocks[index].range.clamped(to: range)
            if !part.isEmpty { parts.append((index, part)) }
            index += 1
        }
        let total = parts.reduce(0) { $0 + $1.range.count }
        guard total > 0 else { return }
        var (done, start) = (0, clip.start)
        for part in parts {
            done += part.range.count
            var end = clip.end
            if let last = clip.end, part.block != parts.last?.block {
                end = clip.start + Int64(Double(last - clip.start) * Double(done) / Double(total))
            }
            pieces.append((part.block, Recording(part.range, file: clip.file, start: start, end: end)))
            guard let end else { return }
            start = end
        }
    }

    /// Pieces of sound for the same text that follow one another become one.
    func place(in blocks: inout [TextBlock]) {
        for piece in pieces {
            let last = blocks[piece.block].recordings.last
            if let last, last.range == piece.recording.range, last.file == piece.recording.file,
                last.end == piece.recording.start
            {
                blocks[piece.block].recordings[blocks[piece.block].recordings.count - 1].end = piece.recording.end
            } else {
                blocks[piece.block].recordings.append(piece.recording)
            }
        }
        for index in Set(pieces.map(\.block)) {
            blocks[index].recordings.sort { ($0.range.lowerBound, $0.start) < ($1.range.lowerBound, $1.start) }
        }
    }

    private static func first(at offset: Int, _ blocks: [TextBlock]) -> Int {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

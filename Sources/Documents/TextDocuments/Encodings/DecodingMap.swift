// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The bytes of a file from which each stretch of its decoded text comes.
///
/// Without runs, the text is the file. A run is exact where it has the length of its source, or where all of its characters
/// have the same length in the file and the same in the text; otherwise a place within it is proportional.
struct DecodingMap: Sendable {
    /// The beginning of a run, which ends where the next one begins.
    ///
    /// Files are shorter than 4 GiB.
    struct Anchor {
        var text: UInt32
        var source: UInt32
    }

    /// The anchors in order; the last one is the end of the text.
    ///
    /// Empty if the text is the file.
    private(set) var anchors: [Anchor] = []

    init(anchors: [Anchor] = []) { self.anchors = anchors }

    /// Appends the origins of a part of the decoded text, which stands at `position` in a reading text.
    func append(_ range: Range<Int>, at position: Int, to origins: inout [TextOrigin]) {
        guard !range.isEmpty else { return }
        let shift = position - range.lowerBound
        guard !anchors.isEmpty else {
            Self.append(TextOrigin(position..<position + range.count, source: range), to: &origins)
            return
        }
        var index = run(at: range.lowerBound)
        while index + 1 < anchors.count, Int(anchors[index].text) < range.upperBound {
            let text = Int(anchors[index].text)..<Int(anchors[index + 1].text)
            let source = Int(anchors[index].source)..<max(Int(anchors[index].source), Int(anchors[index + 1].source))
            let part = text.clamped(to: range)
            index += 1
            guard !part.isEmpty else { continue }
            let start = source.lowerBound + (part.lowerBound - text.lowerBound) * source.count / text.count
            let end =
                source.lowerBound + ((part.upperBound - text.lowerBound) * source.count + text.count - 1) / text.count
            Self.append(
                TextOrigin(part.lowerBound + shift..<part.upperBound + shift, source: start..<end), to: &origins)
        }
    }

    /// Returns the bytes of the file that hold a part of the decoded text.
    func source(of range: Range<Int>) -> Range<Int> {
        var origins: [TextOrigin] = []
        append(range, at: range.lowerBound, to: &origins)
        guard let first = origins.first, let last = origins.last else { return 0..<0 }
        return first.source.lowerBound..<max(first.source.lowerBound, last.source.upperBound)
    }

    /// Appends an origin, or makes the last one longer where both are the same bytes.
    static func append(_ origin: TextOrigin, to origins: inout [TextOrigin]) {
        if let last = origins.last, last.member == origin.member, last.range.upperBound == origin.range.lowerBound,
            last.source.upperBound == origin.source.lowerBound, last.range.count == last.source.count,
            origin.range.count == origin.source.count
        {
            origins[origins.count - 1].range = last.range.lowerBound..<origin.range.upperBound
            origins[origins.count - 1].source = last.source.lowerBound..<origin.source.upperBound
        } else {
            origins.append(origin)
        }
    }

    /// Returns the index of the run that holds a place in the text.
    private func run(at place: Int) -> Int {
        var low = 0
        var high = anchors.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(anchors[middle].text) <= place { low = middle } else { high = middle }
        }
        return low
    }
}

/// Notes the origin of one decoded character after the other.
struct SourceMapBuilder {
    /// Files up to this size are mapped character by character.
    static let exactSize = 8 << 20
    /// The most bytes of text in a run of a greater file, so that its map stays a fraction of the text.
    static let runLength = 64

    private let isExact: Bool
    private var anchors: [DecodingMap.Anchor] = []
    private var last = (text: 0, source: 0)
    private var runLengths = (text: 0, source: 0)
    private var isStarted = false

    init(size: Int) { isExact = size <= Self.exactSize }

    /// Notes that a character begins.
    mutating func character(text: Int, source: Int) {
        guard isStarted else {
            isStarted = true
            last = (text, source)
            anchors.append(anchor(text, source))
            return
        }
        close(text: text, source: source)
        last = (text, source)
    }

    /// Ends the text.
    mutating func finish(text: Int, source: Int) -> DecodingMap {
        if isStarted { close(text: text, source: source) }
        anchors.append(anchor(text, source))
        return DecodingMap(anchors: anchors)
    }

    private mutating func close(text: Int, source: Int) {
        let lengths = (text: text - last.text, source: source - last.source)
        guard lengths != runLengths else { return }
        let begin = Int(anchors.last?.text ?? 0)
        if isExact || last.text - begin >= Self.runLength {
            if begin != last.text { anchors.append(anchor(last.text, last.source)) }
            runLengths = lengths
        }
    }

    private func anchor(_ text: Int, _ source: Int) -> DecodingMap.Anchor {
        DecodingMap.Anchor(text: UInt32(clamping: text), source: UInt32(clamping: source))
    }
}

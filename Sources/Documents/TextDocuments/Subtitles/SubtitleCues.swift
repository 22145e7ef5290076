// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The cues of a file of subtitles.
struct SubtitleCues {
    struct Cue {
        var times: CueTimes
        var lines: [Range<Int>]
    }

    private(set) var cues: [Cue] = []
    private(set) var isWebVTT: Bool

    /// A cue with more lines is no subtitle; the rest is left out.
    private static let longestCue = 64

    init(_ source: SourceText, limits: ReadingLimits) throws(DocumentError) {
        let bytes = source.bytes
        isWebVTT = bytes[source.start...].starts(with: "WEBVTT".utf8)
        var isInCue = false
        var isSkipping = isWebVTT
        var previous: TextLine?
        var count = 0
        for line in TextLines(bytes, in: source.start..<bytes.count) {
            count += 1
            if count % 10_000 == 0 { try limits.check() }
            defer { previous = line }
            let content = bytes[line.range]
            if line.isBlank {
                // A blank line ends a cue of WebVTT; SubRip's may have one among its lines.
                isInCue = isInCue && !isWebVTT
                isSkipping = false
            } else if let times = CueTimes(content) {
                if isInCue, let previous, isNumber(bytes[previous.range]) { dropNumber(previous.range) }
                guard cues.count < limits.blocks else {
                    throw DocumentError(.tooLarge, "the file has more than \(limits.blocks) subtitles; split it")
                }
                cues.append(Cue(times: times, lines: []))
                (isInCue, isSkipping) = (true, false)
            } else if isWebVTT, previous?.isBlank != false, !isInCue, isSection(content) {
                isSkipping = true
            } else if isInCue, !isSkipping, let last = cues.indices.last, cues[last].lines.count < Self.longestCue {
                cues[last].lines.append(line.range)
            }
        }
    }

    /// The number of a cue stands above its times, which tell that the last line belongs to the next cue.
    private mutating func dropNumber(_ range: Range<Int>) {
        guard let last = cues.indices.last, cues[last].lines.last == range else { return }
        cues[last].lines.removeLast()
    }

    private func isNumber(_ line: ArraySlice<UInt8>) -> Bool {
        !line.isEmpty && line.count <= 8 && line.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func isSection(_ line: ArraySlice<UInt8>) -> Bool {
        ["NOTE", "STYLE", "REGION"].contains { name in
            line.starts(with: name.utf8) && line.dropFirst(name.utf8.count).first.map { $0 <= 0x20 } != false
        }
    }
}

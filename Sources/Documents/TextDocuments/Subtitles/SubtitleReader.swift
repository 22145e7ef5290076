// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads subtitles, SubRip (SRT) and WebVTT.
///
/// Cues become one paragraph while a sentence goes on and the next cue comes within 2 seconds. Tags and the names of speakers
/// are left out. What rolling captions repeat is said once.
public enum SubtitleReader {
    /// Reads a file.
    ///
    /// - Throws: `.format` if no line has two times, `.empty` if no cue has a word, what the decoding of a plain text throws.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        let source = try SourceText(bytes, limits: limits)
        let cues = try SubtitleCues(source, limits: limits)
        guard !cues.cues.isEmpty else {
            throw DocumentError(
                .format, "the subtitles have no line such as 00:00:01,000 --> 00:00:02,000; read them as plain text")
        }
        var paragraphs = SubtitleParagraphs(source, limits: limits)
        for cue in cues.cues { try paragraphs.read(cue) }
        try paragraphs.finish()
        guard !paragraphs.assembly.blocks.isEmpty else {
            throw DocumentError(.empty, "the subtitles have no word; there is nothing to read")
        }
        return ReadingDocument(
            text: paragraphs.assembly.text, blocks: paragraphs.assembly.blocks, warnings: source.warnings)
    }
}

/// The paragraphs that cues make.
struct SubtitleParagraphs {
    private(set) var assembly: TextAssembly

    private let source: SourceText
    private var end: Int?
    private var start = 0
    /// The lines of the cue before, as words.
    private var before: [[Substring]] = []
    private var endsSentence = false

    /// Silence that ends a paragraph, in milliseconds.
    private static let silence = 2000
    /// A rolling caption follows the one before within this time, in milliseconds.
    private static let rollingGap = 50
    /// A paragraph without a stop ends at the next cue beyond this length, in bytes.
    private static let longestParagraph = 1500

    init(_ source: SourceText, limits: ReadingLimits) {
        self.source = source
        assembly = TextAssembly(limits: limits)
    }

    mutating func read(_ cue: SubtitleCues.Cue) throws(DocumentError) {
        var lines = cue.lines.map { CueText(source.bytes, in: $0) }.filter { !$0.words.isEmpty }
        guard !lines.isEmpty else { return }
        let gap = end.map { cue.times.start - $0 } ?? 0
        let all = lines.map(\.words)
        if end != nil, cue.times.start >= start { lines.removeFirst(repeated(all, gap: gap)) }
        start = cue.times.start
        before = all
        end = cue.times.end
        if gap >= Self.silence || endsSentence || assembly.open.count >= Self.longestParagraph {
            try assembly.close(.paragraph)
        }
        for line in lines {
            if line.isNewSpeaker { try assembly.close(.paragraph) }
            for piece in line.pieces {
                switch piece {
                case .plain(let range): try assembly.words(range, of: source)
                case .decoded(" ", _): assembly.space()
                case .decoded(let text, let range):
                    try assembly.decoded(Array(text.utf8), from: range, of: source)
                }
            }
            assembly.space()
        }
        if !lines.isEmpty { endsSentence = isSentence(lines) }
    }

    mutating func finish() throws(DocumentError) { try assembly.close(.paragraph) }

    /// Returns how many of the first lines the cue before had at its end.
    private func repeated(_ lines: [[Substring]], gap: Int) -> Int {
        guard gap <= Self.rollingGap else { return 0 }
        var count = min(lines.count, before.count)
        while count > 0, !before.suffix(count).elementsEqual(lines.prefix(count)) { count -= 1 }
        // `No.` and `No.` in two cues with a pause between them are two words.
        let words = lines.prefix(count).reduce(0) { $0 + $1.count }
        return gap > 0 && words < 2 ? 0 : count
    }

    private func isSentence(_ lines: [CueText]) -> Bool {
        guard let word = lines.last?.words.last else { return false }
        let bare = word.reversed().drop { "\"')]\u{2019}\u{201D}\u{BB}\u{266A}\u{300D}*_".contains($0) }
        return bare.first.map { ".!?\u{2026}\u{3002}\u{FF01}\u{FF1F}\u{964}\u{61F}:".contains($0) } ?? false
    }
}

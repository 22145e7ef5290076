// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import MediaPlayback

/// A passage of a recording that is not in its text, or there only once, or of the text that the recording does not have.
public struct UnmatchedPassage: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// Speech before anything of the text.
        case prologue
        /// Speech within the text: something of its own, or something of the text once more that was not recognised.
        case added
        /// Speech that says something of the text again, wherever it stands.
        case repeated
        /// Speech behind everything of the text.
        case epilogue
        /// Text that nobody reads.
        case skipped
    }

    public var kind: Kind
    /// The number of the file in the book, counted from 0.
    public var track: Int
    /// Milliseconds in that file; an empty range is the place at which text was skipped.
    public var sound: Range<Int64>
    /// The bytes of the reading text that were skipped, or are said again.
    public var text: Range<Int64>?
    /// The first words of that, if they were read.
    public var words: String?

    /// The longest pause within a passage that is one, in milliseconds.
    private static let longestPause: Int64 = 4000

    /// Returns all such passages of an alignment, in order of the recording.
    ///
    /// - Parameters:
    ///   - numbers: The numbers in the book of the files that were compared, in order.
    ///   - rest: The bytes of the text behind everything that was aligned, if nobody reads them.
    static func all(in file: Alignment, _ numbers: [Int], rest: Range<Int>? = nil) -> [UnmatchedPassage] {
        var passages = sounds(in: file)
        passages += skipped(in: file, rest: rest)
        passages.removeAll { !numbers.indices.contains($0.track) }
        // Where something was skipped and something else is said, the former has no length.
        passages.sort {
            ($0.track, $0.sound.lowerBound, $0.sound.count) < ($1.track, $1.sound.lowerBound, $1.sound.count)
        }
        return passages.map { passage in
            var passage = passage
            passage.track = numbers[passage.track]
            return passage
        }
    }

    private static func sounds(in file: Alignment) -> [UnmatchedPassage] {
        let found = file.sentences.filter(\.isMatched).map { ($0.track, $0.start) }.sorted { $0 < $1 }
        var passages: [UnmatchedPassage] = []
        var next = 0
        for sound in pieces(of: file) {
            // The sentences that were found behind the passage before.
            if let last = passages.last {
                while next < found.count, found[next] < (last.track, last.sound.upperBound) { next += 1 }
            }
            let isInterrupted = next < found.count && found[next] < (sound.track, sound.range.lowerBound)
            if let text = sound.text {
                let bytes = Int64(text.lowerBound)..<Int64(text.upperBound)
                passages.append(
                    UnmatchedPassage(kind: .repeated, track: sound.track, sound: sound.range, text: bytes))
                continue
            }
            if let last = passages.last, last.kind != .repeated, last.track == sound.track, !isInterrupted,
                sound.range.lowerBound - last.sound.upperBound <= longestPause
            {
                let end = max(last.sound.upperBound, sound.range.upperBound)
                passages[passages.count - 1].sound = last.sound.lowerBound..<end
                continue
            }
            let start = (sound.track, sound.range.lowerBound)
            let kind: Kind =
                if let first = found.first, start < first {
                    .prologue
                } else if let last = found.last, file.isComplete, last < start {
                    .epilogue
                } else {
                    .added
                }
            passages.append(UnmatchedPassage(kind: kind, track: sound.track, sound: sound.range))
        }
        return passages
    }

    /// Sound without a place, and the text that it says again.
    private typealias Piece = (track: Int, range: Range<Int64>, text: Range<Int>?)

    /// Returns the unmatched sound of a file in order, cut where it says something again.
    private static func pieces(of file: Alignment) -> [Piece] {
        let sounds = file.unmatched.sorted { ($0.track, $0.range.lowerBound) < ($1.track, $1.range.lowerBound) }
        let repeated = file.repeated.sorted { ($0.track, $0.range.lowerBound) < ($1.track, $1.range.lowerBound) }
        var pieces: [Piece] = []
        var next = 0
        for sound in sounds {
            var start = sound.range.lowerBound
            let end = sound.range.upperBound
            while next < repeated.count, (repeated[next].track, repeated[next].range.lowerBound) < (sound.track, end) {
                // A file may say anything.
                let range = repeated[next].range.clamped(to: start..<end)
                let text = repeated[next].text
                let isHere = repeated[next].track == sound.track && !range.isEmpty
                next += 1
                guard isHere else { continue }
                if start < range.lowerBound { pieces.append((sound.track, start..<range.lowerBound, nil)) }
                pieces.append((sound.track, range, text))
                start = range.upperBound
            }
            if start < end { pieces.append((sound.track, start..<end, nil)) }
        }
        return pieces
    }

    private static func skipped(in file: Alignment, rest: Range<Int>?) -> [UnmatchedPassage] {
        var passages: [UnmatchedPassage] = []
        var isGoingOn = false
        func skip(_ range: Range<Int>, _ track: Int, _ place: Int64) {
            let range = Int64(range.lowerBound)..<Int64(range.upperBound)
            if isGoingOn, let start = passages.last?.text?.lowerBound, start <= range.upperBound {
                passages[passages.count - 1].text = start..<range.upperBound
            } else {
                passages.append(UnmatchedPassage(kind: .skipped, track: track, sound: place..<place, text: range))
            }
            isGoingOn = true
        }
        for sentence in file.sentences {
            if sentence.isMatched {
                isGoingOn = false
            } else {
                skip(sentence.range, sentence.track, sentence.start)
            }
        }
        if let rest { skip(rest, file.state?.matchedTrack ?? 0, file.state?.matchedEnd ?? 0) }
        return passages
    }

    // MARK: Words

    private static let mostWords = 60
    private static let mostBytes: Int64 = 300

    /// Reads the first words of its text, one line; `nil` if they cannot be read, or it has no text.
    ///
    /// May wait for a file system.
    func firstWords(in document: TextDocument) -> String? {
        guard let text else { return nil }
        let end = min(text.upperBound, text.lowerBound.addingReportingOverflow(Self.mostBytes).partialValue)
        guard text.lowerBound < end, let quote = ClipQuote(text.lowerBound..<end, in: document) else { return nil }
        return Self.shortened(quote.text, isWhole: end == text.upperBound)
    }

    /// Returns the words of a text that fit into a line.
    static func shortened(_ text: String, isWhole: Bool) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        var line = ""
        for (index, word) in words.enumerated() {
            // The last one may be cut in the middle of a letter.
            let isCut = !isWhole && index == words.count - 1
            guard !isCut, line.count + word.count < mostWords else {
                return (line.isEmpty ? String(word.prefix(mostWords)) : line) + "…"
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line
    }
}

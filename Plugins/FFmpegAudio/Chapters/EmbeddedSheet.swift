// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// A cue sheet in a tag of the file: `CUESHEET` of Vorbis comments, APE, ID3 (TXXX) and MP4.
///
/// It describes the file that it is in. Invalid entries are left out, because nobody can correct them.
enum EmbeddedSheet {
    private static let cdFrame = AVRational(num: 1, den: 75)

    static func read(_ container: Container) -> [ListedChapter] {
        Tags(container)["CUESHEET"].map(parse) ?? []
    }

    static func parse(_ text: String) -> [ListedChapter] {
        var chapters: [ListedChapter] = []
        var files = 0
        var isInTrack = false
        var title: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            let rest = words.count > 1 ? words[1] : ""
            switch words.first?.uppercased() {
            case "FILE":
                files += 1
                // The rest describes another file.
                if files > 1 { return chapters }
            case "TRACK":
                title = nil
                isInTrack = rest.uppercased().hasSuffix("AUDIO")
            case "TITLE" where isInTrack:
                title = EncodedText.plain(rest.trimmingQuotes)
            case "INDEX" where isInTrack:
                let parts = rest.split(whereSeparator: \.isWhitespace)
                guard parts.count == 2, Int(parts[0]) == 1, let frames = frames(parts[1]),
                    frames >= chapters.last?.start.value ?? 0
                else { continue }
                chapters.append(
                    ListedChapter(start: .init(value: frames, base: cdFrame), end: nil, title: title))
                isInTrack = false
            default: break
            }
        }
        return chapters
    }

    /// Parses `MM:SS:FF`, with 75 frames a second, and returns the number of frames.
    private static func frames(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
            (0..<1_000_000).contains(minutes), (0..<60).contains(seconds), (0..<75).contains(frames)
        else { return nil }
        return (minutes * 60 + seconds) * 75 + frames
    }
}

extension Substring {
    fileprivate var trimmingQuotes: String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}

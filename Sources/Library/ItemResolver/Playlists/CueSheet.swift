// SPDX-License-Identifier: Apache-2.0

/// A cue sheet, which lists files and the tracks that begin in them.
struct CueSheet: Equatable {
    struct Track: Equatable {
        var number: Int
        /// The index into `files`, or `nil` if the sheet names no file before this track.
        var file: Int?
        var title: String?
        var isAudio: Bool
        /// The time of INDEX 01, in CD frames (1/75 s) from the beginning of the file.
        var start: Int64
    }

    struct Failure: Error, Equatable {
        /// The number of the line, from 1.
        var line: Int
        var message: String
    }

    var title: String?
    var files: [String] = []
    var tracks: [Track] = []

    static let framesPerSecond: Int64 = 75

    init(_ bytes: [UInt8]) throws(Failure) {
        var parser = CueSheetParser()
        for (number, line) in zip(1..., TextDecoding.lines(bytes)) {
            try parser.read(line, number: number)
        }
        try parser.finish()
        title = parser.title
        files = parser.files
        tracks = parser.tracks
    }
}

/// Parses a sheet line by line.
private struct CueSheetParser {
    var title: String?
    var files: [String] = []
    var tracks: [CueSheet.Track] = []

    private var hasCatalog = false
    private var trackLine = 0
    /// The time of the last INDEX of the current track, in frames.
    private var lastIndex: Int64?
    private var lastIndexNumber: Int64?
    private var hasStart = false
    private var lineNumber = 0

    mutating func read(_ line: Substring, number: Int) throws(CueSheet.Failure) {
        lineNumber = number
        let keyword = line.prefix { !$0.isWhitespace }
        let rest = TextDecoding.trimmed(line[keyword.endIndex...])
        switch keyword.uppercased() {
        case "CATALOG":
            if hasCatalog { throw failure("a second CATALOG") }
            hasCatalog = true
        case "FILE": files.append(try file(rest))
        case "TRACK": try beginTrack(rest)
        case "TITLE":
            let text = Self.unquoted(rest)
            if text.isEmpty { break }
            if tracks.isEmpty { title = text } else { tracks[tracks.count - 1].title = text }
        case "INDEX": try index(rest)
        default: break
        }
    }

    mutating func finish() throws(CueSheet.Failure) {
        try endTrack()
        if tracks.isEmpty { throw failure("no TRACK in it") }
    }

    private func failure(_ message: String) -> CueSheet.Failure {
        CueSheet.Failure(line: lineNumber, message: message)
    }

    /// Parses `"name" TYPE` or `name TYPE`.
    private func file(_ rest: Substring) throws(CueSheet.Failure) -> String {
        let name: Substring
        if rest.first == "\"" {
            guard let end = rest.lastIndex(of: "\""), end > rest.startIndex else {
                throw failure("a quote is not closed")
            }
            name = rest[rest.index(after: rest.startIndex)..<end]
        } else {
            let words = rest.split(whereSeparator: \.isWhitespace)
            name = words.count > 1 ? TextDecoding.trimmed(rest.dropLast(words[words.count - 1].count)) : rest
        }
        if name.isEmpty { throw failure("FILE without a name") }
        return String(name)
    }

    private mutating func beginTrack(_ rest: Substring) throws(CueSheet.Failure) {
        try endTrack()
        let words = rest.split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, let number = Int(words[0]), number > 0 else {
            throw failure("TRACK without a number and a type")
        }
        if let last = tracks.last, number <= last.number { throw failure("TRACK \(number) after TRACK \(last.number)") }
        tracks.append(
            CueSheet.Track(
                number: number, file: files.indices.last, isAudio: words[1].uppercased() == "AUDIO", start: 0))
        trackLine = lineNumber
        lastIndex = nil
        lastIndexNumber = nil
        hasStart = false
    }

    private func endTrack() throws(CueSheet.Failure) {
        guard let track = tracks.last, !hasStart else { return }
        throw CueSheet.Failure(line: trackLine, message: "TRACK \(track.number) has no INDEX 01")
    }

    private mutating func index(_ rest: Substring) throws(CueSheet.Failure) {
        guard !tracks.isEmpty else { throw failure("INDEX before the first TRACK") }
        let words = rest.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let number = Int64(words[0]), (0...99).contains(number) else {
            throw failure("INDEX without a number and a time")
        }
        guard let offset = Self.frames(words[1]) else { throw failure("the time \(words[1]) is not MM:SS:FF") }
        if let lastIndexNumber, number <= lastIndexNumber {
            throw failure("INDEX \(number) after INDEX \(lastIndexNumber)")
        }
        // A track may begin with its gap at the end of one file and continue in the next.
        let last = tracks.count - 1
        if tracks[last].file != files.indices.last {
            tracks[last].file = files.indices.last
            lastIndex = nil
        }
        if let lastIndex, offset <= lastIndex { throw failure("INDEX \(number) is not after the one before it") }
        if number == 1 {
            if let before = tracks.dropLast().last, before.file == tracks[last].file, offset <= before.start {
                throw failure("TRACK \(tracks[last].number) does not begin after the one before it")
            }
            tracks[last].start = offset
            hasStart = true
        }
        lastIndex = offset
        lastIndexNumber = number
    }

    private static func frames(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let minutes = Int64(parts[0]), let seconds = Int64(parts[1]), let frames = Int64(parts[2]),
            minutes < 1_000_000, seconds < 60, frames < CueSheet.framesPerSecond
        else { return nil }
        return (minutes * 60 + seconds) * CueSheet.framesPerSecond + frames
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}

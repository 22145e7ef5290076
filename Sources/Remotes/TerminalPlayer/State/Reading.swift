// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The text that is being read aloud: what of it is at hand, and what of that the window shows.
struct Reading: Sendable {
    /// The bytes that are asked for at a time, and how many of them lie before the place.
    private static let limit = TextPassageRequest.limits.upperBound
    private static let before: Int64 = 32_768
    /// The bytes behind the voice, and around a window that was scrolled, that must be at hand.
    private static let ahead: Int64 = 2000
    private static let around: Int64 = 8000

    private(set) var passage: DisplayedText?
    /// The news of sentences that are known by now; `nil` once what they are about was asked for.
    private var news: TextProgress?
    /// The place for which the text was asked for last; `nil` once it has come.
    private var asked: Int64?
    /// The reason why the text cannot be shown; `nil` unless it was asked for in vain.
    private(set) var fault: String?
    /// The words that are heard, or the sentence if a recording plays; `nil` if nothing tells it.
    private(set) var voice: Range<Int64>?
    /// The byte of the first line shown; `nil` while the window follows the voice.
    var top: Int64?
    /// The byte from which the listener wants to hear; when the voice is there, the window follows it again.
    var awaited: Int64?
    var search = TextSearch()
    /// The passage in lines, and their width; breaking a long text takes time.
    private(set) var lines: [DisplayedText.Line] = []
    private var columns = 0

    mutating func arrange(_ columns: Int) {
        guard self.columns != columns || lines.isEmpty else { return }
        self.columns = columns
        lines = passage?.lines(columns: columns) ?? []
    }

    /// The last line that begins at or before a byte.
    func line(at byte: Int64) -> Int {
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].range.lowerBound <= byte { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// Returns what has to be asked for, so that the window has its text; `nil` if nothing has.
    ///
    /// What was asked for in vain is asked for again only when the voice or the listener has gone on.
    mutating func request() -> TextPassageRequest? {
        if let request = requestOfSentences() { return request }
        guard let place = top ?? voice?.lowerBound else { return requestOfRecording() }
        guard !has(place) else { return nil }
        if let asked, abs(asked - place) < 1000 { return nil }
        asked = place
        return TextPassageRequest(fromByte: max(0, place - Self.before), limit: Self.limit)
    }

    /// Takes note that more sentences of a text are known.
    mutating func learn(_ progress: TextProgress) {
        if progress.uri == news?.uri, progress.end <= news?.end ?? 0 { return }
        news = progress
    }

    /// Returns the request for a part that came before its sentences were known, if they are by now.
    ///
    /// The news may come before the part.
    private mutating func requestOfSentences() -> TextPassageRequest? {
        guard let passage, let known = passage.known, let news, news.uri == passage.uri, news.end > known else {
            return nil
        }
        self.news = nil
        return TextPassageRequest(fromByte: passage.offset, limit: Self.limit)
    }

    /// Returns the request for the text at the place of a recording, which only the session knows.
    private mutating func requestOfRecording() -> TextPassageRequest? {
        guard asked == nil, fault == nil else { return nil }
        asked = -1
        return TextPassageRequest(fromByte: nil, limit: Self.limit)
    }

    private func has(_ place: Int64) -> Bool {
        guard let passage else { return false }
        let (before, behind) = top == nil ? (0, Self.ahead) : (Self.around, Self.around)
        return (passage.offset <= 0 || place - before >= passage.offset)
            && (passage.end >= passage.size || place + behind <= passage.end)
    }

    mutating func take(_ passage: DisplayedText) {
        self.passage = passage
        fault = nil
        lines = []
        if let asked, asked < 0 || has(asked) { self.asked = nil }
    }

    mutating func fail(_ reason: String) { fault = reason }

    /// Forgets what was asked for: its session is gone.
    mutating func giveUp() {
        asked = nil
        news = nil
        fault = nil
        search.giveUp()
    }

    mutating func followVoice() { (top, awaited) = (nil, nil) }

    /// Takes note of what is heard, and follows the voice again when it is where the listener wanted it.
    ///
    /// - Parameter position: The place in milliseconds of what plays.
    mutating func hear(_ text: Status.Text?, atMs position: Int64?) {
        if let text {
            voice = text.offset..<text.offset + max(0, min(text.length, 1 << 20))
        } else if let position, let passage, passage.isOfRecording {
            voice = passage.covers(atMs: position) ? passage.sentence(atMs: position) : nil
        } else {
            voice = nil
        }
        if let awaited, let byte = voice?.lowerBound, (awaited - 2..<awaited + 4000).contains(byte) { followVoice() }
    }
}

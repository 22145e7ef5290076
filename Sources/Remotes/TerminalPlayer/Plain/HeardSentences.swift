// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The sentences that the plain player prints as they are heard: of a text that is read aloud, or of a recording whose text
/// says when each is read.
///
/// Times are monotonic, in ms.
struct HeardSentences: Sendable {
    /// The ms between two questions for the place in a text: its words have no times of their own.
    private static let textInterval: Int64 = 400
    /// The ms between two questions for another part of the text of a recording, which may have none there.
    private static let partInterval: Int64 = 2000
    /// The grades of a recording's times by which a sentence can be followed.
    private static let followed: Set<String> = ["exact", "aligned"]

    private var reading = Reading()
    private var item: String?
    /// The last sentence that was printed.
    private var said: Range<Int64>?
    private var grade: String?
    /// The monotonic time of the last question for the place in a text, or for another part of it.
    private var askedAt: Int64 = .min / 2

    /// Takes a part of the text; one of another item comes too late.
    mutating func take(_ passage: TextPassage) {
        guard (passage.recording?.uri ?? passage.uri) == item, let text = DisplayedText(passage) else { return }
        grade = passage.recording?.grade
        reading.take(text)
    }

    /// Takes note that more sentences of the text are known.
    mutating func learn(_ progress: TextProgress) { reading.learn(progress) }

    /// Notes that there is no text.
    mutating func fail(_ reason: String) { reading.fail(reason) }

    /// Forgets what was asked for: its session is gone.
    mutating func giveUp() { reading.giveUp() }

    /// Returns the sentence that is heard now, if it was not printed last, and what has to be asked for.
    mutating func hear(
        _ status: Status?, _ own: OwnPosition, at now: Int64
    ) -> (sentence: String?, request: TextPassageRequest?) {
        guard let status, let uri = status.item?.uri else { return (nil, nil) }
        if uri != item {
            (reading, said, grade, item) = (Reading(), nil, nil, uri)
        }
        guard status.status == "playing" else { return (nil, nil) }
        let position = own.at(now)
        reading.hear(status.text, atMs: position)
        if let passage = reading.passage, passage.isOfRecording, let position, !passage.covers(atMs: position),
            now >= askedAt + Self.partInterval
        {
            // The recording has gone on behind the part that is known.
            askedAt = now
            reading = Reading()
        }
        // Where nothing is heard that the part has, there is nothing to ask for.
        let request = reading.passage == nil || reading.voice != nil ? reading.request() : nil
        guard let passage = reading.passage, !passage.isOfRecording || grade.map(Self.followed.contains) ?? false,
            let voice = reading.voice, let sentence = passage.sentence(at: voice.lowerBound),
            sentence.lowerBound <= voice.lowerBound, sentence != said
        else { return (nil, request) }
        said = sentence
        return (passage.words(sentence), request)
    }

    /// Returns the ms until another sentence may be heard; `nil` if nothing is heard.
    func nextChange(_ status: Status?, _ own: OwnPosition, at now: Int64) -> Int64? {
        guard let status, status.status == "playing", status.rate > 0, let passage = reading.passage else { return nil }
        guard passage.isOfRecording else { return max(0, askedAt + Self.textInterval - now) }
        guard let position = own.at(now), let next = passage.times.first(where: { $0 > position }) else {
            return Self.textInterval
        }
        return max(20, Int64((Double(next - position) / status.rate).rounded(.up)))
    }

    /// Returns `true` if the place in a text has to be asked for again.
    mutating func asksForPlace(_ status: Status?, at now: Int64) -> Bool {
        guard status?.status == "playing", let passage = reading.passage, !passage.isOfRecording,
            now >= askedAt + Self.textInterval
        else { return false }
        askedAt = now
        return true
    }
}

extension DisplayedText {
    /// Returns the words of a stretch of the document in one line, as far as they are in this part.
    func words(_ range: Range<Int64>) -> String? {
        let from = Int(clamping: max(0, range.lowerBound - offset))
        let to = Int(clamping: min(max(0, range.upperBound - offset), Int64(bytes.count)))
        guard from < to else { return nil }
        let line = String(decoding: bytes[from..<to], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return line.isEmpty ? nil : line.joined(separator: " ").printable
    }
}

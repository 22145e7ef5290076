// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// A search in the text that is being read aloud, one passage at a time: to the end, and then from the beginning.
struct TextSearch: Sendable, Hashable {
    /// The most characters of what is searched for.
    static let longest = 200
    /// The least bytes by which a passage must bring the search on.
    private static let shortestStep: Int64 = 1024

    private(set) var words = ""
    private(set) var isTyping = false
    /// The place that was found last.
    private(set) var match: Range<Int64>?
    /// `true` if the text does not have the words.
    private(set) var isInVain = false
    /// The number of the search that is under way; answers to others come too late.
    private(set) var number = 0
    private var round: Round?

    private struct Round: Hashable {
        /// The place where it began.
        var origin: Int64
        /// The first byte that was not looked at.
        var place: Int64
        var size: Int64 = 0
        var isWrapped = false
    }

    /// `true` if there is something to look for again.
    var isActive: Bool { !words.isEmpty }

    /// The share of the text that was looked at, 0 to 1; `nil` if no search is under way.
    var progress: Double? {
        guard let round else { return nil }
        guard round.size > 0 else { return 0 }
        let done = round.isWrapped ? round.size - round.origin + round.place : round.place - round.origin
        return min(1, max(0, Double(done) / Double(round.size)))
    }

    // MARK: - Typing

    mutating func beginTyping() {
        end()
        isTyping = true
    }

    mutating func type(_ text: String) { words = String((words + text).prefix(Self.longest)) }

    mutating func eraseLast() { words = String(words.dropLast()) }

    mutating func endTyping() { isTyping = false }

    /// Ends the search, and forgets what was found.
    mutating func end() {
        let number = number
        self = TextSearch()
        self.number = number + 1
    }

    /// Ends what is under way; the words stay.
    mutating func giveUp() {
        round = nil
        number += 1
    }

    // MARK: - Searching

    /// Begins to search from a byte on, in the passage that is at hand if that has it.
    ///
    /// - Returns: the passage to ask for; `nil` if the search is over.
    mutating func begin(from byte: Int64, in passage: DisplayedText?) -> TextPassageRequest? {
        giveUp()
        isInVain = false
        guard isActive else { return nil }
        let byte = max(0, byte)
        round = Round(origin: byte, place: byte)
        guard let passage, (passage.offset...passage.end).contains(byte) else { return request(byte) }
        return look(in: passage)
    }

    /// Goes on with a passage that was asked for; returns the next one to ask for, or `nil` if the search is over.
    mutating func look(in passage: DisplayedText) -> TextPassageRequest? {
        guard var round else { return nil }
        round.size = passage.size
        let folded = FoldedPassage(passage)
        let sought = FoldedPassage.fold(words)
        while true {
            if let found = folded.first(sought, from: round.place) {
                match = found
                self.round = nil
                return nil
            }
            // A match may begin in one passage and end in the next.
            let next = passage.end - Int64(4 * words.utf8.count + 16)
            if round.isWrapped, next >= round.origin || passage.end >= passage.size { break }
            if passage.end >= passage.size {
                guard round.origin > 0 else { break }
                (round.isWrapped, round.place) = (true, 0)
                if passage.offset <= 0 { continue }
            } else {
                guard next >= round.place + Self.shortestStep else { break }
                round.place = next
            }
            self.round = round
            return request(round.place)
        }
        self.round = nil
        isInVain = true
        match = nil
        return nil
    }

    private func request(_ byte: Int64) -> TextPassageRequest { TextPassageRequest(fromByte: byte) }
}

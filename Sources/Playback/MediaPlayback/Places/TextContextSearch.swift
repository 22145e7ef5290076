// SPDX-License-Identifier: Apache-2.0

import CGNUSource

/// Finds the words of a context in a text, whatever white space is between them.
///
/// First the words at the place are looked for, in longer and then shorter stretches; of several matches, the one nearest to
/// the old place counts. If none of them is there, words farther from the place are, and those that lie together say where.
struct TextContextSearch {
    /// A stretch of the context that is looked for.
    private struct Needle {
        var bytes: [UInt8]
        /// The byte of the needle before which the place is; beyond its ends for words farther from the place.
        var place: Int
    }

    /// The bytes on both sides of the place that the stretches at the place have, in the order in which they count.
    private static let stretches = [
        (TextContext.reach, TextContext.reach), (64, 64), (0, 96), (96, 0), (28, 28), (0, 40), (40, 0),
    ]
    /// The fewest bytes that say where they are.
    private static let shortest = 16
    /// The length and the distance of the stretches farther from the place.
    private static let (window, step) = (28, 14)
    private static let chunk = 1 << 20
    /// The matches of one stretch at the place that are looked at in one part of the text.
    private static let mostMatches = 4096
    /// The matches of one stretch farther from it; words that are everywhere say nothing.
    private static let mostGuesses = 512

    private let context: TextContext
    private let exact: [Needle]
    private let distant: [Needle]

    init(_ context: TextContext) {
        self.context = context
        let before = Self.folded(context.before, 0).bytes
        let after = Self.folded(context.after, 0).bytes
        // The space at the place, if there is one, is on one side only.
        let own = before.last == 0x20 && after.first == 0x20 ? before + after.dropFirst() : before + after
        let place = before.count
        exact = Self.stretches.compactMap { head, tail in
            let (first, last) = (max(0, place - head), min(own.count, place + tail))
            guard last - first >= min(Self.shortest, own.count), last > first else { return nil }
            return Needle(bytes: Array(own[first..<last]), place: place - first)
        }
        distant = stride(from: 0, through: max(0, own.count - Self.window), by: Self.step).compactMap { first in
            guard own.count >= first + Self.window else { return nil }
            return Needle(bytes: Array(own[first..<first + Self.window]), place: place - first)
        }
    }

    func place(in text: Int32) -> (position: Int64, match: TextContext.Match)? {
        var nearest = [Int64?](repeating: nil, count: exact.count)
        guard scan(text, { near(&nearest, $0) }) else { return nil }
        if let found = nearest.lazy.compactMap(\.self).first { return (found, .moved) }
        var guesses = [[Int64]](repeating: [], count: distant.count)
        guard scan(text, { guess(&guesses, $0) }) else { return nil }
        return agreed(guesses).map { ($0, .near) }
    }

    /// Notes where the stretches at the place are in a part of the text.
    private func near(_ nearest: inout [Int64?], _ part: Folded) {
        for (index, needle) in exact.enumerated() {
            matches(of: needle.bytes, in: part.bytes, upTo: Self.mostMatches) { match in
                let place = part.offset(match + needle.place)
                if let known = nearest[index], abs(known - context.position) <= abs(place - context.position) { return }
                nearest[index] = place
            }
        }
    }

    /// Notes where the stretches farther from the place say that it is.
    private func guess(_ guesses: inout [[Int64]], _ part: Folded) {
        for (index, needle) in distant.enumerated() where guesses[index].count < Self.mostGuesses {
            matches(of: needle.bytes, in: part.bytes, upTo: Self.mostGuesses) { match in
                // The overlap is seen twice.
                let guess = max(0, part.offset(match) + Int64(needle.place))
                if guesses[index].last != guess { guesses[index].append(guess) }
            }
        }
    }

    /// Goes through the text once; returns `false` if it cannot be read.
    private func scan(_ text: Int32, _ look: (Folded) -> Void) -> Bool {
        // A match that begins in one part may end in the next.
        let overlap = 8 * TextContext.reach
        var start: Int64 = 0
        while true {
            guard let bytes = TextBytes.read(text, from: start, count: Self.chunk + overlap) else { return false }
            look(Self.folded(bytes, start))
            guard bytes.count == Self.chunk + overlap else { return true }
            start += Int64(Self.chunk)
        }
    }

    /// Returns the place of which most stretches say that it is there, if at least two of them do.
    private func agreed(_ guesses: [[Int64]]) -> Int64? {
        let all = guesses.indices.flatMap { index in guesses[index].map { (place: $0, needle: index) } }
            .sorted { $0.place < $1.place }
        var best: (votes: Int, place: Int64)?
        var first = 0
        for last in all.indices {
            while all[last].place - all[first].place > Int64(2 * TextContext.reach) { first += 1 }
            // Only the newest are counted: a phrase that is repeated says nothing new.
            let members = all[max(first, last - 64)...last]
            let votes = Set(members.map(\.needle)).count
            // Of the stretches that agree, the one nearest to the place knows it best.
            guard votes > 1, let closest = members.min(by: { distance($0.needle) < distance($1.needle) }) else {
                continue
            }
            let place = closest.place
            if let best, (best.votes, -abs(best.place - context.position)) >= (votes, -abs(place - context.position)) {
                continue
            }
            best = (votes, place)
        }
        return best?.place
    }

    /// The bytes between a stretch and the place.
    private func distance(_ needle: Int) -> Int {
        let needle = distant[needle]
        return needle.place < 0 ? -needle.place : max(0, needle.place - needle.bytes.count)
    }

    private func matches(of needle: [UInt8], in part: [UInt8], upTo most: Int, _ found: (Int) -> Void) {
        part.withUnsafeBytes { part in
            guard let start = part.baseAddress else { return }
            var (from, left) = (0, most)
            while left > 0, from + needle.count <= part.count {
                let match = gnu_find(start + from, part.count - from, needle, needle.count)
                guard match >= 0 else { return }
                found(from + match)
                from += match + 1
                left -= 1
            }
        }
    }

    /// A part of a text with single spaces in it, and where its bytes were.
    private struct Folded {
        var bytes: [UInt8]
        /// The bytes of the text at which each byte was, from `start`; and the end.
        var offsets: [Int32]
        var start: Int64

        func offset(_ index: Int) -> Int64 {
            start + Int64(offsets[min(max(0, index), offsets.count - 1)])
        }
    }

    /// Makes each run of white space a space; a sentence stays the same when its lines are broken elsewhere.
    private static func folded(_ bytes: [UInt8], _ start: Int64) -> Folded {
        var result = Folded(bytes: [], offsets: [], start: start)
        result.bytes.reserveCapacity(bytes.count)
        result.offsets.reserveCapacity(bytes.count + 1)
        var isSpace = false
        for (index, byte) in bytes.enumerated() {
            let wasSpace = isSpace
            isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
            if isSpace, wasSpace { continue }
            result.bytes.append(isSpace ? 0x20 : byte)
            result.offsets.append(Int32(index))
        }
        result.offsets.append(Int32(bytes.count))
        return result
    }
}

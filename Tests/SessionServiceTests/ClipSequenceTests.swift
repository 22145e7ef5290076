// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@Suite struct `Owners and clips over the whole session` {
    private static func number(_ name: String, else usual: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
    }

    /// `ROSTRUM_CLIP_FIRST` begins with another sequence, to repeat one that failed.
    @Test func `leave no second sound, no moved place, no file of nobody and no clip without audio`() async throws {
        let sequences = Self.number("ROSTRUM_CLIP_SEQUENCES", else: 40)
        let first = Self.number("ROSTRUM_CLIP_FIRST", else: 0)
        let length = Self.number("ROSTRUM_CLIP_MOVES", else: 30)
        for seed in first..<first + sequences {
            let moves = SessionMove.sequence(seed: UInt64(seed), count: length)
            let faults = try await SessionRoom.faults(after: moves)
            guard faults.isEmpty else {
                Issue.record("sequence \(seed): \(faults.joined(separator: "\n"))")
                let least = try await Self.least(moves, Self.kind(faults))
                let why = try await SessionRoom.faults(after: least).joined(separator: "\n")
                Issue.record("the least of it: \(least.map { "\($0)" }.joined(separator: ",\n  "))\n\(why)")
                return
            }
        }
        print("\(sequences) sequences of \(length) moves, from \(first) on")
    }

    /// Sequences that once left something wrong.
    @Test(arguments: [
        // An attached owner whose next play is displaced was no longer released with its client.
        [
            SessionMove.playPart(.viewer, book: 1, from: 3_778, length: 43, loops: true, attached: true),
            .held(
                .playPart(.viewer, book: 1, from: 400, length: 43, loops: true, attached: false), door: "load clip",
                [.playAt(book: 0, 1_005)]),
            .leave(.viewer),
        ],
        // A play that came with the end of its client brought back the owner that the end had released.
        [
            .playPart(.viewer, book: 0, from: 2_253, length: 19, loops: true, attached: true),
            .together([
                .playPart(.viewer, book: 1, from: 259, length: 27, loops: true, attached: false), .leave(.viewer),
            ]),
        ],
        // The bounds that one owner had moved became those of another one that played the same clip.
        [
            .add(book: 1, from: 3_673, length: 27), .playClip(.other, 0, loops: false, attached: true),
            .range(.other, from: 2_186, length: 26, loops: true),
            .playClip(.viewer, 0, loops: false, attached: true), .release(.viewer),
        ],
        // A part that had ended began again at the beginning of the recording.
        [
            .claim(.editor, attached: false),
            .playPart(.editor, book: 0, from: 3_016, length: 4, loops: false, attached: true),
            .time(milliseconds: 1_968), .guestResume(.editor),
        ],
    ])
    func `are right after sequences that once went wrong`(_ moves: [SessionMove]) async throws {
        #expect(try await SessionRoom.faults(after: moves) == [])
    }

    /// Returns the words by which a fault is told apart from others.
    private static func kind(_ faults: [String]) -> String {
        faults.dropFirst().first?.split(separator: " ").filter { $0.allSatisfy(\.isLetter) }.prefix(4).joined(
            separator: " ")
            ?? ""
    }

    /// Leaves moves out for as long as the same is still wrong.
    private static func least(_ moves: [SessionMove], _ kind: String) async throws -> [SessionMove] {
        var moves = moves
        var size = moves.count / 2
        while size > 0 {
            var index = 0
            while index < moves.count {
                var fewer = moves
                fewer.removeSubrange(index..<min(moves.count, index + size))
                let faults = try await SessionRoom.faults(after: fewer)
                if faults.isEmpty || Self.kind(faults) != kind { index += size } else { moves = fewer }
            }
            size /= 2
        }
        return moves
    }
}

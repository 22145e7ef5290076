// SPDX-License-Identifier: Apache-2.0

import RandomTestSupport

/// An owner that takes audio focus from the listener for a while.
enum Guest: String, Sendable, CaseIterable {
    case viewer = "clip-viewer-A"
    case editor = "clip-editor-A"
    case other = "clip-editor-B"
}

/// One thing that happens in a room.
///
/// Times are in quarters of a second; clips and books are counted from 0, and wrap.
indirect enum SessionMove: Sendable, Hashable {
    // The listener, whose owner is `main`.
    case play(book: Int)
    case playAt(book: Int, Int)
    case pause, resume, toggle, stop
    case seek(Int)
    case skip(Int)
    /// The rate in quarters.
    case rate(Int)
    // Guests.
    case claim(Guest, attached: Bool)
    case playClip(Guest, Int, loops: Bool, attached: Bool)
    case playPart(Guest, book: Int, from: Int, length: Int, loops: Bool, attached: Bool)
    case range(Guest, from: Int, length: Int, loops: Bool)
    case guestSeek(Guest, Int)
    case guestPause(Guest)
    case guestResume(Guest)
    case release(Guest)
    /// The guest's client disconnects.
    case leave(Guest)
    // Clips.
    case addHere
    case add(book: Int, from: Int, length: Int)
    case edit(Int, start: Int, end: Int)
    case note(Int)
    case delete(Int)
    case list
    // The world.
    case time(milliseconds: Int)
    case call(Bool)
    case crash
    case failCut
    /// The session ends and another one begins; if it is killed, what it does then is not finished.
    case restart(killed: Bool)
    /// The first move is held while an engine opens or cuts something; the others happen meanwhile.
    case held(SessionMove, door: String, [SessionMove])
    /// The moves begin at the same time.
    case together([SessionMove])
}

extension SessionMove {
    /// Returns a random sequence.
    static func sequence(seed: UInt64, count: Int) -> [SessionMove] {
        var random = SplitMix(state: seed &* 0x9E37_79B9)
        return (0..<count).map { _ in any(&random) }
    }

    private static func any(_ random: inout SplitMix) -> SessionMove {
        switch random.next(below: 100) {
        case 0..<26: listener(&random)
        case 26..<50: guest(&random)
        case 50..<62: clip(&random)
        case 62..<78: .time(milliseconds: 4 * (1 + random.next(below: 700)))
        case 78..<84: .call(random.next(below: 3) == 0)
        case 84..<87: .crash
        case 87..<88: .failCut
        case 88..<90: .restart(killed: random.next(below: 2) == 0)
        case 90..<95:
            .held(
                held(&random), door: "load clip",
                (0...random.next(below: 3)).map { _ in random.next(below: 2) == 0 ? listener(&random) : guest(&random) }
            )
        case 95..<97:
            .held(
                clip(&random), door: "cut",
                (0...random.next(below: 3)).map { _ in random.next(below: 3) == 0 ? guest(&random) : clip(&random) })
        default:
            .together(
                (0...1 + random.next(below: 2)).map { _ in random.next(below: 2) == 0 ? clip(&random) : guest(&random) }
            )
        }
    }

    private static func listener(_ random: inout SplitMix) -> SessionMove {
        let book = random.next(below: 2)
        return switch random.next(below: 12) {
        case 0...2: .play(book: book)
        case 3: .playAt(book: book, random.next(below: 4_000))
        case 4: .pause
        case 5, 6: .resume
        case 7: .toggle
        case 8: random.next(below: 3) == 0 ? .stop : .pause
        case 9: .seek(random.next(below: 4_000))
        case 10: .skip(random.next(below: 400) - 200)
        default: .rate(2 + random.next(below: 11))
        }
    }

    private static func held(_ random: inout SplitMix) -> SessionMove {
        let guest = Guest.allCases[random.next(below: 3)]
        let (loops, attached) = (random.next(below: 2) == 0, random.next(below: 2) == 0)
        return random.next(below: 2) == 0
            ? .playClip(guest, random.next(below: 5), loops: loops, attached: attached)
            : .playPart(
                guest, book: random.next(below: 2), from: random.next(below: 4_000), length: 4 + random.next(below: 40),
                loops: loops, attached: attached)
    }

    private static func guest(_ random: inout SplitMix) -> SessionMove {
        let guest = Guest.allCases[random.next(below: 3)]
        switch random.next(below: 14) {
        case 0, 1: return .claim(guest, attached: random.next(below: 2) == 0)
        case 2...5: return held(&random)
        case 6, 7:
            return .range(
                guest, from: random.next(below: 4_000), length: 4 + random.next(below: 40),
                loops: random.next(below: 3) > 0)
        case 8: return .guestSeek(guest, random.next(below: 4_000))
        case 9: return .guestPause(guest)
        case 10: return .guestResume(guest)
        case 11, 12: return .release(guest)
        default: return .leave(guest)
        }
    }

    private static func clip(_ random: inout SplitMix) -> SessionMove {
        let clip = random.next(below: 5)
        return switch random.next(below: 10) {
        case 0: .addHere
        case 1, 2:
            .add(book: random.next(below: 2), from: random.next(below: 4_000), length: 4 + random.next(below: 40))
        case 3...6: .edit(clip, start: random.next(below: 16) - 8, end: random.next(below: 16) - 8)
        case 7: .note(clip)
        case 8: .delete(clip)
        default: .list
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FFmpegAudio

/// Tests with frames of 100 samples, a minute of 1000 and a track that ends at 5000.
@Suite struct DecodingPlaceTests {
    private func find(_ stamped: Int64?, _ place: inout DecodingPlace, trusts: Bool = true) -> DecodingPlace.Finding? {
        place.find(stamped: stamped, trusts: trusts, minute: 1000, end: 5000)
    }

    /// Decodes frames with these time stamps, all of them audible, and returns where they begin.
    private func positions(
        _ stamps: [Int64?], atStart: Bool = false, trusts: Bool = true, begins: Int64? = nil
    ) -> [Int64?] {
        var place = DecodingPlace(atStart: atStart)
        if let begins { place.begin(at: begins) }
        return stamps.map { stamped in
            guard let found = find(stamped, &place, trusts: trusts) else { return nil }
            place.note(frameAt: found.raw, next: found.raw + 100)
            _ = place.noteSound(isLate: false)
            return found.raw
        }
    }

    @Test(
        arguments: [
            ("as stamped", [300, 400, 500], true, [300, 400, 500]),
            ("without stamps", [300, nil, nil], true, [300, 400, 500]),
            ("unknown until a stamp comes", [nil, nil, 300, nil], true, [nil, nil, 300, 400]),
            ("a gap", [300, 450, 550], true, [300, 450, 550]),
            ("a stamp that goes back", [300, 350, 500], true, [300, 400, 500]),
            ("a gap longer than the track", [300, 90_000, 500], true, [300, 400, 500]),
            ("one wrong stamp in Ogg", [300, 450, 500, 600], false, [300, 400, 500, 600]),
            ("a gap in Ogg, which takes two stamps", [300, 450, 550, 650], false, [300, 400, 550, 650]),
            ("two stamps in Ogg that disagree", [300, 450, 560, 600], false, [300, 400, 500, 600]),
        ] as [(String, [Int64?], Bool, [Int64?])])
    func `a frame begins behind the one before, unless its time stamp is believed`(
        _ what: String, _ stamps: [Int64?], _ trusts: Bool, _ expected: [Int64?]
    ) {
        #expect(positions(stamps, trusts: trusts) == expected, "\(what)")
    }

    @Test func `before anything is heard, a time stamp is right`() {
        var place = DecodingPlace(atStart: true)
        place.begin(at: 300)
        #expect(find(250, &place) == .init(raw: 250))
    }

    @Test func `at the start of a file, stamps that go back shift the track`() {
        var place = DecodingPlace(atStart: true)
        place.begin(at: 0)
        place.note(frameAt: 0, next: 100)
        _ = place.noteSound(isLate: false)
        #expect(find(90, &place) == .init(raw: 90, shift: -10))
        place = DecodingPlace(atStart: false)
        place.begin(at: 0)
        place.note(frameAt: 0, next: 100)
        _ = place.noteSound(isLate: false)
        #expect(find(90, &place) == .init(raw: 100))
    }

    @Test func `a gap is damage, which the next sound carries once`() {
        var place = DecodingPlace(atStart: true)
        place.begin(at: 0)
        place.note(frameAt: 0, next: 100)
        #expect(place.noteSound(isLate: false) == false)
        #expect(find(150, &place) == .init(raw: 150))
        #expect(place.hasPendingDamage)
        #expect(place.noteSound(isLate: false) == true)
        #expect(place.noteSound(isLate: false) == false)
        place.note(frameAt: 150, next: 250)
        #expect(find(240, &place) == .init(raw: 250), "the start is not shifted behind damage")
    }

    @Test func `sound that begins behind the target of a seek is damaged, and damage before it is not missed`() {
        var place = DecodingPlace(atStart: false)
        place.noteDamage()
        place.noteSilence()
        #expect(!place.hasPendingDamage)
        #expect(place.noteSound(isLate: true) == true)
        #expect(place.noteSound(isLate: true) == false, "only its first samples")
    }

    @Test func `a place remembers where it landed`() {
        var place = DecodingPlace(atStart: false)
        #expect(place.landed == nil && place.next == nil && !place.isAtEnd && !place.isDraining)
        place.note(frameAt: 700, next: 800)
        place.note(frameAt: 800, next: 900)
        #expect(place.landed == 700 && place.next == 900)
        place.drain()
        place.noteEnd()
        #expect(place.isAtEnd && place.isDraining)
    }
}

// SPDX-License-Identifier: Apache-2.0

import PassageMap
import RandomTestSupport
import Testing

@Suite struct `The passages of a text in its recording` {
    private typealias Passage = PassageMap.Passage

    /// A prologue, a sentence, text that was left out, a sentence.
    private let map = PassageMap([
        Passage(sound: 0..<10, text: 0..<0, grade: .aligned, error: 0.2),
        Passage(sound: 10..<12, text: 0..<40, grade: .aligned, error: 0.1),
        Passage(sound: 12..<12, text: 40..<100, grade: .aligned, error: 0.2),
        Passage(sound: 12..<16, text: 100..<180, grade: .aligned, error: 0.1),
    ])

    @Test(arguments: [
        (-1.0, 0 as Int64), (0, 0), (9.9, 0), (10, 0), (11, 20), (11.99, 39), (12, 100), (14, 140), (16, 180),
        (99, 180),
    ]) func `have a byte for each time`(seconds: Double, byte: Int64) {
        #expect(map.byte(at: seconds)?.value == byte)
    }

    @Test(arguments: [
        (-5 as Int64, 10.0), (0, 10), (20, 11), (39, 11.95), (40, 12), (99, 12), (100, 12), (140, 14), (180, 16),
        (999, 16),
    ]) func `have a time for each byte`(byte: Int64, seconds: Double) {
        #expect(map.seconds(at: byte)?.value == seconds)
    }

    @Test(arguments: [
        (16.0, PassageGrade.aligned, 0.1), (26, .anchored, 10.1), (75, .anchored, 59.1), (77, .unknown, 61.1),
        (-10, .anchored, 10.2),
    ]) func `tell the less, the farther a time lies outside`(seconds: Double, grade: PassageGrade, error: Double) throws
    {
        let place = try #require(map.byte(at: seconds))
        #expect(place.grade == grade && abs(place.error - error) < 0.01, "\(place)")
    }

    /// The reader says 20 bytes in a second.
    @Test(arguments: [
        (179 as Int64, PassageGrade.aligned, 0.1), (380, .anchored, 10.1), (1_400, .unknown, 61.1), (0, .aligned, 0.1),
        (70, .aligned, 0.2),
    ]) func `tell the less, the farther a byte lies outside`(byte: Int64, grade: PassageGrade, error: Double) throws {
        let place = try #require(map.seconds(at: byte))
        #expect(place.grade == grade && abs(place.error - error) < 0.01, "\(place)")
    }

    @Test func `tell the less of text before the first of them`() throws {
        let map = PassageMap([Passage(sound: 10..<12, text: 400..<440, grade: .aligned, error: 0.1)])
        let near = try #require(map.seconds(at: 200))
        #expect(near.value == 10 && near.grade == .anchored && abs(near.error - 10.1) < 0.01)
    }

    @Test func `tell of the text that is not to be heard between two times`() {
        #expect(map.text(in: 11..<12) == 20..<100)
        #expect(map.text(in: 2..<8) == nil, "an announcement")
    }

    @Test func `are left out where they go back, and joined where they leave a gap`() {
        let map = PassageMap([
            Passage(sound: 0..<1, text: 0..<10, grade: .aligned, error: 0.1),
            Passage(sound: 0.5..<2, text: 10..<20, grade: .aligned, error: 0.1),
            Passage(sound: 3..<4, text: 5..<20, grade: .aligned, error: 0.1),
            Passage(sound: 5..<6, text: 50..<60, grade: .aligned, error: 0.3),
            Passage(sound: 6..<7, text: 60..<70, grade: .aligned, error: .nan),
            Passage(sound: .infinity ..< .infinity, text: 60..<70, grade: .aligned, error: 0),
        ])
        #expect(map.passages.map(\.grade) == [.aligned, .anchored, .aligned])
        #expect(map.passages[1] == Passage(sound: 1..<5, text: 10..<50, grade: .anchored, error: 0.3))
        let middle = map.byte(at: 3)
        #expect(middle?.value == 30 && middle?.grade == .anchored)
        #expect(abs((middle?.error ?? 0) - (0.3 + 2 * PassageMap.pace)) < 0.001, "two seconds from what is known")
    }

    @Test func `pass evenly where nothing but the lengths is known`() {
        let map = PassageMap.proportional(duration: 100, text: 1000..<2000)
        #expect(map.grade == .proportional)
        #expect(map.byte(at: 50)?.value == 1500 && map.seconds(at: 1250)?.value == 25)
        #expect(abs((map.byte(at: 50)?.error ?? 0) - (30 + 50 * PassageMap.pace)) < 0.001)
        for nothing in [(0.0, 0..<10 as Range<Int64>), (.infinity, 0..<10), (.nan, 0..<10), (5, 3..<3)] {
            let map = PassageMap.proportional(duration: nothing.0, text: nothing.1)
            #expect(map.grade == .unknown && map.byte(at: 1) == nil && map.seconds(at: 1) == nil)
        }
    }

    @Test func `lie between chapters that are known`() {
        let map = PassageMap.anchored(
            [(10, 100), (20, 100), (60, 600), (50, 700), (70, 500), (.nan, 800), (200, 900)], duration: 110,
            text: 0..<1100)
        #expect(map.passages.map(\.sound) == [0..<10, 10..<60, 60..<110])
        #expect(map.passages.map(\.text) == [0..<100, 100..<600, 600..<1100])
        #expect(map.passages.map(\.grade) == [.proportional, .anchored, .anchored])
        #expect(map.byte(at: 35)?.value == 350 && map.grade == .anchored)
        #expect(abs((map.byte(at: 60)?.error ?? 0) - 15) < 0.001, "nothing but the announcement of the chapter")
    }

    @Test func `lead there and back to the same byte, whatever was rounded to a frame`() {
        var random = SplitMix(state: 7)
        for _ in 0..<200 {
            var passages: [Passage] = []
            var (sound, text) = (Double.random(in: 0..<30, using: &random), Int64(0))
            for _ in 0..<50 {
                let (seconds, bytes) = (
                    Double.random(in: 0.5..<12, using: &random), Int64.random(in: 8..<200, using: &random)
                )
                passages.append(
                    Passage(
                        sound: sound..<sound + seconds, text: text..<text + bytes, grade: .aligned, error: 0.1))
                sound += seconds + (Bool.random(using: &random) ? 0 : 1.5)
                text += bytes + (Bool.random(using: &random) ? 0 : 30)
            }
            let map = PassageMap(passages)
            for passage in passages {
                let start = passage.text.lowerBound
                guard let there = map.seconds(at: start) else { continue }
                let frame = (there.value * 22_050).rounded(.down) / 22_050
                #expect(map.byte(at: frame)?.value == start)
            }
        }
    }
}

@Suite struct `The chapters of a recording among the sections of a text` {
    @Test(arguments: [
        ("01 - Loomings", "CHAPTER 1. Loomings."), ("Chapter IV", "4"), ("Chapter Twelve: The Ghost", "XII. The Ghost"),
        ("moby_dick_003_melville", "Moby Dick 3, Melville"),
    ]) func `are found by words and numbers`(chapter: String, section: String) {
        let pairs = ChapterAnchors.pairs(chapters: [chapter, "x"], sections: ["Contents", section, "Notes"])
        #expect(pairs.map(\.chapter) == [0] && pairs.map(\.section) == [1])
    }

    @Test func `keep their order where titles occur twice`() {
        let pairs = ChapterAnchors.pairs(
            chapters: ["Opening credits", "Chapter 1", "Chapter 2", "Chapter 1", "Chapter 2"],
            sections: ["Book One", "I", "II", "Book Two", "I", "II", "Index"])
        #expect(pairs.map(\.chapter) == [1, 2, 3, 4] && pairs.map(\.section) == [1, 2, 4, 5])
    }

    @Test func `belong together one by one if their titles say nothing`() {
        #expect(
            ChapterAnchors.pairs(chapters: ["p001", "p002"], sections: ["To his friend", "When forty"]).count == 2)
        #expect(ChapterAnchors.pairs(chapters: ["p001", "p002"], sections: ["To his friend"]).isEmpty)
        #expect(ChapterAnchors.pairs(chapters: [], sections: ["a"]).isEmpty)
        #expect(ChapterAnchors.pairs(chapters: ["", "…"], sections: ["", "", ""]).isEmpty)
    }
}

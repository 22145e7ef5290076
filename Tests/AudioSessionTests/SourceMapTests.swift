// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite struct `The map from content to source` {
    @Test func `has a frame for each frame, at each piece's rate`() {
        let map = SourceMap()
        #expect(map.source(at: 0) == nil)
        map.begin(SourceMap.Piece(content: 0, source: 500, rate: 1, shift: 0))
        map.begin(SourceMap.Piece(content: 100, source: 600, rate: 2, shift: 0))
        map.begin(SourceMap.Piece(content: 200, source: 800, rate: 0.5, shift: 0))
        #expect([0, 99, 100, 150, 199, 200, 300].map { map.source(at: $0) } == [500, 599, 600, 700, 798, 800, 850])
    }

    @Test func `skips sound that was left out`() {
        let map = SourceMap()
        map.begin(SourceMap.Piece(content: 0, source: 0, rate: 1, shift: 0))
        map.leaveOut(from: 100, to: 400)
        map.leaveOut(from: 450, to: 1_000)
        #expect([99, 100, 149, 150, 200].map { map.source(at: $0) } == [99, 400, 449, 1_000, 1_050])
        // What is rendered again from here on has not been left out yet.
        map.begin(SourceMap.Piece(content: 120, source: 420, rate: 1, shift: 0))
        #expect([99, 100, 120, 150].map { map.source(at: $0) } == [99, 400, 420, 450])
    }

    @Test func `has the position of every frame that was read, and where blocks meet, that of the later one`() {
        let map = SourceMap()
        map.record(.unread(100, track: 0, units: 0..<200, index: 0), frames: 100)
        map.record(.unread(100, track: 1, units: 50..<150, index: 100), frames: 60)
        let places = [0, 99, 100, 159, 160].map { map.place(at: $0) }
        #expect(places == [.place(0, 0), .place(0, 198), .place(1, 50), .place(1, 109), .place(1, 110)])
        #expect(map.end == .place(1, 110))
    }

    @Test func `replaces sound that is read again`() {
        let map = SourceMap()
        map.record(.unread(100, units: 0..<100, index: 0), frames: 100)
        map.record(.unread(50, units: 700..<750, index: 40), frames: 50)
        #expect([39, 40, 89].map { map.place(at: $0) } == [.place(0, 39), .place(0, 700), .place(0, 749)])
    }

    @Test func `forgets sound that was heard`() {
        let map = SourceMap()
        map.begin(SourceMap.Piece(content: 0, source: 0, rate: 1, shift: 0))
        map.begin(SourceMap.Piece(content: 100, source: 900, rate: 1, shift: 0))
        map.forget(beforeContent: 100, source: 900)
        #expect(map.source(at: 99) == nil && map.source(at: 100) == 900)
    }
}

@Suite struct `The map from stream to content` {
    @Test func `stands still in silence`() {
        let map = StreamMap()
        #expect(map.isEmpty && map.content(at: 0) == nil)
        map.sound(at: 0, content: 0)
        map.silence(at: 100, content: 100)
        map.sound(at: 150, content: 100)
        #expect([0, 99, 100, 149, 150, 160].map { map.content(at: $0) } == [0, 99, 100, 100, 100, 110])
        map.cut(at: 150)
        #expect(map.content(at: 160) == 100)
        map.forget(before: 120)
        #expect(map.content(at: 99) == nil && map.content(at: 120) == 100)
    }
}

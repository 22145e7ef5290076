// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

/// A span opens when playback starts, closes when it is left, and is stored from 20 s on.
@Suite struct `A span of listening` {
    private static let book = ItemReference(uri: "file:///book", kind: .audio, title: "Book", items: [])

    private static func at(_ units: Int64, track: Int = 0) -> MediaPosition {
        MediaPosition(track: track, units: units)
    }

    /// Runs events, each at its second, and returns the spans: from, to, and how long.
    private func spans(_ steps: [(Int64, PlaybackEvent)]) -> [[Int64]] {
        var machine = PlaybackMachine()
        var tracker = SpanTracker()
        var spans: [ListeningSpan] = []
        for (second, event) in steps {
            let before = machine.state
            let effects = machine.handle(event)
            if let span = tracker.follow(before, machine.state, effects: effects, now: second * 1000) {
                spans.removeAll { $0.began == span.began }
                spans.append(span)
            }
        }
        return spans.map { [$0.from.units, $0.to.units, ($0.ended - $0.began) / 1000] }
    }

    private static let start: [(Int64, PlaybackEvent)] = [
        (
            0,
            .play(
                id: 1,
                PlayOrder(
                    item: book, engine: EngineID("ffmpeg"), start: at(100), provenance: .restored, owner: .main),
                heard: nil)
        ),
        (1, .loaded(generation: 1, start: at(100), unitsPerSecond: 1, needsSeek: false)),
        (2, .streamOpened(generation: 1)),
        (3, .started(generation: 1)),
    ]

    @Test func `lasts from the first sound to the pause`() {
        #expect(spans(Self.start + [(40, .pause(owner: nil, heard: Self.at(137)))]) == [[100, 137, 37]])
    }

    @Test func `does not count if it is shorter than 20 s`() {
        #expect(spans(Self.start + [(22, .pause(owner: nil, heard: Self.at(119)))]) == [])
        #expect(spans(Self.start + [(23, .pause(owner: nil, heard: Self.at(120)))]) == [[100, 120, 20]])
    }

    @Test func `is stored while it grows, since a kill comes without a pause`() {
        let growing = Self.start + [(18, PlaybackEvent.heard(generation: 1, Self.at(115)))]
        #expect(spans(growing) == [], "it may yet be none")
        #expect(spans(growing + [(23, .heard(generation: 1, Self.at(120)))]) == [[100, 120, 20]])
        let later: [(Int64, PlaybackEvent)] = [
            (23, .heard(generation: 1, Self.at(120))), (33, .heard(generation: 1, Self.at(130))),
        ]
        #expect(spans(growing + later) == [[100, 120, 20]], "not at every turn")
        #expect(spans(growing + later + [(38, .heard(generation: 1, Self.at(135)))]) == [[100, 135, 35]])
        #expect(spans(growing + later + [(40, .pause(owner: nil, heard: Self.at(137)))]) == [[100, 137, 37]])
    }

    @Test func `ends where a jump led away`() {
        #expect(
            spans(Self.start + [(33, .seek(SeekOrder(to: Self.at(500), heard: Self.at(130))))]) == [[100, 130, 30]])
    }

    @Test func `does not extend across files`() {
        #expect(
            spans(
                Self.start + [
                    (63, .heard(generation: 1, Self.at(160))), (68, .heard(generation: 1, Self.at(3, track: 1))),
                    (100, .pause(owner: nil, heard: Self.at(35, track: 1))),
                ]) == [[100, 3, 65], [3, 35, 32]])
    }

    @Test func `does not include a clip`() {
        var clip = Self.start
        guard case .play(let id, var order, let heard) = clip[0].1 else { return }
        order.owner = OwnerID("clip-viewer-1")
        clip[0].1 = .play(id: id, order, heard: heard)
        #expect(spans(clip + [(60, .pause(owner: nil, heard: Self.at(157)))]) == [])
    }
}

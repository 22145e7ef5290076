// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

let ffmpeg = EngineID("ffmpeg")
let espeak = EngineID("espeak")
let bookItem = ItemReference(uri: "file:///book.m4b", kind: .audio, title: "Book", items: ["/book.m4b"])
let textItem = ItemReference(uri: "file:///text.txt", kind: .text, title: "Text", items: ["/text.txt"])

func at(_ units: Int64) -> MediaPosition { MediaPosition(track: 0, units: units) }

func order(_ item: ItemReference, _ engine: EngineID, at start: Int64 = 0) -> PlayOrder {
    PlayOrder(item: item, engine: engine, start: at(start), provenance: .restored, owner: .main)
}

/// Short forms of events for tests.
extension PlaybackEvent {
    static func play(id: UInt64, _ order: PlayOrder) -> PlaybackEvent { .play(id: id, order, heard: nil) }
    static func resume(id: UInt64) -> PlaybackEvent { .resume(id: id, owner: nil, heard: nil) }
    static func toggle(id: UInt64) -> PlaybackEvent { .toggle(id: id, heard: nil) }
    static func seek(to target: MediaPosition, heard: MediaPosition? = nil) -> PlaybackEvent {
        .seek(SeekOrder(to: target, heard: heard))
    }
    static func loaded(generation: UInt32, start: MediaPosition) -> PlaybackEvent {
        .loaded(generation: generation, start: start, unitsPerSecond: 1000, needsSeek: false)
    }
    static let pauseNow = PlaybackEvent.pause(owner: nil, heard: nil)
    static let stopNow = PlaybackEvent.stop(owner: nil)
}

/// A driver of a machine that returns its decisions.
struct Stage {
    var machine = PlaybackMachine()
    var state: PlaybackState { machine.state }

    /// Sends events and returns what was decided, except for clocks and the history, which have tests of their own.
    @discardableResult
    mutating func on(_ events: PlaybackEvent...) -> [PlaybackEffect] {
        var effects: [PlaybackEffect] = []
        for event in events { effects += machine.handle(event) }
        return effects.filter { effect in
            switch effect {
            case .startClock, .stopClock, .jumped: false
            default: true
            }
        }
    }

    /// Sends events and returns everything that was decided.
    mutating func all(_ events: PlaybackEvent...) -> [PlaybackEffect] {
        events.flatMap { machine.handle($0) }
    }

    /// Lets the running clock run out.
    @discardableResult
    mutating func ring(heard: MediaPosition? = nil) -> [PlaybackEffect] {
        guard let clock = state.clock else { return [] }
        return on(.clock(id: clock.id, heard: heard))
    }

    /// Returns a stage on which a book is audible, as generation 1.
    static func playingBook(at start: Int64 = 0, _ item: ItemReference = bookItem) -> Stage {
        var stage = Stage()
        stage.on(
            .play(id: 1, order(item, ffmpeg, at: start)), .loaded(generation: 1, start: at(start)),
            .streamOpened(generation: 1), .started(generation: 1))
        return stage
    }
}

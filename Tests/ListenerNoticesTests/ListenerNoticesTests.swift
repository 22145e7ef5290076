// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ListenerNotices
import PlaybackCore
import Testing

/// Tests of what the listener is told, with the machine's own states.
@Suite struct `A notice on the desktop` {
    private let book = ItemReference(uri: "file:///book.m4b", kind: .audio, title: "Book", items: ["/book.m4b"])
    private let broken = PlaybackError(.defect, message: "the engine ended")
    private let noServer = PlaybackError(.io, message: "no sound server")

    /// A session whose states are followed.
    private struct Session {
        var machine = PlaybackMachine()
        var notices = ListenerNotices()
        var saveFault: String?

        /// Sends events and returns what the listener is told.
        mutating func on(_ events: PlaybackEvent...) -> [ListenerNotices.Change] {
            events.flatMap { event in
                _ = machine.handle(event)
                return notices.follow(machine.state, saveFault: saveFault)
            }
        }

        mutating func ring() -> [ListenerNotices.Change] {
            machine.state.clock.map { on(.clock(id: $0.id, heard: nil)) } ?? []
        }
    }

    private func order() -> PlayOrder {
        PlayOrder(
            item: book, engine: EngineID("ffmpeg"), start: .start, provenance: .restored, owner: .main)
    }

    private func playing() -> Session {
        var session = Session()
        let told = session.on(
            .play(id: 1, order(), heard: nil),
            .loaded(generation: 1, start: .start, unitsPerSecond: 1000, needsSeek: false),
            .streamOpened(generation: 1), .started(generation: 1))
        #expect(told == [])
        return session
    }

    @Test func `is shown of playback that is given up, and goes when it plays again`() {
        var session = playing()
        var told: [ListenerNotices.Change] = []
        for _ in 0..<20 where session.machine.state.phase != .failed {
            let generation = session.machine.state.generation
            told += session.on(.engineFailed(generation: generation, broken, heard: nil))
            if session.machine.state.phase == .loading {
                told += session.on(.loadFailed(generation: generation, broken))
            }
        }
        #expect(told == [.show(.playback, title: "“Book” has stopped", text: "the engine ended")])
        #expect(session.on(.setVolume(0.5, heard: nil)) == [])
        #expect(session.on(.resume(id: 2, owner: nil, heard: nil)) == [.withdraw(.playback)])
    }

    @Test func `is shown of an item that cannot be opened again after its engine is gone`() {
        var session = playing()
        var told = session.on(.engineGone(generation: 1, broken, heard: nil))
        for _ in 0..<20 where session.machine.state.phase == .loading {
            told += session.on(.loadFailed(generation: session.machine.state.generation, broken))
        }
        #expect(session.machine.state.phase == .failed && told.count == 1)
    }

    @Test func `is not shown of a failure that a command answers`() {
        var session = Session()
        #expect(session.on(.play(id: 1, order(), heard: nil), .loadFailed(generation: 1, broken)) == [])
    }

    @Test func `is not shown of what the listener did: a pause, a stop, unplugged headphones, a call`() {
        var session = playing()
        #expect(
            session.on(
                .routeLost, .resume(id: 2, owner: nil, heard: nil), .interruption(began: true),
                .interruption(began: false), .pause(owner: nil, heard: nil), .stop(owner: nil)) == [])
    }

    @Test func `is shown of a sound server that stays away, but not of one that restarts`() {
        var session = playing()
        #expect(session.on(.outputFailed(noServer, isDeviceGone: false, heard: nil)) == [])
        var told: [ListenerNotices.Change] = []
        var rings = 0
        while told.isEmpty, rings < 60 {
            told += session.ring()
            told += session.on(.streamFailed(generation: session.machine.state.generation, noServer))
            rings += 1
        }
        #expect(told == [.show(.output, title: "No sound server", text: "“Book” goes on as soon as there is one")])
        #expect((session.machine.state.outage ?? 0) >= 3000)
        told = session.ring()
        let generation = session.machine.state.generation
        told += session.on(.streamOpened(generation: generation), .started(generation: generation))
        #expect(told == [.withdraw(.output)])
    }

    @Test func `is shown once of a place that cannot be saved, and goes when it can`() {
        var session = playing()
        session.saveFault = "the disk is full"
        #expect(
            session.on(.heard(generation: 1, MediaPosition(track: 0, units: 5)))
                == [.show(.place, title: "The place is not saved", text: "the disk is full")])
        #expect(session.on(.pause(owner: nil, heard: nil)) == [])
        session.saveFault = nil
        #expect(session.on(.resume(id: 2, owner: nil, heard: nil)) == [.withdraw(.place)])
    }

    @Test func `is shown once if another voice goes on, and goes with that`() {
        let (text, damaged) = (
            ItemReference(uri: "file:///a.txt", kind: .text, title: "A", items: ["/a.txt"]),
            PlaybackError(.defect, message: "the voice is damaged")
        )
        func order(_ engine: String) -> PlayOrder {
            PlayOrder(item: text, engine: EngineID(engine), start: .start, provenance: .restored, owner: .main)
        }
        func loaded(_ generation: UInt32) -> PlaybackEvent {
            .loaded(generation: generation, start: .start, unitsPerSecond: 15, needsSeek: false)
        }
        var session = Session()
        #expect(
            session.on(
                .play(id: 1, order("sherpa"), heard: nil), .standIn(generation: 1, EngineID("espeak")), loaded(1),
                .streamOpened(generation: 1), .started(generation: 1)) == [])
        let message = "espeak goes on in place of sherpa: the voice is damaged"
        #expect(
            session.on(.engineFailed(generation: 1, damaged, heard: nil), loaded(2))
                == [.show(.engine, title: "“A” has another voice", text: message)])
        #expect(session.on(.streamOpened(generation: 2), .started(generation: 2)) == [])
        #expect(session.on(.play(id: 2, order("sherpa"), heard: nil)) == [.withdraw(.engine)])
        // The command is told of what it finds.
        #expect(
            session.on(
                .standIn(generation: 3, EngineID("espeak")), .loadFailed(generation: 3, damaged), loaded(4),
                .streamOpened(generation: 4), .started(generation: 4)) == [])
    }
}

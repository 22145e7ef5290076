// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import ProgressSync
import Synchronization
import Testing

/// A server that says where an item goes on, and notes what it is told.
private final class FakeServed: ServedPlaces {
    /// Locked for one access.
    private let noted = Mutex<[ServedPlace]>([])
    private let answer: ProgressState.Resumption

    init(_ answer: ProgressState.Resumption) { self.answer = answer }

    var places: [ServedPlace] { noted.withLock { $0 } }
    func note(_ place: ServedPlace) { noted.withLock { $0.append(place) } }
    func note(_ span: ListeningSpan, of item: ServedItem) {}
    func resumption(of item: ServedItem) async -> ProgressState.Resumption { answer }
}

@Suite(.timeLimit(.minutes(1))) struct `Items of a server` {
    private static let uri = "audiobookshelf://home/book-1"

    private static func record(_ milliseconds: Int64, _ provenance: Provenance) -> ProgressState.Resumption {
        .place(ProgressRecord(milliseconds: milliseconds, updatedAt: 0, provenance: provenance))
    }

    @Test func `go on where another device left them`() async throws {
        let rig = Rig(served: FakeServed(Self.record(60_000, .restored)))
        try await rig.controller.play(Rig.request(Self.uri))
        #expect(await rig.controller.snapshot().position?.units == 60_000)
    }

    @Test func `go on at the place of this machine where that was heard`() async throws {
        let rig = Rig(served: FakeServed(Self.record(60_000, .heard)))
        try await rig.controller.play(Rig.request(Self.uri))
        rig.output.hear(20_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: \(Self.uri) 20000")
        try await rig.controller.play(Rig.request(Self.uri))
        #expect(await rig.controller.snapshot().position?.units == 20_000)
    }

    @Test func `are not begun at 0 while the server may have a place`() async throws {
        let rig = Rig(served: FakeServed(.unknown))
        let error = await #expect(throws: PlaybackError.self) {
            try await rig.controller.play(Rig.request(Self.uri))
        }
        #expect(error?.kind == .unavailable)
        // The listener may say where to begin.
        try await rig.controller.play(Rig.request(Self.uri, start: .beginning))
        await rig.isAudible(1)
    }

    @Test func `that no server has are asked of none`() async throws {
        let served = FakeServed(.unknown)
        let rig = Rig(served: served)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(20_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.m4b 20000")
        #expect(served.places.isEmpty)
    }

    @Test func `are noted at a pause, with their length, as what was heard`() async throws {
        let served = FakeServed(.new)
        let rig = Rig(served: served)
        try await rig.controller.play(Rig.request(Self.uri))
        rig.output.hear(20_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: \(Self.uri) 20000")
        let place = try #require(served.places.last)
        #expect(place.record.milliseconds == 20_000)
        #expect(place.record.provenance == .heard)
        #expect(place.length > 0)
        #expect(place.isUrgent && !place.isPlaying)
        #expect(place.item.key == "book-1")
    }

    @Test func `that are paused follow, and undo leads back`() async throws {
        let rig = Rig(history: FakeHistory(), served: FakeServed(.new))
        try await rig.controller.play(Rig.request(Self.uri))
        rig.output.hear(20_000)
        await rig.controller.follow(seconds: 60, of: Self.uri)
        #expect(await rig.controller.snapshot().position?.units != 60_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: \(Self.uri) 20000")
        await rig.controller.follow(seconds: 60, of: Self.uri)
        #expect(await rig.controller.snapshot().position?.units == 60_000)
        try await rig.controller.undo()
        #expect(await rig.controller.snapshot().position?.units == 20_000)
    }

    @Test func `that stay have the other place in the history`() async throws {
        let rig = Rig(history: FakeHistory(), served: FakeServed(.new))
        try await rig.controller.play(Rig.request(Self.uri))
        rig.output.hear(60_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: \(Self.uri) 60000")
        #expect(await rig.controller.keepAside(seconds: 12, of: Self.uri))
        #expect(await !rig.controller.keepAside(seconds: 12, of: "audiobookshelf://home/book-2"))
        try await rig.controller.undo()
        #expect(await rig.controller.snapshot().position?.units == 12_000)
    }
}

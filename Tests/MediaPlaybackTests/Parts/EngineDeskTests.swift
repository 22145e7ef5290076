// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `The engines and what they have open` {
    private let id = EngineID("ffmpeg")

    private func content(_ uri: String) -> Content {
        Content(uri: uri, kind: .audio, tracks: [.file(path: "/" + uri)], title: uri)
    }

    private func media(_ uri: String, seconds: Int64? = nil) -> LoadedMedia {
        LoadedMedia(
            content: content(uri),
            description: MediaDescription(
                title: nil, author: nil, tracks: [track(seconds)], chapters: [], nativeRates: nil))
    }

    private func track(_ seconds: Int64?) -> TrackDescription {
        TrackDescription(
            timeline: TimelineTrack(
                unitsPerSecond: 1, duration: seconds, confidence: seconds == nil ? .unknown : .exact),
            format: AudioFormat(sampleRate: 44_100, channels: 2), encoding: .float32, codec: "flac", title: nil)
    }

    private func playing(_ uri: String) -> Playing {
        Playing(
            item: ItemReference(uri: uri, kind: .audio, title: uri, items: []), engine: id, position: .start,
            provenance: .restored)
    }

    @Test func `an item that was open before is still known`() {
        var desk = EngineDesk()
        desk.opened(media("a"), voice: nil, by: id)
        desk.opened(media("b"), voice: nil, by: id)
        #expect(!desk.isOpen(playing("a")) && desk.isOpen(playing("b")))
        #expect(desk.media(of: playing("a"))?.content.uri == "a")
        #expect(desk.media(of: playing("c")) == nil)
    }

    @Test func `a request to open leaves nothing open until it is answered`() {
        var desk = EngineDesk()
        desk.opened(media("a"), voice: nil, by: id)
        _ = desk.ask(id, for: content("b"))
        #expect(desk[open: id] == nil && !desk.isOpen(playing("a")))
    }

    @Test func `a request to drop an item leaves nothing open, and the item known`() {
        var desk = EngineDesk()
        desk.opened(media("a"), voice: nil, by: id)
        desk.unload(id)
        #expect(desk[open: id] == nil && desk[known: "a"] != nil)
    }

    @Test func `a removed process leaves nothing open, and an earlier one removes nothing`() {
        var desk = EngineDesk()
        func start() -> Int {
            let description = MediaDescription(title: nil, author: nil, tracks: [], chapters: [], nativeRates: nil)
            let engine = FakeEngine(id, description: description, failure: nil, tape: Tape(), gate: Gate())
            return desk.pool.add(engine) { _ in Task {} }.serial
        }
        let (first, second) = (start(), start())
        desk.opened(media("a"), voice: "amy", by: id)
        #expect(desk.isOpen(content("a"), voice: "amy", in: id) && !desk.isOpen(content("a"), voice: nil, in: id))
        #expect(desk.remove(id, serial: first) == nil && desk[open: id] != nil)
        #expect(desk.remove(id, serial: second) != nil && desk[open: id] == nil && desk.pool[id] == nil)
    }

    @Test func `a spoken mark belongs to the text that is open`() {
        var desk = EngineDesk()
        let mark = SpokenMarks.Mark(kind: .word, position: 5, length: 3)
        desk.note(mark, by: id)
        #expect(desk[open: id] == nil)
        desk.opened(media("a"), voice: nil, by: id)
        desk.note(mark, by: id)
        #expect(desk[open: id]?.marks.heard(at: 7) == mark)
        desk.forgetMarks(of: id)
        #expect(desk[open: id]?.marks.heard(at: 7) == nil)
    }

    @Test func `one process is continued by another, until that is given up`() {
        var desk = EngineDesk()
        #expect(!desk.isCarried(serial: 1))
        desk.carryOn(from: 1)
        #expect(desk.isCarried(serial: 1) && !desk.isCarried(serial: 2))
        desk.carryOn(from: 2)
        #expect(!desk.isCarried(serial: 1) && desk.isCarried(serial: 2))
        desk.giveUpCarryingOn()
        #expect(!desk.isCarried(serial: 2))
    }

    @Test func `an engine's report is applied to the item that it has open, and dropped for another`() {
        var desk = EngineDesk()
        desk.opened(media("a"), voice: nil, by: id)
        desk.news.add(track(60), at: 0, in: "a", by: id, isFollowed: true)
        desk.takeUpTracks(of: id)
        #expect(desk.media(of: playing("a"))?.timeline.duration == 60)
        #expect(desk.news.takeUnchecked().map(\.track) == [0])
        desk.news.add(track(90), at: 0, in: "a", by: id, isFollowed: true)
        desk.opened(media("b"), voice: nil, by: id)
        desk.takeUpTracks(of: id)
        #expect(desk[open: id]?.timeline.duration == nil)
        #expect(desk.media(of: playing("a"))?.timeline.duration == 60)
    }

    @Test func `an update reaches an engine only if it still has the item`() {
        var desk = EngineDesk()
        desk.opened(media("a"), voice: nil, by: id)
        desk.opened(media("b"), voice: nil, by: id)
        desk.update(media("a", seconds: 60), of: id)
        #expect(desk[known: "a"]?.timeline.duration == 60)
        #expect(desk[open: id]?.content.uri == "b")
    }

    @Test func `one measurement runs, and is not begun again for the same process and item`() async {
        var desk = EngineDesk()
        let task = Task.endless()
        #expect(desk.isUnmeasured("a", serial: 1))
        desk.measure("a", serial: 1, by: task)
        #expect(
            !desk.isUnmeasured("a", serial: 1) && desk.isUnmeasured("a", serial: 2) && desk.isUnmeasured("b", serial: 1)
        )
        desk.measure("b", serial: 1, by: Task {})
        await task.value
    }
}

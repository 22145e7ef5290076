// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineTransport
import MediaPlayback
import PlaybackCore
import Testing

@testable import EngineBridge

@Suite struct EngineLoadsTests {
    private let absent = EngineError(number: -201, message: "cannot open a.mp3: No such file or directory")

    private func request(_ tracks: [TrackSource] = [.file(path: "/a.mp3"), .file(path: "/b.mp3")]) -> LoadRequest {
        LoadRequest(
            content: Content(uri: "book", kind: .audio, tracks: tracks, title: "Book"),
            start: MediaPosition(track: 0, units: 0), generation: 1, rate: 1, voice: nil)
    }

    private func track(_ index: UInt32, duration: Int64? = nil) -> WireTrack {
        WireTrack(
            index: index, sampleRate: 48_000, channels: 2, encoding: 1, duration: duration,
            confidence: duration == nil ? 1 : 4, unitsPerSecond: 48_000, codec: "mp3", title: nil)
    }

    /// Begins these loads and describes the first track of each.
    private func loads(_ numbers: UInt32...) -> EngineLoads {
        var loads = EngineLoads()
        for number in numbers {
            loads.begin(number, request())
            #expect(loads.add(track(0), to: number) == .first)
        }
        return loads
    }

    private func finish(_ number: UInt32, in loads: inout EngineLoads, tracks: UInt32 = 2) -> MediaDescription? {
        loads.finish(number, title: "T", author: nil, trackCount: tracks, chapterCount: 0)
    }

    @Test func `a load is described once it is complete`() {
        var loads = loads(1)
        loads.noteRates(0.5...2)
        #expect(loads.description == nil && loads.trackCount == nil && loads.isLoaded(1) == false)
        let description = finish(1, in: &loads)
        #expect(description?.tracks.count == 2 && description?.nativeRates == 0.5...2 && description?.title == "T")
        #expect(loads.description == description && loads.trackCount == 2 && loads.isLoaded(1) == true)
        #expect(finish(1, in: &loads) == nil, "it is complete already")
    }

    @Test func `contradictory descriptions of a load are rejected`() {
        var loads = loads(1)
        #expect(finish(1, in: &loads, tracks: 3) == nil)
        #expect(finish(2, in: &loads) == nil)
        #expect(loads.add(track(2), to: 1) == .impossible)
        #expect(loads.add(track(0), to: 1) == .same)
        #expect(loads.add(track(0, duration: 5), to: 1) == .changed)
        #expect(loads.add([WireChapter(track: 2, start: 0, end: nil, title: "1", source: "tags")], to: 1) == false)
    }

    @Test func `a load that is given up while it waits leaves the one before it to its end`() {
        var loads = loads(1, 2, 3)
        loads.giveUp(2)
        #expect(loads.isLoaded(2) == nil && loads.isLoaded(1) == false)
        #expect(finish(1, in: &loads) != nil)
        #expect(finish(3, in: &loads) != nil && loads.isLoaded(1) == nil)
    }

    @Test func `a new load replaces the loads before it, and no later one`() {
        var loads = loads(1, 2, 3)
        #expect(finish(2, in: &loads) != nil)
        #expect(loads.isLoaded(1) == nil && loads.isLoaded(2) == true && loads.isLoaded(3) == false)
        #expect(loads.fail(3) == nil)
        #expect(loads.isLoaded(2) == nil && loads.description == nil, "a load that failed has replaced it, too")
    }

    @Test func `a late report about replaced content is no fault`() {
        var loads = loads(1, 2)
        _ = finish(2, in: &loads)
        #expect(loads.add([], to: 1) == true)
        #expect(loads.add(track(0), to: 1) == nil)
        #expect(loads.source(of: .track(0), in: 1)?.source == nil)
        #expect(loads.fail(1) == nil)
        #expect(loads.isLoaded(2) == true)
    }

    @Test func `the reason why a source is missing is kept until one opens`() {
        let failed = SourceOpener.Opened(source: .failed(code: -201), failure: absent)
        let opened = SourceOpener.Opened(source: .descriptor(name: "a.mp3"), indexKey: TrackIndexKey(name: "k"))
        var loads = loads(1)
        loads.note(failed, of: .track(0), in: 1)
        #expect(loads.sourceFailure == nil, "nothing is loaded")
        loads.note(opened, of: .track(1), in: 1)
        #expect(loads.fail(1) == absent, "another track is no help to a load that fails")

        loads = self.loads(2)
        _ = finish(2, in: &loads)
        loads.note(failed, of: .track(0), in: 2)
        #expect(loads.sourceFailure == absent && loads.indexKey(of: 0) == nil)
        loads.note(opened, of: .track(1), in: 2)
        #expect(loads.sourceFailure == nil && loads.indexKey(of: 1) == TrackIndexKey(name: "k"))
    }

    @Test func `the reason is known of the track that is sought, whatever is examined meanwhile`() {
        let failed = SourceOpener.Opened(source: .failed(code: -201), failure: absent)
        let opened = SourceOpener.Opened(source: .descriptor(name: "a.mp3"))
        var loads = loads(1)
        _ = finish(1, in: &loads)
        loads.noteSeek(to: 1)
        loads.note(failed, of: .track(1), in: 1)
        loads.note(opened, of: .track(0), in: 1)
        loads.forgetSourceFailure()
        #expect(loads.sourceFailure == nil && loads.soughtFailure == absent)
        loads.noteSeek(to: 0)
        #expect(loads.soughtFailure == nil)
        loads.noteSeek(to: 1)
        loads.note(opened, of: .track(1), in: 1)
        #expect(loads.soughtFailure == nil, "it is there again")
    }

    @Test func `a text has its script as a source, and without it a text says why`() {
        let files = (0..<2).map { _ in SharedDescriptor(owning: -1) }
        let making = ScriptMaking(end: 5) {}
        var text = request([.descriptor(files[0], name: "a.txt")])
        text.content.document = TextDocument(text: files[0], script: files[1], making: making)
        var loads = loads(1)
        loads.begin(2, text)
        #expect(loads.source(of: .script(0), in: 1) == nil, "a book has none")
        let wanted = loads.source(of: .script(7), in: 2)
        #expect(wanted?.source == .descriptor(files[1], name: "script") && wanted?.making == making)
        let reason = ItemError(.unsupported, "a.txt: its reader ended before it was done")
        loads.note(SourceOpener.failed(reason), of: .script(7), in: 2)
        #expect(loads.fail(2)?.message == reason.message)
    }

    @Test func `only the tracks of a load have sources`() {
        var loads = loads(1)
        #expect(
            loads.source(of: .track(1), in: 1)?.source == .file(path: "/b.mp3")
                && loads.source(of: .track(2), in: 1)?.source == nil)
        #expect(loads.source(of: .track(0), in: 2)?.source == nil && !loads.isRemote)
        loads.begin(2, request([.file(path: "/a.mp3"), .url("https://example.org/b.mp3", headers: [])]))
        #expect(loads.isRemote)
    }

    @Test func `an engine may want 64 sources at once, with those that it has not read`() {
        var openings = OpeningSources()
        for number in 0..<58 as Range<UInt32> { #expect(openings.begin(number, waitsFrom: nil, unread: 6) == true) }
        #expect(openings.begin(58, waitsFrom: nil, unread: 6) == false)
        #expect(openings.begin(58, waitsFrom: nil, unread: 5) == true)
        #expect(openings.begin(58, waitsFrom: nil, unread: 0) == false, "the number is taken")
        #expect(openings.end(58) == nil)
        #expect(openings.begin(59, waitsFrom: nil, unread: 5) == true)
        #expect(openings.begin(60, waitsFrom: nil, unread: 5) == false)
    }

    @Test func `an engine waits for a script until that is there, or it is interrupted`() {
        var openings = OpeningSources()
        #expect(openings.begin(1, waitsFrom: nil, unread: 0) == true)
        #expect(!openings.includeScript)
        #expect(openings.begin(2, waitsFrom: 70, unread: 0) == true)
        #expect(openings.includeScript)
        #expect(openings.end(2) == 70)
        #expect(!openings.includeScript)
        #expect(openings.begin(3, waitsFrom: 80, unread: 0) == true)
        openings.interrupt()
        #expect(!openings.includeScript)
        #expect(openings.end(3) == nil)
    }

    @Test func `only a script that is being made has to be waited for`() {
        let making = ScriptMaking(end: 100) {}
        let script = TrackSource.file(path: "/script")
        #expect(!RequestedSource(source: script).waits(for: .script(100)))
        let growing = RequestedSource(source: script, making: making)
        #expect(!growing.waits(for: .script(99)) && growing.waits(for: .script(100)) && !growing.waits(for: .track(0)))
        making.end(.success(()))
        #expect(!growing.waits(for: .script(100)))
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import Testing

@testable import PlaybackCore

@Suite struct `The owner of a sleep timer` {
    private static let clipItem = ItemReference(
        uri: "file:///book.m4b#t=1,2", kind: .audio, title: "Clip", items: ["/book.m4b"])

    /// Plays a clip that takes audio focus from the book, as generation 2.
    private func clip(over stage: inout Stage) -> [PlaybackEffect] {
        var order = order(Self.clipItem, ffmpeg, at: 500_000)
        order.owner = OwnerID("clip-viewer-1")
        order.handsBack = true
        return stage.all(
            .play(id: 2, order, heard: at(3_000)), .loaded(generation: 2, start: at(500_000)),
            .streamOpened(generation: 2), .started(generation: 2))
    }

    @Test(arguments: [SleepOrder.place(at(90_000)), .book])
    func `a clip neither ends nor moves the book's timer`(_ order: SleepOrder) {
        var stage = Stage.playingBook(at: 1_000)
        stage.on(.setSleep(order, heard: at(2_000)))
        let timer = stage.state.sleep
        var effects = clip(over: &stage)
        effects += stage.all(.seek(to: at(600_000)), .sleepPlaceReached(generation: 2))
        effects += stage.all(.ended(generation: 3, atLimit: false))
        #expect(!effects.contains { if case .rearmSleep = $0 { true } else { false } })
        #expect(stage.state.sleep == timer)
        #expect(stage.state.owner == .main)
        let generation = stage.state.generation
        let back = stage.all(.loaded(generation: generation, start: at(3_000)))
        #expect(!back.contains { if case .rearmSleep = $0 { true } else { false } }, "it is where it was")
        #expect(stage.state.sleep == timer)
    }

    @Test func `a stopped clip leaves the book's timer`() {
        var stage = Stage.playingBook(at: 1_000)
        stage.on(.setSleep(.place(at(90_000)), heard: at(2_000)))
        _ = clip(over: &stage)
        stage.on(.stopNow)
        #expect(stage.state.sleep?.end == .place(at(90_000)))
    }

    @Test func `a stop of the book during a clip ends its timer`() {
        var stage = Stage.playingBook(at: 1_000)
        stage.on(.setSleep(.place(at(90_000)), heard: at(2_000)))
        _ = clip(over: &stage)
        stage.on(.stop(owner: .main))
        #expect(stage.state.sleep == nil)
    }

    @Test func `a timer that ends during a clip leads back in the book`() throws {
        var stage = Stage.playingBook(at: 1_000)
        stage.on(.setSleep(.time(milliseconds: 60_000), heard: at(2_000)))
        _ = clip(over: &stage)
        let jumps = stage.all(.sleepDue(id: 1, heard: at(500_900))).compactMap { effect in
            if case .jumped(let jump) = effect { jump } else { nil }
        }
        let jump = try #require(jumps.first)
        #expect(jump.from.item == bookItem && jump.from.position == at(2_000))
        #expect(jump.to.item == bookItem && jump.to.position == at(3_000))
        #expect(stage.state.isPlaying == false)
    }

    @Test func `a timer set during a clip is for the owner that gets focus back`() {
        var stage = Stage.playingBook(at: 1_000)
        _ = clip(over: &stage)
        stage.on(.setSleep(.book, heard: nil))
        #expect(stage.state.sleep?.owner == .main)
        #expect(stage.state.sleep?.setAt.item == bookItem)
        stage.on(.ended(generation: 2, atLimit: false))
        #expect(stage.state.sleep != nil)
    }

    @Test func `an owner that is gone has no timer`() {
        var stage = Stage.playingBook(at: 1_000)
        var order = order(Self.clipItem, ffmpeg, at: 500_000)
        order.owner = OwnerID("kitchen")
        stage.on(
            .play(id: 2, order, heard: at(3_000)), .loaded(generation: 2, start: at(0)),
            .setSleep(.book, heard: nil))
        #expect(stage.state.sleep?.owner == OwnerID("kitchen"))
        stage.on(.release(id: 3, OwnerID("kitchen"), heard: nil))
        #expect(stage.state.sleep == nil)
    }

    @Test(arguments: [nil, 4] as [Int?])
    func `the chapter of an item that is being opened is looked up when it is open`(_ index: Int?) {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .setSleep(.chapter(index: index), heard: nil))
        #expect(stage.state.sleep?.end == .chapter(index: index))
        #expect(stage.all(.seek(to: at(4_000))).contains(.rearmSleep(id: 1)) == false)
        #expect(stage.all(.loaded(generation: 1, start: at(0))).contains(.rearmSleep(id: 1)))
        #expect(stage.all(.rearmedSleep(id: 1, at(90_000))).contains(.setLimit))
        #expect(stage.state.sleep?.end == .place(at(90_000)))
    }

    @Test func `a timer in an older log belongs to main`() throws {
        let set = Playing(item: bookItem, engine: ffmpeg, position: at(2_000), provenance: .heard)
        let timer = SleepTimer(id: 9, end: .place(at(90_000)), setAt: set)
        let text = String(decoding: try JSONEncoder().encode(timer), as: UTF8.self)
        let old = text.replacingOccurrences(of: #","owner":"main""#, with: "")
            .replacingOccurrences(of: #""owner":"main","#, with: "")
        #expect(!old.contains("owner"))
        #expect(try JSONDecoder().decode(SleepTimer.self, from: Data(old.utf8)).owner == .main)
    }
}

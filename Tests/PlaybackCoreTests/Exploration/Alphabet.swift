// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// Everything that can happen next, in few letters.
///
/// There are two owners, three items and four places, and results of the present generation and of one that is gone.
enum Alphabet {
    static let clip = EngineID("clip")
    /// An engine that can take a text over.
    static let reader = EngineID("reader")
    static let viewer = OwnerID("clip-viewer-1")
    static let clipItem = ItemReference(uri: "file:///book.m4b#t=1,2", kind: .audio, title: "Clip", items: [])
    static let near = at(30_000)
    static let far = at(200_000)
    /// An item whose place cannot be looked up, so that it never starts.
    static let otherItem = ItemReference(uri: "file:///other.m4b", kind: .audio, title: "Other", items: [])
    private static let noPlace = PlaybackError(.io, message: "the library cannot be read")
    private static let broken = PlaybackError(.defect, message: "broken")

    static func order(_ item: ItemReference, _ engine: EngineID, at start: MediaPosition, of owner: OwnerID)
        -> PlayOrder
    {
        PlayOrder(
            item: item, engine: engine, start: start, provenance: .user, owner: owner,
            rate: owner == .main ? nil : 1, handsBack: owner != .main)
    }

    /// Returns an order whose item was looked up.
    private static func found(_ item: ItemReference, _ engine: EngineID, at start: MediaPosition, of owner: OwnerID)
        -> PlayOrder
    {
        var order = order(item, engine, at: start, of: owner)
        order.wasLookedUp = true
        return order
    }

    /// Returns the letters that are possible in this state.
    ///
    /// - Parameters:
    ///   - id: The id of the next command.
    ///   - sleeps: `true` to include those of the sleep timer, and of the step back after a pause, which make too many
    ///     states
    ///     for an exhaustive search.
    static func letters(in state: PlaybackState, id: UInt64, sleeps: Bool = false) -> [PlaybackEvent] {
        let generation = state.generation
        let heard = state.stream == .sounding ? far : nil
        var letters: [PlaybackEvent] = [
            .play(id: id, order(bookItem, ffmpeg, at: near, of: .main), heard: heard),
            .play(id: id, order(textItem, espeak, at: .start, of: .main), heard: heard),
            .play(id: id, order(clipItem, clip, at: .start, of: viewer), heard: heard),
            .lookUp(id: id, owner: .main), .lookUp(id: id, owner: viewer),
            .lookUp(id: id, owner: .main, subject: .jump),
            .lookUp(id: id, owner: .main, subject: .engine),
            // The result of a look-up that was given up long ago.
            .play(id: 0, found(bookItem, ffmpeg, at: near, of: .main), heard: heard),
            .resume(id: 0, owner: nil, heard: heard, wasLookedUp: true),
            .seek(SeekOrder(to: near, owner: .main, uri: bookItem.uri, id: 0)),
            .resume(id: id, owner: nil, heard: heard), .resume(id: id, owner: .main, heard: heard),
            .pause(owner: nil, heard: nil), .toggle(id: id, heard: heard), .stop(owner: nil),
            .seek(SeekOrder(to: near, heard: heard)), .seek(SeekOrder(to: near, owner: .main, uri: bookItem.uri)),
            .setRate(state.rate == 1 ? 2 : 1, heard: heard, byEngine: false),
            .switchEngine(id: id, espeak, kinds: [.text], heard: heard),
            .switchEngine(id: id, ffmpeg, kinds: [.audio], heard: heard),
            .claim(id: id, viewer, heard: heard), .release(id: id, viewer, heard: heard),
            .interruption(began: true), .interruption(began: false), .routeLost, .routeReturned,
        ]
        if let lookUp = state.lookUp { letters += Self.lookUp(lookUp, heard, id) }
        if state.seeks.count < 2 { letters.append(.locate(id: id, owner: .main, uri: bookItem.uri)) }
        for seek in state.seeks {
            letters += [
                .seek(SeekOrder(to: near, owner: seek.owner, uri: seek.uri, heard: heard, id: seek.id)),
                .notLocated(id: seek.id, broken),
            ]
        }
        for left in state.leaving.keys.sorted() { letters.append(.silenced(generation: left, heard: far)) }
        if let clock = state.clock { letters.append(.clock(id: clock.id, heard: nil)) }
        guard let current = state.current else { return letters }
        if sleeps { letters += Self.sleep(state, current, id) }
        letters += [
            .silenced(generation: generation, heard: nil),
            .engineGone(generation: generation, broken, heard: nil),
            .engineGone(
                generation: generation, broken, heard: nil,
                beyond: MediaPosition(track: 0, units: (state.current?.position.units ?? 0) + 1_000)),
            .engineLost(generation: generation, end: far, wasIdle: false),
            .engineFailed(generation: generation, broken, heard: heard),
            .engineFailed(generation: generation, PlaybackError(.io, message: "the disk"), heard: heard),
        ]
        if state.phase == .loading {
            letters += [
                .loaded(generation: generation, start: current.position, unitsPerSecond: 1000, needsSeek: false),
                .loaded(generation: generation &- 1, start: .start, unitsPerSecond: 1000, needsSeek: false),
                .loadFailed(generation: generation, broken),
            ]
            if current.item.kind == .text, state.recovery.standIn == nil {
                letters.append(.standIn(generation: generation, reader))
            }
        }
        if state.stream == .opening {
            letters += [.streamOpened(generation: generation), .streamFailed(generation: generation, broken)]
        }
        if state.stream != .closed {
            letters += [
                .started(generation: generation), .started(generation: generation &- 1),
                .starved(generation: generation), .heard(generation: generation, far),
                // A false report: nobody heard that.
                .heard(generation: generation, .start), .silenced(generation: generation, heard: .start),
                .ended(generation: generation, atLimit: false), .ended(generation: generation, atLimit: true),
                .outputFailed(broken, isDeviceGone: false, heard: heard),
                .outputFailed(broken, isDeviceGone: true, heard: heard),
                .streamClosed(heard: heard, goesOn: true), .streamClosed(heard: heard, goesOn: false),
            ]
        }
        return letters
    }

    /// Returns the results of a look-up, and the commands that concern it.
    private static func lookUp(_ lookUp: LookUp, _ heard: MediaPosition?, _ id: UInt64) -> [PlaybackEvent] {
        let isMain = lookUp.owner == .main
        var letters: [PlaybackEvent] = [
            .notFound(id: lookUp.id, broken), .giveUpLookUp(of: nil), .giveUpLookUp(of: viewer),
            .play(
                id: lookUp.id, found(isMain ? bookItem : clipItem, isMain ? ffmpeg : clip, at: near, of: lookUp.owner),
                heard: heard),
        ]
        switch lookUp.subject {
        case .jump:
            letters.append(
                .seek(SeekOrder(to: near, owner: .main, uri: bookItem.uri, heard: heard, cause: .undo, id: lookUp.id)))
        case .engine:
            letters += [
                .switchEngine(id: lookUp.id, espeak, kinds: [.text], heard: heard, wasLookedUp: true),
                .switchEngine(id: lookUp.id, ffmpeg, kinds: [.audio], heard: heard, wasLookedUp: true),
            ]
        case nil:
            letters += [
                .lookUpFailed(
                    id: lookUp.id, found(otherItem, ffmpeg, at: .start, of: lookUp.owner), noPlace, heard: heard),
                .holdLookUp(of: nil), .holdLookUp(of: .main),
                .joinLookUp(id: id, of: nil), .joinLookUp(id: id, of: viewer),
                .setLookUp(rate: 3, volume: nil, of: .main),
                .resume(id: lookUp.id, owner: lookUp.owner, heard: heard, wasLookedUp: true),
                .toggle(id: lookUp.id, heard: heard, wasLookedUp: true),
            ]
        }
        return letters
    }

    private static func sleep(_ state: PlaybackState, _ current: Playing, _ id: UInt64) -> [PlaybackEvent] {
        var letters: [PlaybackEvent] = [
            .setSleep(.time(milliseconds: 60_000), heard: nil), .setSleep(.extend(milliseconds: 60_000), heard: nil),
            .setSleep(.place(far), heard: nil), .setSleep(.book, heard: nil), .setSleep(.off, heard: nil),
            .setSleep(.chapter(index: nil), heard: nil),
            .resume(id: id, owner: nil, heard: nil, back: MediaPosition(track: 0, units: current.position.units / 2)),
        ]
        if let timer = state.sleep {
            letters += [
                .sleepFading(id: timer.id), .sleepDue(id: timer.id, heard: nil),
                .sleepDue(id: timer.id &- 1, heard: nil), .sleepPlaceReached(generation: state.generation),
                .rearmedSleep(id: timer.id, far), .rearmedSleep(id: timer.id, nil),
            ]
        }
        return letters
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// A witness of moves to other tracks of what plays.
///
/// It knows from the effects alone whether another process runs, and whether it could be heard.
struct SwapWitness: Hashable, Sendable {
    private var isBeside = false
    private var isReady = false

    /// Returns the rules that this step broke.
    mutating func watch(
        _ event: PlaybackEvent, _ before: PlaybackState, _ after: PlaybackState, _ effects: [PlaybackEffect]
    ) -> [String] {
        var broken: [String] = []
        func rule(_ holds: Bool, _ name: String) { if !holds { broken.append(name) } }
        var mayChange = false
        switch event {
        case .swapReady(let id, let off) where id == before.loaded.swap?.id && before.loaded.swap?.stage == .preparing:
            isReady = off <= after.rules.swapTolerance ?? 0
        default: break
        }
        for effect in effects {
            switch effect {
            case .prepareSwap:
                rule(!isBeside, "two processes prepare other tracks")
                (isBeside, isReady) = (true, false)
            case .joinSwap: rule(isBeside && isReady, "a stream joins what is not ready")
            case .commitSwap:
                rule(isReady || !isBeside, "the tracks change before their sound can be heard")
                (isBeside, isReady, mayChange) = (false, false, true)
            case .dropSwap:
                rule(isBeside, "a process is ended twice")
                (isBeside, isReady) = (false, false)
            default: break
            }
        }
        rule(isBeside == (after.loaded.swap != nil), "another process is left running")
        rule(
            after.loaded.swap == nil || after.loaded.swap?.item.uri == after.current?.item.uri,
            "other tracks are prepared of something that is gone")
        let (old, new) = (before.current?.item, after.current?.item)
        // What is loaded anew has the tracks that it is loaded with.
        if let old, let new, old.uri == new.uri, old.items != new.items, before.generation == after.generation {
            rule(mayChange, "the tracks change before their sound can be heard")
        }
        switch event {
        case .swap, .swapReady, .swapFailed, .swapped:
            let isSame =
                before.generation == after.generation && before.intent == after.intent && before.phase == after.phase
                && before.stream == after.stream && before.current?.position == after.current?.position
                && before.current?.provenance == after.current?.provenance && before.owner == after.owner
                && before.clock == after.clock && before.floor == after.floor
            rule(isSame, "a move to other tracks changes more than these")
        default: break
        }
        return broken
    }
}

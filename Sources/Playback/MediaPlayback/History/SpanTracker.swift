// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// Finds the spans of listening in the steps of the machine: from the first sound to the next silence, jump or file.
struct SpanTracker {
    /// The minimum length of a span in milliseconds; shorter ones do not count as listening.
    static let least: Int64 = 20_000

    /// The growth of a span, in milliseconds, after which it is stored again: the most that a kill can cost.
    static let growth: Int64 = 15_000

    private var open: (playing: Playing, began: Int64)?
    private var kept: Int64 = 0

    /// Follows one step of the machine.
    ///
    /// - Parameter now: the wall clock in milliseconds.
    /// - Returns: a span that ended with this step or has grown; it has the beginning of the one that it replaces.
    mutating func follow(_ before: PlaybackState, _ after: PlaybackState, effects: [PlaybackEffect], now: Int64)
        -> ListeningSpan?
    {
        var ended: ListeningSpan?
        if let open, !Self.goesOn(open.playing, after, effects) {
            let place = Self.lastPlace(of: open.playing, before, after, effects)
            self.open = nil
            if now - open.began >= Self.least {
                ended = ListeningSpan(
                    uri: open.playing.item.uri, title: open.playing.item.title, began: open.began, ended: now,
                    from: open.playing.position, to: place)
            }
        }
        if open == nil, after.isPlaying, after.owner == .main, let current = after.current {
            open = (current, now)
            kept = now
        }
        return ended ?? grown(before, after, now)
    }

    /// Returns a span that has grown; only with a place that was noted just now.
    private mutating func grown(_ before: PlaybackState, _ after: PlaybackState, _ now: Int64) -> ListeningSpan? {
        guard let open, let place = after.current?.position, place != before.current?.position,
            now - open.began >= Self.least, now - kept >= Self.growth
        else { return nil }
        kept = now
        return ListeningSpan(
            uri: open.playing.item.uri, title: open.playing.item.title, began: open.began, ended: now,
            from: open.playing.position, to: place)
    }

    private static func goesOn(_ playing: Playing, _ after: PlaybackState, _ effects: [PlaybackEffect]) -> Bool {
        guard after.isPlaying, after.owner == .main, let current = after.current else { return false }
        let jumped = effects.contains { if case .jumped = $0 { true } else { false } }
        return !jumped && current.item == playing.item && current.position.track == playing.position.track
    }

    private static func lastPlace(
        of playing: Playing, _ before: PlaybackState, _ after: PlaybackState, _ effects: [PlaybackEffect]
    ) -> MediaPosition {
        for case .jumped(let jump) in effects where jump.from.item == playing.item { return jump.from.position }
        if let current = after.current, current.item == playing.item { return current.position }
        if let last = after.remembered[.main]?[playing.item.kind], last.item == playing.item { return last.position }
        return before.current?.item == playing.item ? before.current?.position ?? playing.position : playing.position
    }
}

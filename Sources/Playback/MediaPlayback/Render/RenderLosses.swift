// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// The places at which a render's engines ended, and where to continue after each.
///
/// This follows the rule of `PlaybackMachine`: the first death at a place may be chance, the second is stepped over.
struct RenderLosses {
    /// The part of a text that was left out.
    private(set) var unspoken: UnspokenText?
    private var fatal: MediaPosition?
    private var steps = 0
    private var idle: (place: MediaPosition, times: Int)?

    /// The maximum number of processes in a row that may end while they wait for room.
    private static let mostInARow = 8

    /// Returns where the process after one that ended at `place` is to continue; `nil` if nothing is left to try.
    mutating func next(
        after place: MediaPosition, wasIdle: Bool, in media: LoadedMedia?, _ rules: PlaybackRules
    ) async -> MediaPosition? {
        if wasIdle {
            let times = idle?.place == place ? idle?.times ?? 0 : 0
            idle = (place, times + 1)
            return times < Self.mostInARow ? place : nil
        }
        guard let last = fatal, media?.isNear(place, last) ?? (place == last) else {
            (fatal, steps) = (place, 0)
            return place
        }
        // What ends two processes before it is open has no place that could be stepped over.
        guard let media else { return nil }
        let most = media.content.kind == .text ? rules.maximumPassages ?? rules.maximumSteps : rules.maximumSteps
        guard steps < most,
            let beyond = await media.place(beyond: place, steps: steps, isCounted: unspoken != nil),
            beyond.place > place
        else { return nil }
        if let leavesOut = beyond.leavesOut {
            unspoken = UnspokenText(
                sentences: (unspoken?.sentences ?? 0) + leavesOut.sentences,
                total: unspoken == nil ? leavesOut.total : unspoken?.total)
        }
        (fatal, steps) = (beyond.place, steps + 1)
        return beyond.place
    }
}

extension LoadedMedia {
    /// Returns whether two places are less than a second apart.
    fileprivate func isNear(_ place: MediaPosition, _ other: MediaPosition) -> Bool {
        guard place.track == other.track else { return false }
        let unitsPerSecond = timeline.tracks[safe: place.track]?.unitsPerSecond ?? 1
        return abs(Double(place.units) - Double(other.units)) < max(1, unitsPerSecond)
    }
}

// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Clocks

/// The audible position of one state, which moves while something sounds.
///
/// It may be read on any thread. Nothing is waited for, and no device is woken.
public struct AudiblePosition: Sendable {
    let feed: HeardFeed?
    let generation: UInt32
    let timeline: BookTimeline?
    /// The position when the state began.
    let known: MediaPosition?

    /// Returns the position in seconds of the whole item; `nil` if there is none, or it is not known.
    public func seconds() -> Double? {
        guard let timeline else { return nil }
        if let heard = feed?.place(at: MonotonicTime.now()), heard.generation == generation {
            let place = MediaPosition(track: heard.track, units: heard.units)
            return timeline.seconds(of: timeline.tracks.limited(place))
        }
        return known.flatMap { timeline.seconds(of: $0) }
    }
}

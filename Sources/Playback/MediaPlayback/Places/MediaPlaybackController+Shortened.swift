// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// Handling of a file that ends before its saved place: it is still being copied, or its disk lost a part.
///
/// An engine would render what follows such a place, which is the next file. Nobody heard the rest of this one, so the
/// book does not continue by itself, and the place stays.
extension MediaPlaybackController {
    /// Returns why an item does not start at its saved place; `nil` if it may, or if nothing exact is known.
    func shortened(_ playing: Playing) -> PlaybackError? {
        guard let open = desk[open: playing.engine], open.content.uri == playing.item.uri, open.content.kind == .audio,
            open.content.clip == nil, let track = open.timeline.tracks[safe: playing.position.track],
            track.confidence == .exact, let end = track.duration,
            Double(playing.position.units - end) > track.unitsPerSecond
        else { return nil }
        let file = open.content.tracks[safe: playing.position.track]?.title ?? open.title
        return PlaybackError(
            .badContent,
            message:
                "“\(file)” ends before the place that was kept in it; put the whole file back, or say where to begin "
                + "with --at or --from-start")
    }

    /// Stops playback past the end of a track whose exact length was found out, now or before it begins.
    func refuseShortened(_ engine: EngineID, track index: Int) {
        let state = machine.state
        guard let current = state.current, current.engine == engine, state.phase == .ready,
            let resumed = keeping.resumption(of: current, inTrack: index), let error = shortened(resumed)
        else { return }
        handle(.engineFailed(generation: state.generation, error, heard: nil))
    }
}

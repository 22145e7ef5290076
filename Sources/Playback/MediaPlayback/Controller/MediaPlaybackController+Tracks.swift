// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The facts that engines find out about tracks while an item is open.
extension MediaPlaybackController {
    /// Notes what an engine reports about a track; it is taken up at once, unless there was a report a moment ago.
    func note(_ track: TrackDescription, at index: Int, by id: EngineID) {
        guard let open = media[id] else { return }
        trackNews.add(track, at: index, in: open.content.uri, by: id)
        if machine.state.current?.engine == id { trackNews.isUntold = true }
        if trackNews.pause == nil { takeUpTracks() }
    }

    private func takeUpTracks() {
        for id in trackNews.engines { takeUpTracks(of: id) }
        for (id, index) in trackNews.takeUnchecked() { refuseShortened(id, track: index) }
        if trackNews.isUntold { publish(.state) }
        trackNews.isUntold = false
        let clock = clock
        trackNews.pause = Task { [weak self] in
            try? await clock.sleep(for: TrackNews.interval)
            await self?.endTrackPause()
        }
    }

    private func endTrackPause() {
        trackNews.pause = nil
        if trackNews.isUntold || !trackNews.engines.isEmpty || !trackNews.unchecked.isEmpty { takeUpTracks() }
    }

    /// Updates what an engine has open, for a caller that is about to measure by it.
    func takeUpTracks(of id: EngineID) {
        let tracks = trackNews.take(of: media[id]?.content.uri, by: id)
        guard !tracks.isEmpty, var open = media[id] else { return }
        open.update(tracks: tracks)
        trackNews.unchecked += tracks.keys.sorted().map { (id, $0) }
        media[id] = open
        known.update(open)
    }
}

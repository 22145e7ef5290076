// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The facts that engines find out about tracks while an item is open.
extension MediaPlaybackController {
    /// Notes what an engine reports about a track; it is taken up at once, unless there was a report a moment ago.
    func note(_ track: TrackDescription, at index: Int, by id: EngineID) {
        guard let open = desk[open: id] else { return }
        desk.news.add(track, at: index, in: open.content.uri, by: id)
        if machine.state.current?.engine == id { desk.news.isUntold = true }
        if desk.news.pause == nil { takeUpTracks() }
    }

    private func takeUpTracks() {
        for id in desk.news.engines { desk.takeUpTracks(of: id) }
        for (id, index) in desk.news.takeUnchecked() { refuseShortened(id, track: index) }
        if desk.news.isUntold { publish(.state) }
        desk.news.isUntold = false
        let clock = ports.clock
        desk.news.pause = Task { [weak self] in
            try? await clock.sleep(for: TrackNews.interval)
            await self?.endTrackPause()
        }
    }

    private func endTrackPause() {
        desk.news.pause = nil
        if desk.news.isUntold || !desk.news.engines.isEmpty || !desk.news.unchecked.isEmpty { takeUpTracks() }
    }
}

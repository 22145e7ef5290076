// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The facts that engines find out about tracks while an item is open.
extension MediaPlaybackController {
    /// Notes what an engine reports about a track; it is taken up at once, unless there was a report a moment ago.
    func note(_ track: TrackDescription, at index: Int, by id: EngineID) {
        guard let open = desk[open: id] else { return }
        let isFollowed = machine.state.current?.engine == id
        desk.news.add(track, at: index, in: open.content.uri, by: id, isFollowed: isFollowed)
        if !desk.news.isPaused { takeUpTracks() }
    }

    private func takeUpTracks() {
        for id in desk.news.engines { desk.takeUpTracks(of: id) }
        for (id, index) in desk.news.takeUnchecked() { refuseShortened(id, track: index) }
        if desk.news.takeUntold() { publish(.state) }
        let clock = ports.clock
        desk.news.pause(
            by: Task { [weak self] in
                try? await clock.sleep(for: TrackNews.interval)
                await self?.endTrackPause()
            })
    }

    private func endTrackPause() {
        if desk.news.endPause() { takeUpTracks() }
    }
}

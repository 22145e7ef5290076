// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// Rewinding a little after a pause.
///
/// No timer is involved: the time when the item was last heard decides how far.
extension MediaPlaybackController {
    /// Notes when the current item falls silent.
    func noteSilence(_ before: PlaybackState, _ after: PlaybackState) {
        if after.isPlaying, let uri = after.current?.item.uri {
            if !before.isPlaying || before.current?.item.uri != uri { items[silentSince: uri] = nil }
        }
        if before.isPlaying, let uri = before.current?.item.uri, !after.isPlaying || after.current?.item.uri != uri {
            items[silentSince: uri] = ports.wallClock()
        }
    }

    private func seconds(since uri: String) -> Double {
        guard machine.state.owner == .main, let since = items[silentSince: uri] else { return 0 }
        return AutoRewind.seconds(
            after: (Double(ports.wallClock()) - Double(since)) / 1000,
            most: Double(settings.autoRewind.components.seconds))
    }

    /// Returns the rewound place in an item that is open and paused.
    func stepBack() -> MediaPosition? {
        let state = machine.state
        guard let current = state.current, current.item.kind == .audio, !state.isPlaying,
            let open = desk[open: current.engine],
            open.content.uri == current.item.uri
        else { return nil }
        let seconds = seconds(since: current.item.uri)
        guard seconds > 0 else { return nil }
        return open.timeline.rewound(current.position, bySeconds: seconds)
    }

    /// Requests a rewound start of the item that `resume` would open again.
    func requestStepBack() {
        let state = machine.state
        let isClosed = state.phase == .idle || state.phase == .failed
        guard isClosed, let last = state.current ?? state.places(of: state.owner).first,
            last.item.kind == .audio, items[opening: last.item.uri].start == nil
        else { return }
        if let target = rewound(last.position, of: last.item.uri) { items[opening: last.item.uri].start = target }
    }

    /// Returns the rewound place as a target, for an item that has to be opened first.
    func rewound(_ position: MediaPosition, of uri: String) -> SeekTarget? {
        let seconds = seconds(since: uri)
        return seconds > 0 && position > .start ? .rewound(position, seconds: seconds) : nil
    }
}

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
        guard let current = state.current, !state.isPlaying, let open = desk[open: current.engine],
            open.content.uri == current.item.uri, current.item.kind == .audio || open.content.document != nil
        else { return nil }
        let seconds = seconds(since: current.item.uri)
        guard seconds > 0 else { return nil }
        return open.position(of: .rewound(current.position, seconds: seconds), from: current.position)
    }

    /// Requests a rewound start of the item that `resume` would open again.
    func requestStepBack() {
        let state = machine.state
        let isClosed = state.phase == .idle || state.phase == .failed
        guard isClosed, let last = state.current ?? state.places(of: state.owner).first,
            last.item.kind == .audio || hasDocument(last.item.uri), items[opening: last.item.uri].start == nil
        else { return }
        if let target = rewound(last.position, of: last.item.uri) { items[opening: last.item.uri].start = target }
    }

    /// Returns the rewound place as a target, for an item that has to be opened first.
    ///
    /// A text begins with a whole sentence in any case.
    func rewound(_ position: MediaPosition, of uri: String) -> SeekTarget? {
        let seconds = seconds(since: uri)
        guard position > .start, seconds > 0 || hasDocument(uri) else { return nil }
        return .rewound(position, seconds: seconds)
    }

    private func hasDocument(_ uri: String) -> Bool { items[content: uri]?.document != nil }
}

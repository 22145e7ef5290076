// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// A file of a recording that is there and cannot be opened: its text is read, as that of a missing one.
extension MediaPlaybackController {
    /// Reads the text of the file with which a recording was to begin; returns `false` if its failure stands.
    func readsUnopened(_ generation: UInt32, _ playing: Playing, _ error: PlaybackError) async -> Bool {
        let uri = playing.item.uri
        guard let works = ports.works, error.kind == .badContent, playing.item.kind == .audio,
            isOpening(generation), let content = items[content: uri], content.clip == nil,
            items[opening: uri].moves.isEmpty, let work = await work(ofRecording: uri, works), isOpening(generation),
            content.tracks.count == work.present.count
        else { return false }
        let options = items[opening: uri]
        let start = options.start.map { Self.place(of: $0, in: work) } ?? playing.position
        let end = options.limit.map { Self.place(of: $0, in: work) }
        // Who names a part wants that one, and an end that cannot be found must not be passed.
        let isFirst = items.gaps.crossing?.isRead != true
        guard let start, end != .some(nil), let gap = work.unopened(at: start, isFirst: isFirst) else { return false }
        items.gaps.begin(content)
        items.gaps.add([gap], of: work, in: uri, generation: generation)
        items.gaps.unopened = (generation, error)
        record(note: error.message)
        return cross(gap, of: playing, generation, until: end.flatMap(\.self))
    }

    /// Reports the failure of a file that could not be opened, and whose text could not be read either.
    func failUnopened() {
        guard let (generation, error) = items.gaps.unopened, isOpening(generation) else { return }
        handle(.loadFailed(generation: generation, error))
    }

    /// Returns whether a generation is still to be opened, for the user, and to be heard.
    private func isOpening(_ generation: UInt32) -> Bool {
        let state = machine.state
        return generation == state.generation && state.phase == .loading && state.owner == .main
            && state.intent == .play && state.attempt == 0
    }

    /// Returns the place that a target names in a recording that is not open; `nil` if only its engine can tell.
    private static func place(of target: SeekTarget, in work: Work) -> MediaPosition? {
        switch target {
        case .position(let place), .rewound(let place, _): place
        case .seconds(let seconds): work.place(atSeconds: seconds)
        default: nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Synchronization
import TaskChains

/// A file of a recording that is there and cannot be opened: its text is read, as that of a missing one.
extension MediaPlaybackController {
    /// The time that reading the text has until the failure of the file stands.
    private static let readingTime = Duration.seconds(4)

    /// Reads the text of the file with which a recording was to begin; returns `false` if its failure stands.
    func readsUnopened(_ generation: UInt32, _ playing: Playing, _ error: PlaybackError) async -> Bool {
        let uri = playing.item.uri
        guard let works = ports.works, error.kind == .badContent, playing.item.kind == .audio,
            isOpening(generation), let content = items[content: uri], content.clip == nil,
            items[opening: uri].moves.isEmpty, await works.counterpart(of: uri, kind: .audio) != nil,
            isOpening(generation)
        else { return false }
        items.gaps.unopened = (generation, error)
        waitForText()
        guard let work = await work(ofRecording: uri, works, atMost: Self.readingTime), isOpening(generation),
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
        record(note: error.message)
        return cross(gap, of: playing, generation, until: end.flatMap(\.self))
    }

    /// Returns the work that a recording belongs to, if that is known in time.
    ///
    /// The text is read to its end in any case, for whoever tries it again.
    private func work(ofRecording uri: String, _ works: any WorkFinding, atMost limit: Duration) async -> Work? {
        let found = Mutex<Work?>(nil)
        let reading = Task<Void, Never> { [weak self] in
            let work = await self?.work(ofRecording: uri, works)
            found.withLock { $0 = work }
        }
        await reading.wait(atMost: limit, clock: ports.clock)
        return found.withLock { $0 }
    }

    /// Lets the time to open a file that cannot be opened begin anew, because something else is opened for it.
    func waitForText() {
        guard let (generation, error) = unopened else { return }
        handle(.unopened(generation: generation, error))
    }

    /// Reports the failure of a file that could not be opened, and whose text could not be read either.
    ///
    /// - Returns: `false` if there is none that is waited for.
    @discardableResult
    func failUnopened() -> Bool {
        guard let (generation, error) = unopened else { return false }
        handle(.loadFailed(generation: generation, error))
        return true
    }

    /// The failure in whose place a text is awaited, also by a listener who has paused meanwhile.
    private var unopened: (generation: UInt32, error: PlaybackError)? {
        let state = machine.state
        return items.gaps.unopened.flatMap { $0.generation == state.generation && state.phase == .loading ? $0 : nil }
    }

    /// Returns whether a generation is still to be opened, for the user, and to be heard.
    ///
    /// A command that is looked up may decide otherwise.
    private func isOpening(_ generation: UInt32) -> Bool {
        let state = machine.state
        return generation == state.generation && state.phase == .loading && state.owner == .main
            && state.intent == .play && state.attempt == 0 && state.lookUp == nil
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

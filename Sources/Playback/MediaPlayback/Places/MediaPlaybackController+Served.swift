// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import ProgressSync

/// Places of servers' items, which other devices of the listener have as well.
extension MediaPlaybackController {
    /// Tells the server of a place that is saved.
    func noteServed(_ place: SavedPlace, of playing: Playing, durably: Bool) {
        guard let served = ports.served, place.owner == .main, let item = ServedItem(uri: place.uri),
            let timeline = timeline(of: playing), let milliseconds = timeline.milliseconds(of: place.position)
        else { return }
        let record = ProgressRecord(
            milliseconds: milliseconds, isFinished: place.finished, updatedAt: place.updatedAt,
            provenance: place.provenance)
        served.note(
            ServedPlace(
                item: item, record: record, length: timeline.summed.map { BookTimeline.milliseconds($0) } ?? 0,
                isPlaying: isPlaying(place.uri), isUrgent: durably))
    }

    /// Tells the server of a time of listening.
    func noteServed(_ span: ListeningSpan) {
        guard let served = ports.served, let item = ServedItem(uri: span.uri) else { return }
        served.note(span, of: item)
    }

    /// Returns where a server's item goes on if that is where another device left it; `nil` if this machine knows.
    ///
    /// Throws `unavailable` if the server may have a place and does not answer: beginning at 0 would restart the book.
    func servedStart(of item: ItemReference, owner: OwnerID) async throws(PlaybackError) -> SeekTarget? {
        guard let served = ports.served, owner == .main, let known = ServedItem(uri: item.uri) else { return nil }
        switch await served.resumption(of: known) {
        case .new: return nil
        case .place(let record):
            guard record.provenance == .restored, !record.isFinished else { return nil }
            return .seconds(Double(record.milliseconds) / 1000)
        case .unknown:
            if case .progress = await ports.store.place(of: item.uri, owner: owner) { return nil }
            throw PlaybackError(
                .unavailable,
                message: "the server of “\(item.title)” does not answer, so where it was left is not known; try again, "
                    + "or say where to begin with --at or --from-start")
        }
    }

    /// Returns `true` if an item of `main` plays, or will without another command.
    public func isPlaying(_ uri: String) -> Bool {
        let state = machine.state
        return state.owner == .main && state.current?.item.uri == uri && state.intent == .play
            && (state.phase == .ready || state.phase == .loading)
    }

    /// Moves a paused item to the place of another device; the move is in the history.
    ///
    /// An item that is not open is left alone: it starts there when it is played.
    public func follow(seconds: Double, of uri: String) async {
        let state = machine.state
        guard state.owner == .main, state.current?.item.uri == uri, state.phase == .ready, state.lookUp == nil,
            !isPlaying(uri)
        else { return }
        try? await seek(.seconds(seconds), owner: .main, uri: uri)
    }

    /// Returns the title of an item of `main`; `nil` if the session does not have it.
    public func title(of uri: String) -> String? {
        let state = machine.state
        let own = [state.owner == .main ? state.current : nil].compactMap(\.self) + state.places(of: .main)
        return own.first { $0.item.uri == uri }?.item.title
    }

    /// Keeps a place of another device in the history, so that `undo` leads there; the present place stays.
    ///
    /// - Returns: `false` if the item is not open, so that nobody knows which place of its files that is.
    public func keepAside(seconds: Double, of uri: String) -> Bool {
        let state = machine.state
        let own = [state.owner == .main ? state.current : nil].compactMap(\.self) + state.places(of: .main)
        guard let current = own.first(where: { $0.item.uri == uri }), let open = desk.media(of: current),
            let position = open.position(of: .seconds(seconds), from: current.position)
        else { return false }
        var from = current
        from.position = position
        keep(Jump(from: from, to: current, cause: .seek))
        return true
    }
}

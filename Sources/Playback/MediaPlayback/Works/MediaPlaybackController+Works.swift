// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// A recording and its text, which are one work with one place.
extension MediaPlaybackController {
    /// Returns the request that goes on with the other side of what is loaded, in an engine that plays only that.
    ///
    /// `nil` if what is loaded has no other side, or if the engine plays it as it is.
    func crossing(to engine: InstalledEngine) async throws(PlaybackError) -> PlayRequest? {
        guard let works = ports.works, engine.opensByContent, let current = machine.state.current, !isPart,
            !machine.state.isUnlocated, !engine.kinds.contains(current.item.kind)
        else { return nil }
        let kind = current.item.kind
        guard let other = await works.counterpart(of: current.item.uri, kind: kind), engine.kinds.contains(other.kind)
        else { return nil }
        let intent = machine.state.intent
        let work = try await works.work(of: current.item.uri, kind: kind, with: other)
        // What plays meanwhile has gone on.
        let heard = await heardNow()
        guard let now = machine.state.current, now.item == current.item, machine.state.intent == intent else {
            throw Self.overtaken
        }
        guard let place = work.place(of: heard ?? now.position, kind: kind) else {
            throw PlaybackError(
                .unavailable,
                message:
                    "nothing tells where this passage of “\(now.item.title)” is in “\(other.title)”: a comparison found "
                    + "no common words, or the length of the recording is not known; see `rostrum align --show`")
        }
        record(note: "goes on in “\(other.title)” at the same passage (\(place.quality))")
        var request = PlayRequest(
            item: ItemRequest(items: other.items, asText: other.kind == .text, extensions: KnownExtensions(audio: [])),
            start: .at(.position(place.position)),
            owner: machine.state.owner)
        request.engine = engine.id
        return request
    }

    /// Returns where the other side of an item was left, if that was later than the item itself.
    ///
    /// Nothing is overwritten: the place of the item stays saved until it is heard again.
    func keptUp(_ item: ItemReference, owner: OwnerID) async -> (position: MediaPosition, at: Int64)? {
        guard owner == .main, let works = ports.works,
            let other = await works.counterpart(of: item.uri, kind: item.kind)
        else { return nil }
        await placesAreSaved()
        guard case .progress(let there) = await ports.store.place(of: other.uri, owner: owner) else { return nil }
        switch await ports.store.place(of: item.uri, owner: owner) {
        case .progress(let own): if own.updatedAt >= there.updatedAt { return nil }
        case .empty: break
        // It may be the later one.
        case .failed: return nil
        }
        do throws(PlaybackError) {
            let work = try await works.work(of: item.uri, kind: item.kind, with: other)
            guard !there.finished, let place = work.place(of: there.position, kind: there.kind, hearingGaps: true)
            else { return nil }
            record(note: "goes on where “\(other.title)” was left (\(place.quality))")
            return (place.position, there.updatedAt)
        } catch {
            record(note: "the place of “\(other.title)” is left out: \(error.message)")
            return nil
        }
    }
}

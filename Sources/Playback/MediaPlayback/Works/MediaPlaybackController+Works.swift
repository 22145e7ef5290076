// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PassageMap
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
        var position = heard ?? now.position
        if let open = document(of: now) {
            position = await Self.place(position, of: open, in: work.document)
            guard machine.state.current?.item == now.item, machine.state.intent == intent else { throw Self.overtaken }
        }
        guard let place = work.place(of: position, kind: kind), place.grade != .unknown else {
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
        request.change = (.switched, work)
        return request
    }

    /// The place at which the other side of an item was left.
    struct KeptUp {
        /// The same place in the item.
        var position: MediaPosition
        /// The wall-clock time, in milliseconds.
        var at: Int64
        /// `true` if the item, a recording, lacks it: its text goes on there.
        var isInGap = false
    }

    /// Returns where the other side of an item was left, if that was later than the item itself.
    ///
    /// Nothing is overwritten: the place of the item stays saved until it is heard again.
    func keptUp(_ item: ItemReference, owner: OwnerID) async -> KeptUp? {
        items.gaps.enter(at: nil)
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
            guard !there.finished else { return nil }
            let position = there.kind == .text ? await Self.place(there, in: work.document) : there.position
            if there.kind == .text, let start = await enterGap(at: position.units, of: work) {
                record(note: "goes on where “\(other.title)” was left, which the recording lacks")
                return KeptUp(position: start, at: there.updatedAt, isInGap: true)
            }
            guard let place = work.place(of: position, kind: there.kind, hearingGaps: true), place.grade != .unknown
            else { return nil }
            record(note: "goes on where “\(other.title)” was left (\(place.quality))")
            return KeptUp(position: place.position, at: there.updatedAt)
        } catch {
            record(note: "the place of “\(other.title)” is left out: \(error.message)")
            return nil
        }
    }

    /// Lets the reading for a gap go on at a byte of the text, if that is in one; returns where the recording comes to it.
    private func enterGap(at byte: Int64, of work: Work) async -> MediaPosition? {
        await readKeptCrossing()
        var gaps = work.missingFiles()
        if let crossing = items.gaps.crossing, crossing.recording.uri == work.recording.uri,
            crossing.files == work.present.count
        {
            gaps.insert(crossing.gap, at: 0)
        }
        guard let gap = gaps.first(where: { $0.text.contains(byte) }) else { return nil }
        items.gaps.enter(at: max(gap.text.lowerBound, work.document.sentenceStart(at: byte) ?? byte))
        return gap.start
    }

    // MARK: Texts that were changed

    /// Returns a saved place in a text as it is now, where its words are.
    private static func place(_ saved: SavedPlace, in document: TextDocument) async -> MediaPosition {
        guard let context = saved.context, let now = await document.place(by: context) else { return saved.position }
        return now.shifted(saved.position, context)
    }

    /// Returns a place of a text that is open in the text as it is now.
    private static func place(
        _ place: MediaPosition, of open: TextDocument, in document: TextDocument
    ) async -> MediaPosition {
        guard open != document, let context = await open.context(at: place.units),
            let now = await document.place(by: context)
        else { return place }
        return now.shifted(place, context)
    }
}

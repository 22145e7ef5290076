// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

/// Places and last items on their way to the library, in the order in which they were decided.
extension MediaPlaybackController {
    func savePlace(_ owner: OwnerID, _ playing: Playing, finished: Bool, durably: Bool) {
        let place = SavedPlace(
            owner: owner, uri: playing.item.uri, kind: playing.item.kind, engine: playing.engine,
            position: playing.position, provenance: playing.provenance == .user ? .user : .heard, finished: finished,
            updatedAt: wallClock())
        let before = storeTurn
        storeTurn = Task {
            await before?.value
            do throws(PlaceStoreError) {
                try await store.save(place, durably: durably)
                if durably { record(place, error: nil) }
            } catch {
                record(place, error: error)
            }
        }
    }

    private func record(_ place: SavedPlace, error: PlaceStoreError?) {
        recorder.record(
            TransitionEntry(
                .place, cause: place.provenance == .user ? .user : .engine, command: journal.command,
                engine: place.engine, owner: place.owner,
                fields: [
                    "action": "save", "item": .string(place.uri), "content": .string(place.kind.rawValue),
                    "track": .int(Int64(place.position.track)),
                    "units": .int(place.position.units), "provenance": .string(place.provenance.rawValue),
                    "finished": .bool(place.finished), "result": .string(error == nil ? "ok" : "failed"),
                    "errorMessage": .optional(error?.message),
                ]))
    }

    func remember(_ owner: OwnerID, _ playing: Playing) {
        guard !playing.item.items.isEmpty else { return }
        let item = LastItem(
            owner: owner, kind: playing.item.kind, uri: playing.item.uri, items: playing.item.items,
            engine: playing.engine, title: playing.item.title, updatedAt: wallClock())
        let before = storeTurn
        storeTurn = Task {
            await before?.value
            // A failure here costs `play` without ITEM, not a place; the save of the place reports the store.
            try? await store.setLastItem(item)
            try? await store.set(.selectedEngine, to: playing.engine.rawValue)
        }
    }
}

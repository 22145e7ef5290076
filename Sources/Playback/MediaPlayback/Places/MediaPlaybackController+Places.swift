// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import PlaybackCore
import TaskChains
import TransitionRecords

/// Places and last items on their way to the library, in the order in which they were decided.
extension MediaPlaybackController {
    func savePlace(_ owner: OwnerID, _ playing: Playing, finished: Bool, durably: Bool) {
        let preferences = items[preferences: playing.item.uri, owner]
        let place = SavedPlace(
            owner: owner, uri: playing.item.uri, kind: playing.item.kind, engine: playing.chosenEngine,
            position: playing.position, provenance: playing.provenance == .user ? .user : .heard, finished: finished,
            rate: preferences?.rate, voice: preferences?.voice, volume: preferences?.volume,
            updatedAt: ports.wallClock())
        noteServed(place, of: playing, durably: durably)
        // The journal cannot store that an item was finished.
        if durably, !finished { keepInJournal(place) }
        if durably { keepPaces() }
        let document = document(of: playing)
        keeping.saves.append(on: self) { controller in
            var place = place
            if let document { place.context = await document.context(at: place.position.units) }
            do throws(PlaceStoreError) {
                try await controller.ports.store.save(place, durably: durably)
                if durably { controller.record(.saved(playing, of: owner, finished: finished, failure: nil)) }
                controller.note(saveFault: nil)
            } catch {
                controller.record(.saved(playing, of: owner, finished: finished, failure: error.message))
                controller.note(saveFault: error)
            }
        }
    }

    /// Reports where the sound stopped, and whether that counts as the end of the item.
    func silenced(_ generation: UInt32, at heard: MediaPosition?) {
        handle(.silenced(generation: generation, heard: heard, nearEnd: heard.map { isNearEnd($0, of: generation) }))
    }

    /// Returns whether a position is in the last five seconds, but at most the last tenth, of an item of known length.
    private func isNearEnd(_ heard: MediaPosition, of generation: UInt32) -> Bool {
        let state = machine.state
        let left = state.leaving[generation]?.playing ?? (generation == state.generation ? state.current : nil)
        guard let left, let timeline = timeline(of: left), [.exact, .container].contains(timeline.confidence),
            let length = timeline.summed, let now = timeline.seconds(of: heard)
        else { return false }
        return length - now <= min(5, length / 10)
    }

    /// Returns when everything that was to be saved so far is in the library, or has failed.
    public func placesAreSaved() async {
        await keeping.saves.last?.value
    }

    /// Notes that the place of what sounds cannot be kept, or can be kept again.
    ///
    /// Playback continues; the status shows the fault.
    public func note(saveFault fault: PlaceStoreError?) {
        if keeping.note(fault: fault) { publish(.state) }
    }

    /// Tells the journal what sounds; only `main` has places that last.
    func followPlace() {
        guard let places = ports.places else { return }
        let state = machine.state
        var subject: JournalSubject?
        if state.stream == .sounding, state.phase == .ready, state.owner == .main, let current = state.current {
            // The floor lies below what was already heard, by as much as a step back may lead.
            let slip = Int64(max(0, state.unitsPerSecond) * Double(state.rules.slipTolerance) / 1000)
            let floor = state.floor.map { MediaPosition(track: $0.track, units: max(0, $0.units - slip)) }
            subject = JournalSubject(
                owner: .main, uri: current.item.uri, kind: current.item.kind, engine: current.chosenEngine,
                generation: state.generation, floor: floor, tracks: timeline(of: current)?.tracks ?? [])
        }
        guard keeping.follow(subject) else { return }
        keeping.journal.append(on: self) { [subject] controller in
            await places.follow(subject, feed: controller.output.feed)
        }
    }

    /// Keeps a place in the journal at once, because a save waits for the library's other work, such as an import.
    private func keepInJournal(_ place: SavedPlace) {
        guard let places = ports.places, place.owner == .main else { return }
        let generation = machine.state.generation
        keeping.journal.append(on: self) { _ in await places.keep(place, generation: generation) }
    }

    private func record(_ place: TransitionEntry) {
        var entry = place
        entry.command = log.command
        ports.log.record(entry)
    }

    func remember(_ owner: OwnerID, _ playing: Playing) {
        guard !playing.item.items.isEmpty else { return }
        let item = LastItem(
            owner: owner, kind: playing.item.kind, uri: playing.item.uri, items: playing.item.items,
            engine: playing.chosenEngine, title: playing.item.title, updatedAt: ports.wallClock())
        keeping.saves.append(on: self) { controller in
            // A failure here costs `play` without ITEM, but no place.
            do throws(PlaceStoreError) {
                try await controller.ports.store.setLastItem(item)
                try await controller.ports.store.set(.selectedEngine, to: playing.chosenEngine.rawValue)
            } catch {
                controller.record(.forgotten(playing, of: owner, failure: error.message))
            }
        }
    }
}

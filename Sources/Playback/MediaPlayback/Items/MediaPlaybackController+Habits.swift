// SPDX-License-Identifier: Apache-2.0

import JSON
import PlaybackCore

/// The rate, volume, engine and voice of each item, which come back with it.
extension MediaPlaybackController {
    /// Returns a habit from the memory of this session, or else from the library.
    func habit(of uri: String, owner: OwnerID) async -> ListeningHabit? {
        if let habit = items[habit: uri, owner] { return habit }
        guard case .progress(let place) = await ports.store.place(of: uri, owner: owner) else { return nil }
        learn(place)
        return items[habit: uri, owner]
    }

    /// Takes over the habit in a saved place, unless this session knows a newer one.
    func learn(_ place: SavedPlace) {
        guard items[habit: place.uri, place.owner] == nil else { return }
        items[habit: place.uri, place.owner] = ListeningHabit(place)
    }

    /// Restores the rate and volume of an item that got audio focus in another way than by an order to play it.
    func recallHabit(after event: PlaybackEvent, before: PlaybackState) {
        let state = machine.state
        guard let uri = state.current?.item.uri, before.current?.item.uri != uri || before.owner != state.owner,
            let habit = items[habit: uri, state.owner]
        else { return }
        var order: PlayOrder?
        if case .play(_, let asked, _) = event { order = asked }
        if order?.rate == nil, let rate = habit.rate, rate != state.rate {
            handle(.setRate(rate, heard: nil, byEngine: false))
        }
        if order?.volume == nil, let volume = habit.volume, volume != state.volume {
            handle(.setVolume(volume, heard: nil))
        }
    }

    /// Notes how the current item is listened to; a new habit is written to the library at once.
    func noteHabit() {
        let state = machine.state
        guard let current = state.current else { return }
        let uri = current.item.uri
        let habit = ListeningHabit(
            rate: state.rate, volume: state.volume, engine: current.engine, voice: items[wishes: uri].voice)
        let known = items[habit: uri, state.owner]
        guard habit != known else { return }
        let owner = state.owner
        items[habit: uri, owner] = habit
        guard known != nil else { return }
        keeping.saves.append(on: self) { controller in
            // A failure loses a rate, not a place; saving the place reports the problem with the store.
            try? await controller.ports.store.remember(habit, of: uri, owner: owner)
        }
    }

    /// Returns the engine to continue with: the one used last time, unless it is gone.
    func remembered(
        _ engine: EngineID?, for found: FoundItem, habit: ListeningHabit?
    ) async -> EngineID {
        guard engine == nil, let last = habit?.engine, last != found.engine else { return engine ?? found.engine }
        let isUsable = await ports.engines.installed().contains {
            $0.id == last && $0.state == .available && $0.kinds.contains(found.item.kind)
        }
        if isUsable { return last }
        tellReplaced(last, by: found.engine, for: found.item.title)
        return found.engine
    }

    func tellReplaced(_ last: EngineID, by engine: EngineID, for title: String) {
        ports.recorder.record(
            TransitionEntry(
                .event, cause: .restore, command: journal.command, engine: engine,
                fields: [
                    "event": "note",
                    "message": .string(
                        "engine “\(last)” is no longer available; “\(title)” continues with “\(engine)”"),
                ]))
    }
}

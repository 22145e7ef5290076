// SPDX-License-Identifier: Apache-2.0

import JSON
import PlaybackCore

/// Speed, volume, engine and voice of each item, which come back with it.
extension MediaPlaybackController {
    /// Of what is memory of this session, else of the library.
    func habit(of uri: String, owner: OwnerID) async -> ListeningHabit? {
        if let habit = items[habit: uri, owner] { return habit }
        guard case .progress(let place) = await store.place(of: uri, owner: owner) else { return nil }
        learn(place)
        return items[habit: uri, owner]
    }

    /// What this session knows is newer.
    func learn(_ place: SavedPlace) {
        guard items[habit: place.uri, place.owner] == nil else { return }
        items[habit: place.uri, place.owner] = ListeningHabit(place)
    }

    /// An item that came to the stage in another way than by an order to play it brings its speed and volume along.
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

    /// Takes down how the present item is listened to; at once in the library, if that is new.
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
        let before = storeTurn
        storeTurn = Task {
            await before?.value
            // A failure costs a speed, not a place; the save of the place reports the store.
            try? await store.remember(habit, of: uri, owner: owner)
        }
    }

    /// The engine to go on with: the one of last time, unless it is gone.
    func remembered(
        _ engine: EngineID?, for found: Found, habit: ListeningHabit?
    ) async -> EngineID {
        guard engine == nil, let last = habit?.engine, last != found.engine else { return engine ?? found.engine }
        let isUsable = await engines.installed().contains {
            $0.id == last && $0.state == .available && $0.kinds.contains(found.item.kind)
        }
        if isUsable { return last }
        tellReplaced(last, by: found.engine, for: found.item.title)
        return found.engine
    }

    func tellReplaced(_ last: EngineID, by engine: EngineID, for title: String) {
        recorder.record(
            TransitionEntry(
                .event, cause: .restore, command: journal.command, engine: engine,
                fields: [
                    "event": "note",
                    "message": .string(
                        "engine “\(last)” is not available any more; “\(title)” goes on with “\(engine)”"),
                ]))
    }
}

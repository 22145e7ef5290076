// SPDX-License-Identifier: Apache-2.0

import JSON
public import PlaybackCore
import TaskChains
import TransitionRecords

/// The rate, volume, engine and voice of each item, which come back with it.
extension MediaPlaybackController {
    /// Returns the preferences from the memory of this session, or else from the library.
    func preferences(of uri: String, owner: OwnerID) async -> ItemPreferences? {
        if let preferences = items[preferences: uri, owner] { return preferences }
        guard case .progress(let place) = await ports.store.place(of: uri, owner: owner) else { return nil }
        learn(place)
        return items[preferences: uri, owner]
    }

    /// Returns the engine and the voice that last read a text to an owner, if that engine is there.
    public func reader(of uri: String, owner: OwnerID = .main) async -> (engine: EngineID, voice: String?)? {
        guard let known = await preferences(of: uri, owner: owner), let engine = known.engine else { return nil }
        let isUsable = await ports.engines.installed().contains {
            $0.id == engine && $0.state == .available && $0.kinds.contains(.text)
        }
        return isUsable ? (engine, known.voice) : nil
    }

    /// Takes over the preferences in a saved place, unless this session knows newer ones.
    func learn(_ place: SavedPlace) {
        guard items[preferences: place.uri, place.owner] == nil else { return }
        items[preferences: place.uri, place.owner] = ItemPreferences(place)
    }

    /// Restores the rate and volume of an item that got audio focus in another way than by an order to play it.
    func recallPreferences(after event: PlaybackEvent, before: PlaybackState) {
        let state = machine.state
        guard let uri = state.current?.item.uri, before.current?.item.uri != uri || before.owner != state.owner,
            let preferences = items[preferences: uri, state.owner]
        else { return }
        var order: PlayOrder?
        if case .play(_, let asked, _) = event { order = asked }
        // What was set while the command was looked up is in force now.
        let meanwhile = before.lookUp.flatMap { $0.id == state.lookUp?.id ? nil : $0 }
        if order?.rate == nil, meanwhile?.rate == nil, let rate = preferences.rate, rate != state.rate {
            handle(.setRate(rate, heard: nil, byEngine: false))
        }
        if order?.volume == nil, meanwhile?.volume == nil, let volume = preferences.volume, volume != state.volume {
            handle(.setVolume(volume, heard: nil))
        }
    }

    /// Notes how the current item is listened to; a change is written to the library at once.
    func notePreferences() {
        let state = machine.state
        guard let current = state.current else { return }
        let uri = current.item.uri
        let preferences = ItemPreferences(
            rate: state.rate, volume: state.volume, engine: current.chosenEngine,
            voice: items[opening: uri].voice(for: current.chosenEngine))
        let known = items[preferences: uri, state.owner]
        guard preferences != known else { return }
        items[preferences: uri, state.owner] = preferences
        if known != nil { remember(preferences, of: uri, owner: state.owner) }
    }

    /// Forgets a voice that its engine does not have, so that it is not tried again.
    func forgetVoice(_ voice: String?, of uri: String) {
        guard let voice else { return }
        if items[opening: uri].voice == voice { items[opening: uri].voice = nil }
        let owner = machine.state.owner
        guard var known = items[preferences: uri, owner], known.voice == voice else { return }
        known.voice = nil
        items[preferences: uri, owner] = known
        remember(known, of: uri, owner: owner)
    }

    private func remember(_ preferences: ItemPreferences, of uri: String, owner: OwnerID) {
        keeping.saves.append(on: self) { controller in
            // A failure loses a rate, not a place; saving the place reports the problem with the store.
            try? await controller.ports.store.remember(preferences, of: uri, owner: owner)
        }
    }

    /// Returns the engine that plays an item: the one that was asked for, or else the one used last, or the one that was found.
    func engine(
        for found: FoundItem, _ preferences: ItemPreferences?, asked: EngineID? = nil
    ) async -> EngineID {
        // A text that was read as texts are read by default has no engine of its own yet.
        let isUndecided =
            found.usualEngine != nil && preferences?.engine == found.usualEngine && preferences?.voice == nil
        return isUndecided ? found.engine : await remembered(asked, for: found, preferences: preferences)
    }

    /// Returns the engine to continue with: the one used last time, unless it is gone.
    func remembered(
        _ engine: EngineID?, for found: FoundItem, preferences: ItemPreferences?
    ) async -> EngineID {
        guard engine == nil, let last = preferences?.engine, last != found.engine else { return engine ?? found.engine }
        let isUsable = await ports.engines.installed().contains {
            $0.id == last && $0.state == .available && $0.kinds.contains(found.item.kind)
        }
        if isUsable { return last }
        tellReplaced(last, by: found.engine, for: found.item.title)
        return found.engine
    }

    func tellReplaced(_ last: EngineID, by engine: EngineID, for title: String) {
        ports.log.record(
            TransitionEntry(
                .event, cause: .restore, command: log.command, engine: engine,
                fields: [
                    "event": "note",
                    "message": .string(
                        "engine “\(last)” is no longer available; “\(title)” continues with “\(engine)”"),
                ]))
    }
}

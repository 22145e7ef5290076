// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import TransitionRecords

/// The time at which engines are started.
public enum InitializationPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Prepares the engine that was selected last at launch, without a device; starts others when they are needed.
    case selectedAtLaunch
    case onDemand
}

extension MediaPlaybackController {
    /// Does what the policy asks for at launch; touches no device.
    ///
    /// - Parameter forCommand: whether a command that is about to arrive started the session, and starts what it needs.
    public func launch(forCommand: Bool = false) async {
        machineRules()
        // This runs alongside everything else, so that the status can show it.
        Task { await restoreSound() }
        guard !forCommand, settings.initialization == .selectedAtLaunch else { return }
        guard let selected = try? await ports.store.setting(.selectedEngine) else { return }
        let id = EngineID(selected)
        guard await ports.engines.installed().contains(where: { $0.id == id && $0.state == .available }) else { return }
        log.engine(id, action: "prepare", cause: .restore)
        guard case .success = await liveEngine(id) else { return }
        if machine.state.current == nil { retire(id, after: settings.engineParked) } else { retireUnused(id) }
    }

    /// Adopts new settings; what is in progress follows them, too.
    public func adopt(_ new: PlaybackSettings) {
        guard new != settings else { return }
        let before = sound
        settings = new
        machineRules()
        if sound != before { useSound() }
    }

    /// Passes the rules to the machine as an event: they are part of the log, so a replayed log decides by them, too.
    private func machineRules() {
        guard settings.rules != machine.state.rules else { return }
        handle(.setRules(settings.rules))
    }

    /// Reads the library's memory of the user, once.
    func restore() async {
        guard let task = memory.read({ Task { await readMemory() } }) else { return }
        await task.value
        memory.ended()
    }

    /// Reads what was played last; the next command asks again for what cannot be read now.
    private func readMemory() async {
        var items: [Playing] = []
        var times: [String: Int64] = [:]
        memory.begin()
        for kind in ContentKind.allCases {
            let found: LastItem?
            do throws(PlaceStoreError) {
                found = try await ports.store.lastItem(of: kind, owner: .main)
            } catch {
                memory.failed(error)
                continue
            }
            guard let last = found else { continue }
            var playing = Playing(
                item: ItemReference(uri: last.uri, kind: kind, title: last.title ?? last.uri, items: last.items),
                engine: last.engine, position: .start, provenance: .unknown)
            switch await ports.store.place(of: last.uri, owner: .main) {
            case .progress(let place):
                learn(place)
                if self.items[opening: last.uri].voice == nil { self.items[opening: last.uri].voice = place.voice }
                playing.position = place.finished ? .start : place.position
                playing.provenance = .restored
                if !place.finished { self.items[silentSince: last.uri] = place.updatedAt }
            case .empty:
                playing.provenance = .restored
            case .failed(let error):
                memory.failed(error)
                // Starting it at 0 could overwrite the real place; it is better not to know the item at all.
                continue
            }
            times[last.uri] = last.updatedAt
            items.append(playing)
        }
        // The latest one comes first.
        items.sort { times[$0.item.uri] ?? 0 > times[$1.item.uri] ?? 0 }
        await replaceMissingEngines(of: &items)
        memory.complete()
        handle(.restored(owner: .main, items))
        await readKeptSleep()
    }

    /// Replaces missing engines: an item that was played with an engine that is gone continues with another one.
    private func replaceMissingEngines(of items: inout [Playing]) async {
        guard !items.isEmpty else { return }
        let able = await ports.engines.installed().filter { $0.state == .available }
        for index in items.indices where !able.contains(where: { $0.id == items[index].engine }) {
            let item = items[index].item
            let name = EngineChoice.fileExtension(.file(path: item.uri))
            guard let best = EngineChoice.best(of: able.filter { $0.kinds.contains(item.kind) }, for: name) else {
                continue
            }
            tellReplaced(items[index].engine, by: best.id, for: item.title)
            items[index].engine = best.id
            self.items[opening: item.uri].voice = nil
        }
    }
}

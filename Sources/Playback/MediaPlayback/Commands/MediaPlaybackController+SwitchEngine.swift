// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// Switching the current or coming item to another engine.
extension MediaPlaybackController {
    /// Continues with another engine: with the same item if it can load it, or else with the other side of the work at the
    /// same passage, or else with the last item it played.
    ///
    /// If an item is being looked up, that engine opens it. Throws `unavailable` if the engine has nothing to continue
    /// with, and `badContent` for a part of a file; the current or coming item is unchanged then.
    public func switchEngine(to id: EngineID) async throws(PlaybackError) {
        if machine.state.isComing(nil) {
            let (coming, wasHeld) = (orders.coming?.command, machine.state.lookUp?.isHeld)
            let installed = try await available(id)
            if !hasBegun(coming) {
                guard coming == orders.coming?.command, wasHeld == machine.state.lookUp?.isHeld else {
                    throw Self.overtaken
                }
                if try await switchComing(to: installed) { return }
            }
        } else if let crossing = try await crossing(to: try await available(id)) {
            return try await play(crossing)
        }
        try await command { command async throws(PlaybackError) in
            do throws(PlaybackError) {
                try await lookUp(ComingItem(command: command), of: machine.state.owner, for: .engine) {
                    controller async throws(PlaybackError) in
                    try await controller.lookUpSwitch(to: id, command)
                }
            } catch {
                guard error == Self.nothingPlayed else { throw error }
                throw Self.refusal(of: try await available(id), part: isPart ? machine.state.current?.item.title : nil)
            }
        }
    }

    private func lookUpSwitch(to id: EngineID, _ command: UInt64) async throws(PlaybackError) {
        let installed = try await available(id)
        await restore()
        await learnLeft()
        carryOut(command) {
            // Content that only a named engine plays cannot move to another one, and neither can a part of a file.
            let kinds = isPart || !installed.opensByContent ? [] : installed.kinds
            return .switchEngine(id: command, id, kinds: kinds, heard: heardAtOnce, wasLookedUp: true)
        }
    }

    /// `true` if only a part of a file is loaded.
    var isPart: Bool { machine.state.current.map { items[content: $0.item.uri]?.clip != nil } ?? false }

    private func available(_ id: EngineID) async throws(PlaybackError) -> InstalledEngine {
        guard let installed = await ports.engines.installed().first(where: { $0.id == id && $0.state == .available })
        else { throw await noSuchEngine(id) }
        return installed
    }

    /// Lets another engine open the coming item; returns when that is audible.
    ///
    /// - Returns: `false` if the engine does not play that item, but continues with an item of its own.
    private func switchComing(to engine: InstalledEngine) async throws(PlaybackError) -> Bool {
        guard let coming = orders.coming, let request = coming.request, let kind = coming.kind else { return false }
        let isPart = request.clip != nil
        let isNamed = request.engine == engine.id
        if isNamed || !isPart && engine.opensByContent && engine.kinds.contains(kind) {
            orders.keep(engine: engine)
            try await joinComing(nil)
            return true
        }
        let wasHeld = machine.state.lookUp?.isHeld
        await restore()
        await learnLeft()
        guard orders.coming?.command == coming.command, wasHeld == machine.state.lookUp?.isHeld else {
            throw Self.overtaken
        }
        let hasOwn = machine.state.lastItems(of: machine.state.owner).contains {
            $0.engine == engine.id || engine.opensByContent && engine.kinds.contains($0.item.kind)
        }
        guard hasOwn, !isPart else {
            let title = request.item.items.first.map {
                FileTitle.title($0.split(separator: "/").last ?? $0[...])
            }
            throw memory.fault ?? Self.refusal(of: engine, part: isPart ? title : nil)
        }
        return false
    }

    /// Returns the engine for the item that was found: the one asked for in the meantime, if it plays that item.
    func engine(_ chosen: EngineID, for found: FoundItem, _ meanwhile: ComingItem) -> EngineID {
        guard let wanted = meanwhile.engine, wanted.id != chosen else { return chosen }
        guard wanted.kinds.contains(found.item.kind), found.content.clip == nil else {
            record(note: "engine “\(wanted.id)” is left out: it does not play “\(found.item.title)”")
            return chosen
        }
        retireUnused(chosen)
        return wanted.id
    }

    /// Returns the reason why an engine has nothing to continue with.
    ///
    /// - Parameter part: the title of the item of which only a part is loaded.
    private static func refusal(of engine: InstalledEngine, part: String?) -> PlaybackError {
        if let part {
            return PlaybackError(
                .badContent,
                message: "a part of “\(part)” stays with its engine; for another one: rostrum clip play --engine "
                    + "\(engine.id) FILE")
        }
        return PlaybackError(
            .unavailable,
            message: "engine “\(engine.id)” has nothing to continue with; name an item: rostrum play --engine "
                + "\(engine.id) FILE")
    }

    /// Throws if a voice is asked for a recording, which has the voice that it has.
    static func refuseVoice(for kind: ContentKind, _ title: String?) throws(PlaybackError) {
        guard kind == .audio else { return }
        let name = title.map { "“\($0)”" } ?? "the last item"
        throw PlaybackError(.usage, message: "a voice is for texts, and \(name) is audio: leave out --voice")
    }
}

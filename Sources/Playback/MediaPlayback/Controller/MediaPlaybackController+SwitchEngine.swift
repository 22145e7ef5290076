// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// What is there, or is about to be, goes on with another engine.
extension MediaPlaybackController {
    /// Goes on with another engine: the same item if it can load it, else the last item it played.
    ///
    /// Of what is being looked up, it is the engine that opens it. Throws 69 if the engine has nothing to go on with, and 65 for a
    /// part of a file; what is there, or is coming, stays as it is then.
    public func switchEngine(to id: EngineID) async throws(PlaybackError) {
        guard let installed = await engines.installed().first(where: { $0.id == id && $0.state == .available }) else {
            throw await noSuchEngine(id)
        }
        if isComing(nil), try await switchComing(to: installed) { return }
        let command = nextCommand()
        let told = journal.newest
        newestPlay = command
        await restore()
        let heard = await heardNow()
        guard newestPlay == command else { return }
        let current = machine.state.current
        let isPart = current.map { items[content: $0.item.uri]?.clip != nil } ?? false
        // What an engine has to be named for is its own alone, and so is a part of a file.
        let kinds = isPart || !installed.opensByContent ? [] : installed.kinds
        do throws(PlaybackError) {
            try await answered(command, told, .switchEngine(id: command, id, kinds: kinds, heard: heard))
        } catch {
            throw error == Self.nothingPlayed
                ? Self.refusal(of: installed, part: isPart ? current?.item.title : nil) : error
        }
    }

    /// Has another engine open what is coming; returns when that is heard.
    ///
    /// `false`: it does not play that, but goes on with an item of its own.
    private func switchComing(to engine: InstalledEngine) async throws(PlaybackError) -> Bool {
        guard let coming else { return false }
        let isPart = coming.request.clip != nil
        let isNamed = coming.request.engine == engine.id
        if isNamed || !isPart && engine.opensByContent && engine.kinds.contains(coming.kind) {
            self.coming?.engine = engine
            try await joinComing()
            return true
        }
        await restore()
        let hasOwn = machine.state.lastItems(of: machine.state.owner).contains {
            $0.engine == engine.id || engine.opensByContent && engine.kinds.contains($0.item.kind)
        }
        guard hasOwn, !isPart else {
            let title = coming.request.item.items.first.map {
                FileTitle.title($0.split(separator: "/").last ?? $0[...])
            }
            throw memoryFault ?? Self.refusal(of: engine, part: isPart ? title : nil)
        }
        return false
    }

    /// The engine for what was found: the one that was asked for meanwhile, if it plays that.
    func engine(_ chosen: EngineID, for found: Found, _ meanwhile: ComingPlay?) -> EngineID {
        guard let wanted = meanwhile?.engine, wanted.id != chosen else { return chosen }
        guard wanted.kinds.contains(found.item.kind), found.content.clip == nil else {
            record(note: "engine “\(wanted.id)” is left out: it does not play “\(found.item.title)”")
            return chosen
        }
        retireUnused(chosen)
        return wanted.id
    }

    /// Why an engine goes on with nothing; `part`: the title of what a part is there of.
    private static func refusal(of engine: InstalledEngine, part: String?) -> PlaybackError {
        if let part {
            return PlaybackError(
                code: 65,
                message: "a part of “\(part)” stays with its engine; for another one: rostrum clip play --engine "
                    + "\(engine.id) FILE")
        }
        return PlaybackError(
            code: 69,
            message: "engine “\(engine.id)” has nothing to go on with; say what it is to play: rostrum play --engine "
                + "\(engine.id) FILE")
    }

    static func unable(_ engine: EngineID, _ kind: ContentKind, _ title: String) -> PlaybackError {
        PlaybackError(
            code: 65, message: "engine “\(engine)” does not play \(kind.rawValue); “\(title)” is that")
    }

    /// A recording has the voice that it has.
    static func refuseVoice(for kind: ContentKind, _ title: String?) throws(PlaybackError) {
        guard kind == .audio else { return }
        let name = title.map { "“\($0)”" } ?? "the last item"
        throw PlaybackError(code: 64, message: "a voice is for texts, and \(name) is audio: leave out --voice")
    }
}

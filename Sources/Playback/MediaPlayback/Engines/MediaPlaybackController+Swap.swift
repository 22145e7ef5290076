// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
public import PlaybackCore
import TransitionRecords

/// Hot swap: what plays moves to other tracks of the same content.
///
/// The machine decides; decision 46 says how the sound goes from one process to the other.
extension MediaPlaybackController {
    /// Moves what plays, or is paused, to other tracks of the same content, without a gap, a repeat or a stop.
    ///
    /// The caller says that they are the same: the item keeps its URI, its title and its chapters, and only where its bytes
    /// come from changes. Returns when the sound has moved, or is about to where a pause holds it. Throws, and changes
    /// nothing, if the tracks are not open in 8 s or are off by more than 1.5 s, and if another command overtakes it.
    ///
    /// - Parameter uri: the item that the caller believes to be there.
    public func swap(_ uri: String, to request: ItemRequest) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            guard let current = machine.state.current, current.item.uri == uri else { throw Self.notPlaying(uri) }
            try await swap(id, to: try await find(request, engine: current.chosenEngine), of: uri)
        }
    }

    func swap(_ id: UInt64, to found: FoundItem, of uri: String) async throws(PlaybackError) {
        guard let current = machine.state.current, current.item.uri == uri else { throw Self.notPlaying(uri) }
        var content = items[content: uri] ?? found.content
        guard content.kind == .audio, found.content.kind == .audio, content.clip == nil else {
            throw PlaybackError(
                .badContent, message: "“\(current.item.title)” stays where it is: only whole recordings move")
        }
        guard content.tracks.count == found.content.tracks.count else {
            throw PlaybackError(
                .badContent,
                message: "“\(current.item.title)” has \(content.tracks.count) files, and there are "
                    + "\(found.content.tracks.count) to move to; it plays on as before")
        }
        content.uri = uri
        content.tracks = found.content.tracks
        var item = current.item
        item.items = found.item.items
        item.isRemote = content.isRemote
        desk.keep(content, of: id)
        defer { desk.forgetContent(of: id) }
        try await answered(id, .swap(id: id, to: item))
    }

    /// Moves what plays to the files that a `play` of the same item names, if it asks for nothing else.
    ///
    /// So a server's other address, or an address with another token, is taken up without a gap.
    ///
    /// - Returns: `false` if they are to be opened as those of any item.
    func movesTo(_ found: FoundItem, for request: PlayRequest, _ id: UInt64) async -> Bool {
        let state = machine.state
        guard request.start == .saved, request.asksForItemAlone, state.owner == request.owner,
            let current = state.current, current.item.uri == found.item.uri, current.engine == found.engine,
            state.phase == .ready, state.intent == .play, let content = items[content: found.item.uri],
            content.kind == .audio, content.clip == nil, content.tracks != found.content.tracks
        else { return false }
        do throws(PlaybackError) {
            try await swap(orders.next(), to: found, of: found.item.uri)
        } catch {
            return !isLookingUp(id)
        }
        carryOut(id) { .resume(id: id, owner: request.owner, heard: nil, wasLookedUp: true) }
        return true
    }

    private static func notPlaying(_ uri: String) -> PlaybackError {
        PlaybackError(.unavailable, message: "“\(uri)” is not what plays; nothing was changed")
    }

    // MARK: Effects

    /// Opens other tracks in another process of the engine.
    func prepareSwap(_ id: UInt64, _ playing: Playing, within limit: Duration) {
        guard let content = desk.content(of: id) else { return }
        let clock = ports.clock
        let deadline = Task { [weak self] in
            try? await clock.sleep(for: limit)
            guard !Task.isCancelled else { return }
            await self?.endPreparing(id, after: limit)
        }
        desk.beside = EngineBeside(swap: id, content: content, deadline: deadline)
        Task {
            do throws(PlaybackError) {
                try await openBeside(id, playing, content)
            } catch {
                refuseSwap(id, error)
            }
        }
    }

    private func openBeside(_ id: UInt64, _ playing: Playing, _ content: Content) async throws(PlaybackError) {
        let name = playing.engine
        let engine: any PlaybackEngine
        do throws(EngineError) {
            engine = try await ports.engines.start(name)
        } catch {
            throw PlaybackError(error)
        }
        guard desk.beside?.swap == id else { return await engine.shutDown() }
        log.engine(name, action: "start", cause: .user)
        let serial = desk.pool.reserve()
        let reader = listen(to: engine, serial)
        desk.beside?.begin(engine, serial, reader)
        log.engine(name, action: "load", cause: .user, fields: ["item": .string(content.uri)])
        // What it renders now is older than what it is told when the stream takes it.
        let request = LoadRequest(
            content: content, start: heardAtOnce ?? machine.state.current?.position ?? playing.position,
            generation: machine.state.generation &- 1, rate: machine.state.rate, voice: desk.voice(of: name))
        let description: MediaDescription
        do throws(EngineError) {
            description = try await engine.load(request)
        } catch {
            throw PlaybackError(error)
        }
        guard desk.beside?.swap == id else { return }
        let media = loaded(content, description, voice: nil, by: name)
        desk.beside?.opened(media)
        // The exact position of a pause that was just made comes first.
        await output.last?.value
        guard let beside = desk.beside, beside.swap == id else { return }
        let present = desk[open: name]?.content.uri == content.uri ? desk[open: name] : desk[known: content.uri]
        guard let distance = present.map({ beside.distance(from: $0.description) }) ?? 0 else {
            throw PlaybackError(
                .badContent,
                message: "the other files of “\(playing.item.title)” have another sample rate; it plays on as before")
        }
        handle(.swapReady(id: id, off: distance))
    }

    private func endPreparing(_ id: UInt64, after limit: Duration) {
        guard desk.beside?.swap == id, desk.beside?.media == nil else { return }
        let seconds = limit.components.seconds
        refuseSwap(
            id,
            PlaybackError(.io, message: "the other files were not ready after \(seconds) s; it plays on as before"))
    }

    private func refuseSwap(_ id: UInt64, _ error: PlaybackError) {
        if desk.beside?.swap == id { handle(.swapFailed(id: id, error)) }
    }

    /// Lets the open stream go on with the other process where it has come to.
    func joinSwap(_ id: UInt64, _ generation: UInt32) {
        guard let engine = desk.beside?.process?.engine, desk.beside?.swap == id else { return }
        let next = output.joint?.nextPlace.map { MediaPosition(track: $0.track, units: $0.units) }
        guard let place = next ?? machine.state.current?.position else { return }
        engine.source.discard(before: generation)
        Task {
            do throws(EngineError) {
                try await engine.seek(to: place, generation: generation)
            } catch {
                return refuseSwap(id, PlaybackError(error))
            }
            guard let beside = desk.beside, beside.swap == id, beside.joints == nil else { return }
            guard let joint = output.joint, generation == machine.state.generation, offer(engine, to: joint) else {
                let message = "the stream could not take the other files; it plays on as before"
                return refuseSwap(id, PlaybackError(.busy, message: message))
            }
            // A stream that has run dry looks at once.
            setLimit()
        }
    }

    private func offer(_ engine: any PlaybackEngine, to joint: JointSource) -> Bool {
        let joints = joint.joints
        guard joint.offer(engine.source) else { return false }
        output.keep(engine.source)
        desk.beside?.noteOffer(joints: joints)
        return true
    }

    /// Makes the other process the engine, and its tracks the item's.
    func commitSwap(_ id: UInt64) {
        guard let content = desk.content(of: id) ?? desk.beside?.content else { return }
        if machine.state.current?.item.uri == content.uri { items.keep(content) }
        guard let beside = desk.takeBeside(id) else { return }
        // A seek or a recovery takes what it has not been offered for yet.
        if beside.joints == nil, let joint = output.joint, let engine = beside.process?.engine,
            machine.state.stream != .closed, output.takesSound(of: engine.id)
        {
            _ = joint.offer(engine.source)
            output.keep(engine.source)
        }
        replaceEngine(by: beside)
        publish(.state)
    }

    /// Ends the other process, unless the stream has gone over to it already.
    func dropSwap(_ id: UInt64) {
        guard let beside = desk.takeBeside(id) else { return }
        if beside.joints != nil, let joint = output.joint, !joint.takeBack() { return replaceEngine(by: beside) }
        guard let engine = beside.process?.engine else { return }
        log.engine(engine.id, action: "shutDown", cause: .recovery)
        Task { await engine.shutDown() }
    }

    private func replaceEngine(by beside: EngineBeside) {
        guard let (engine, serial, reader) = beside.process, let media = beside.media else { return }
        let voice = desk.voice(of: engine.id)
        if let old = desk.remove(engine.id) {
            // The stream may still hear what it has rendered.
            output.keep(old.engine.source)
            log.engine(engine.id, action: "shutDown", cause: .recovery)
            Task { await old.engine.shutDown() }
        }
        desk.pool.adopt(engine, serial, reader, beside.content)
        desk.opened(media, voice: voice, by: engine.id)
        if machine.state.current?.engine != engine.id || [.idle, .failed].contains(machine.state.phase) {
            retire(engine.id, after: settings.engineIdle)
        }
        if machine.state.stream == .sounding { indexInTime(engine.id) }
    }

    // MARK: Events

    /// Takes up that the stream goes on with another engine's sound.
    func noteJoint() {
        guard let beside = desk.beside, hasJoined(beside) else { return }
        reportJoint(of: beside.swap)
    }

    private func reportJoint(of swap: UInt64) {
        Initiator.run(as: Initiator(command: "c\(swap)", origin: .user)) { handle(.swapped(id: swap)) }
    }

    private func hasJoined(_ beside: EngineBeside) -> Bool {
        guard let joints = beside.joints, let joint = output.joint else { return false }
        return joint.joints > joints
    }

    /// Takes an event of the other process; returns `true` if it belongs to the engine by now.
    func takeBeside(_ event: EngineEvent, _ serial: Int) async -> Bool {
        guard let beside = desk.beside, let process = beside.process, process.serial == serial else { return false }
        let id = process.engine.id
        switch event.redacted(of: beside.content) {
        case .track(let index, let track): desk.beside?.media?.update(tracks: [index: track])
        case .failed(_, let error, _):
            if hasJoined(beside) { return joined(beside, id, serial) }
            refuseSwap(beside.swap, PlaybackError(error))
        case .gone(let error, _, _):
            if hasJoined(beside) { return joined(beside, id, serial) }
            log.engine(
                id, action: "gone", cause: .engine,
                fields: ["errorCode": .optional(error.number.map(Int64.init)), "errorMessage": .string(error.message)])
            let item = error.kind == .neverReady ? nil : beside.content.uri
            if let verdict = await ports.engines.died(id, error, item: item, leavesSound: false) {
                log.engine(id, action: "quarantine", cause: .engine, fields: ["message": .string(verdict)])
            }
            refuseSwap(beside.swap, PlaybackError(error))
        case .log(let level, let message):
            log.engine(
                id, action: "log", cause: .engine, fields: ["level": .string(level), "message": .string(message)])
        case .mark, .damaged: break
        }
        return false
    }

    private func joined(_ beside: EngineBeside, _ id: EngineID, _ serial: Int) -> Bool {
        reportJoint(of: beside.swap)
        return desk.pool[id]?.serial == serial
    }
}

// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ControlSocket
import MediaPlayback
import PlaybackCore
import SessionProtocol
import SettingsFile
import TransitionLog

/// The service that carries out the commands of the control socket with the controller.
///
/// It also decides when the session ends, which depends on the attached clients.
actor PlaybackService: SessionService {
    private let controller: MediaPlaybackController
    private let engines: EngineAdministration
    private let library: LibraryAdministration
    private let log: TransitionLog
    private let logPath: String
    private var settings: SettingsNews
    private var lifetime: SessionLifetime
    private var watcher: Task<Void, Never>?
    private let subscribers = Subscribers()
    private var players = AttachedPlayers()
    private var renders = RenderJobs()
    private var inspections = 0
    private var transitions: Task<Void, Never>?
    private var boundary: Task<Void, Never>?

    init(
        controller: MediaPlaybackController, engines: EngineAdministration, library: LibraryAdministration,
        log: TransitionLog, logPath: String, endsByItself: Bool, idle: Duration, settings: SettingsNews
    ) {
        self.controller = controller
        self.engines = engines
        self.library = library
        self.log = log
        self.logPath = logPath
        self.settings = settings
        lifetime = SessionLifetime(endsByItself: endsByItself, idle: idle)
    }

    /// Returns when the session has nothing left to do.
    nonisolated func ended() async {
        for await _ in await lifetime.ending { return }
    }

    // MARK: Commands

    func perform(
        _ command: SessionCommand, client: ClientID, descriptors: [Int32], begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) -> SessionReply {
        var plays = command.startsSound
        lifetime.requestBegan(client, plays: plays)
        // If nothing is loaded, such a command resumes the last item. Otherwise it only moves what belongs to others.
        if !plays, command.mayWaitForSound, await controller.show({ $0.state.current == nil }) {
            plays = true
            lifetime.requestPlays(client)
        }
        let result: Result<SessionReply, SessionError>
        do throws(SessionError) {
            result = .success(try await take(command, client: client, descriptors: descriptors, begun: begun))
        } catch {
            result = .failure(error)
        }
        var hasFailed = false
        if case .failure = result { hasFailed = true }
        if lifetime.requestEnded(client, plays: plays, hasFailed: hasFailed) {
            // Only playback ends here. The session ends when this client leaves, since its answer is still to be sent.
            await leaveStage()
        }
        return try result.get()
    }

    private func take(
        _ command: SessionCommand, client: ClientID, descriptors: [Int32], begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) -> SessionReply {
        await adoptSettings()
        let shared = descriptors.map { SharedDescriptor(owning: $0) }
        if case .manageEngine(let action) = command { return try await manage(action) }
        if case .settings(let action) = command {
            let list = try await settings.perform(action)
            await adoptSettings()
            return .settings(list)
        }
        let result: Result<SessionReply, PlaybackError> = await CommandTurn.$current.withValue(CommandTurn(begun)) {
            do throws(PlaybackError) {
                return .success(try await carryOut(command, client: client, descriptors: shared))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let reply): return reply
        case .failure(let error): throw SessionError(SessionError.Code(rawValue: error.code), error.message)
        }
    }

    private func adoptSettings() async {
        guard let new = settings.take() else { return }
        lifetime.set(idle: new.sessionIdle)
        await controller.adopt(new.playback)
    }

    private func manage(_ action: EngineAction) async throws(SessionError) -> SessionReply {
        let reply = try await engines.perform(action)
        switch action.verb {
        case .show, .install, .enable, .clear: return reply
        case .disable, .remove, .trust, .untrust:
            guard await controller.endUnused(EngineID(action.id)), case .message(let words) = reply else {
                return reply
            }
            return .message(words + "; it is in use: its process continues, and ends when another item is opened")
        }
    }

    private func carryOut(
        _ command: SessionCommand, client: ClientID, descriptors: [SharedDescriptor]
    ) async throws(PlaybackError) -> SessionReply {
        switch command {
        case .play(let parameters):
            try await play(parameters, kind: .audio, client: client, descriptors: descriptors)
        case .read(let parameters):
            try await play(parameters, kind: .text, client: client, descriptors: descriptors)
        case .status: return .status(Status(await controller.snapshot()))
        case .clip(let parameters): try await clip(parameters, client: client, descriptors: descriptors)
        case .claim(let owner): try await controller.claim(OwnerID(owner))
        case .release(let owner): try await controller.release(OwnerID(owner))
        case .addressed(let address, let command): return try await carryOut(command, for: address, client: client)
        case .pause: await controller.pause()
        case .resume: try await controller.resume()
        case .toggle: try await controller.toggle()
        case .stop: await controller.stop()
        case .seek(let time): try await controller.goTo(try SeekTarget(time, relativeAllowed: true))
        case .skip(let forward): try await controller.skip(forward: forward)
        case .chapter(let which): try await controller.goTo(try SeekTarget(chapter: which))
        case .rate(let rate): try await controller.setRate(rate)
        case .volume(let volume): try await controller.setVolume(volume)
        case .engine(let id): try await controller.switchEngine(to: EngineID(id))
        // These were handled in `take`, because they have errors of their own.
        case .manageEngine, .settings: break
        case .engines: return .engines(await controller.installedEngines().map { EngineInfo($0) })
        case .inspect(let parameters):
            let item = request(parameters, asText: parameters.asText ?? false, descriptors: descriptors)
            return .inspection(try await inspect(item, engine: parameters.engine.map { EngineID($0) }))
        case .undo: try await controller.undo()
        case .history(let limit):
            return .history(
                History(
                    try await controller.history(limit: limit), try await controller.listeningSpans(limit: limit)))
        case .sleepChoices: return .sleepChoices(SleepChoices(try await controller.sleepChoices()))
        case .sleep(let wish): try await controller.sleep(SleepRequest(wish))
        case .option(let name, let value):
            let option: OptionExpression
            do throws(SessionError) {
                option = try OptionExpression(name, value)
            } catch {
                throw PlaybackError(code: 64, message: error.message)
            }
            try await controller.setSound { $0.take(option) }
        case .library(let action):
            return try await library.perform(action, client: client, send: subscribers[client])
        case .log:
            await log.flush()
            return .log(path: logPath)
        }
        return .done
    }

    /// Carries out a command that is addressed to one owner or one item.
    private func carryOut(
        _ command: SessionCommand, for address: Address, client: ClientID
    ) async throws(PlaybackError) -> SessionReply {
        let owner = address.owner.map { OwnerID($0) }
        func seek(_ target: SeekTarget) async throws(PlaybackError) {
            try await controller.seek(target, owner: owner, uri: address.item)
        }
        switch command {
        case .status: return .status(Status(await controller.snapshot(of: owner)))
        case .pause: await controller.pause(owner: owner)
        case .resume: try await controller.resume(owner: owner)
        case .toggle: try await controller.toggle(owner: owner)
        case .stop: await controller.stop(owner: owner)
        case .seek(let time): try await seek(try SeekTarget(time, relativeAllowed: true))
        case .skip(let forward): try await controller.skip(forward: forward, owner: owner, uri: address.item)
        case .chapter(let which): try await seek(try SeekTarget(chapter: which))
        case .rate(let rate): try await controller.setRate(rate, owner: owner, uri: address.item)
        case .volume(let volume): try await controller.setVolume(volume, owner: owner, uri: address.item)
        default: return try await carryOut(command, client: client, descriptors: [])
        }
        return .done
    }

    /// Plays a part of a file; afterwards, what played before is restored.
    private func clip(
        _ parameters: PlayParameters, client: ClientID, descriptors: [SharedDescriptor]
    ) async throws(PlaybackError) {
        guard let at = parameters.at, let until = parameters.until else { return }
        let owner = players.clipOwner(named: parameters.owner)
        let loops = parameters.loop == true
        var play = PlayRequest(
            item: request(parameters, asText: false, descriptors: descriptors), start: .beginning, owner: owner)
        play.engine = EngineID(parameters.engine ?? "clip")
        play.clip = ClipRange(
            start: try SeekTarget(at, relativeAllowed: false), end: try SeekTarget(until, relativeAllowed: false),
            loops: loops, name: "\(at),\(until)\(loops ? ",loop" : "")")
        // The speed of the book does not apply.
        play.rate = parameters.rate ?? 1
        play.volume = parameters.volume
        play.handsBack = true
        let attachment = parameters.attach == true ? lifetime.attach(client) : nil
        if attachment != nil { players.begin(clip: owner, of: client) }
        do throws(PlaybackError) {
            try await controller.play(play)
        } catch {
            players.withdraw(clip: owner, of: client)
            if let attachment { lifetime.withdraw(client, attachment) }
            throw error
        }
        if attachment != nil { await note(client, owner) }
    }

    /// Attaches the client to what this owner plays; it is told when that is over.
    private func note(_ client: ClientID, _ owner: OwnerID) async {
        players.attach(client, to: owner)
        lifetime.note(client, item: await controller.show { $0.state.view(of: owner).playing?.item.uri })
    }

    private func inspect(_ item: ItemRequest, engine: EngineID?) async throws(PlaybackError) -> Inspection {
        guard inspections < Self.mostInspections else {
            throw PlaybackError(
                code: 75, message: "\(inspections) items are being inspected; try again when one of them is done")
        }
        inspections += 1
        defer { inspections -= 1 }
        return Inspection(try await controller.inspect(item, engine: engine))
    }

    /// The maximum number of inspections at a time, each of which is an engine's process.
    private static let mostInspections = 8

    private func request(
        _ parameters: PlayParameters, asText: Bool, descriptors: [SharedDescriptor]
    ) -> ItemRequest {
        ItemRequest(
            items: parameters.items, descriptors: descriptors, descriptorNames: parameters.names ?? [],
            headers: parameters.headers ?? [], identity: parameters.identity, asText: asText,
            extensions: KnownExtensions(audio: []))
    }

    private func play(
        _ parameters: PlayParameters, kind: ContentKind, client: ClientID, descriptors: [SharedDescriptor]
    ) async throws(PlaybackError) {
        let output = parameters.output
        if output.map(DeviceOutputs.isRender) == true, parameters.items.isEmpty {
            throw PlaybackError(code: 64, message: "say what to render: rostrum play FILE --output \(output ?? "")")
        }
        guard !parameters.items.isEmpty else {
            return try await playLast(parameters, kind: kind, client: client)
        }
        var play = PlayRequest(
            item: request(parameters, asText: kind == .text || parameters.asText == true, descriptors: descriptors))
        play.engine = parameters.engine.map { EngineID($0) }
        if parameters.fromStart == true { play.start = .beginning }
        if let at = parameters.at { play.start = .at(try SeekTarget(at, relativeAllowed: false)) }
        if let until = parameters.until { play.until = try SeekTarget(until, relativeAllowed: false) }
        play.rate = parameters.rate
        play.volume = parameters.volume
        play.voice = parameters.voice
        if let owner = parameters.owner { play.owner = OwnerID(owner) }
        if let output, DeviceOutputs.isRender(output) {
            if parameters.at == nil { play.start = .beginning }
            return try await render(play, to: output, parameters, client: client)
        }
        play.output = output
        let isAttached = parameters.attach == true
        let attachment = isAttached ? lifetime.attach(client) : nil
        do throws(PlaybackError) {
            try await controller.play(play)
        } catch {
            if let attachment { lifetime.withdraw(client, attachment) }
            throw error
        }
        if isAttached { await note(client, play.owner) }
    }

    /// Carries out `play` or `read` without items, which resumes what is loaded or the last item.
    private func playLast(
        _ parameters: PlayParameters, kind: ContentKind, client: ClientID
    ) async throws(PlaybackError) {
        if let output = parameters.output { await controller.select(output: output) }
        let isAttached = parameters.attach == true
        let attachment = isAttached ? lifetime.attach(client) : nil
        var wishes = LastItemWishes()
        if let owner = parameters.owner { wishes.owner = OwnerID(owner) }
        do throws(PlaybackError) {
            wishes.engine = parameters.engine.map { EngineID($0) }
            wishes.voice = parameters.voice
            wishes.rate = parameters.rate
            wishes.volume = parameters.volume
            if parameters.fromStart == true { wishes.start = .position(.start) }
            if let at = parameters.at { wishes.start = try SeekTarget(at, relativeAllowed: false) }
            if let until = parameters.until { wishes.until = try SeekTarget(until, relativeAllowed: false) }
            try await controller.resume(lastOf: kind, wishes)
        } catch {
            if let attachment { lifetime.withdraw(client, attachment) }
            throw error
        }
        if isAttached { await note(client, wishes.owner) }
    }

    private func render(
        _ play: PlayRequest, to output: String, _ parameters: PlayParameters, client: ClientID
    ) async throws(PlaybackError) {
        let isAttached = parameters.attach == true
        let finished = isAttached ? subscribers[client] : nil
        let number = try renders.begin()
        lifetime.renderBegan()
        let (beginnings, beginning) = AsyncStream.makeStream(of: Result<Void, PlaybackError>.self)
        let task = Task {
            do throws(PlaybackError) {
                let warning = try await controller.render(play, to: output) { beginning.yield(.success(())) }
                finished?(.finished(nil, warning: warning))
            } catch {
                beginning.yield(.failure(error))
                finished?(.finished(SessionError(SessionError.Code(rawValue: error.code), error.message)))
            }
            beginning.finish()
            renders.end(number)
            lifetime.renderEnded()
            if lifetime.isDue { await endIfDone() }
        }
        renders.set(number, task, with: isAttached ? client : nil)
        if isAttached { return }
        // No client waits for the end; an error after the beginning is in the log.
        for await first in beginnings { return try first.get() }
    }

    /// Ends renders and imports, also detached ones, and returns when what they write is complete.
    func end() async {
        let ending = renders.tasks
        for render in ending { render.cancel() }
        await library.end()
        for render in ending { await render.value }
    }

    // MARK: Subscribers

    func subscribe(
        _ client: ClientID, _ subscription: Subscription, send: @escaping @Sendable (SessionNotification) -> Void
    ) async {
        subscribers.add(client, subscription, send: send)
        let next = await controller.show { [subscribers] snapshot in
            subscribers.tell(client, snapshot)
            return snapshot.untilNextChapter
        }
        follow(boundary: next)
        followTransitions()
    }

    func disconnected(_ client: ClientID) async {
        subscribers.remove(client)
        for render in renders.tasks(with: client) { render.cancel() }
        players.detach(client)
        await library.disconnected(client)
        if subscribers.isEmpty {
            transitions?.cancel()
            transitions = nil
            boundary?.cancel()
        }
        // A clip's owner is released even if its player was killed.
        let (owner, isServed) = players.forget(client)
        let isLast = lifetime.detach(client)
        if let owner {
            try? await controller.release(owner)
            // What the clip interrupted continues. If there was nothing, nothing is left to do.
            if isLast, await controller.show({ $0.state.current == nil }) { await endIfDone() }
            return
        }
        // When the last player leaves, what plays ends with it.
        if isLast, !isServed, lifetime.leaveBehind() { await leaveStage() }
        // This is not checked when a request ends, because its answer is still to be sent then.
        if isLast || lifetime.isDue { await endIfDone() }
    }

    private func endIfDone() async {
        lifetime.endIfDone(isInUse: await controller.show { $0.state.isInUse })
    }

    /// Ends playback after its last player has left; what waits behind a claim must not start without a player.
    private func leaveStage() async {
        for owner in await controller.show({ $0.state.held.filter(\.isPlaying).map(\.owner) }) {
            await controller.pause(owner: owner)
        }
        await controller.leave()
    }

    /// Starts to observe the controller; it is called once, before the first client connects.
    ///
    /// The step that changes something tells subscribers about it; everything else can wait for its turn.
    func watch() async {
        let changes = await controller.observe()
        watcher = Task { [weak self] in
            for await change in changes { await self?.take(change) }
        }
        await controller.follow { [subscribers] snapshot in subscribers.tell(snapshot) }
    }

    private func take(_ change: PlaybackChange) async {
        let owners = players.owners
        let (isInUse, next, items) = await controller.show { snapshot in
            let items = owners.compactMapValues { snapshot.state.view(of: $0).playing?.item.uri }
            return (snapshot.state.isInUse, snapshot.untilNextChapter, items)
        }
        lifetime.update(isInUse: isInUse)
        // A player stays attached if others play something else for its owner, and is told when that ends.
        for (client, item) in items { lifetime.adopt(client, item: item) }
        follow(boundary: next)
        if case .finished(let uri, let error, let unspoken) = change {
            let failure = error.map { SessionError(SessionError.Code(rawValue: $0.code), $0.message) }
            for client in lifetime.attached(to: uri) {
                players.serve(client)
                subscribers[client]?(.finished(failure, warning: unspoken))
            }
        }
    }

    /// Sends a status when the next chapter begins, after the given time; none is sent between changes.
    private func follow(boundary next: Duration?) {
        boundary?.cancel()
        boundary = nil
        guard let next, !subscribers.isEmpty else { return }
        boundary = Task { [weak self] in
            try? await Task.sleep(for: next + .milliseconds(30))
            await self?.passBoundary()
        }
    }

    private func passBoundary() async {
        guard !Task.isCancelled else { return }
        let next = await controller.show { [subscribers] snapshot in
            subscribers.tell(snapshot)
            return snapshot.untilNextChapter
        }
        // Another status may have replaced the boundary meanwhile.
        guard !Task.isCancelled else { return }
        follow(boundary: next)
    }

    private func followTransitions() {
        guard transitions == nil else { return }
        let lines = log.subscribe()
        transitions = Task { [weak self] in
            for await line in lines { await self?.pass(line) }
        }
    }

    private func pass(_ line: String) { subscribers.tell(.transition(line)) }
}

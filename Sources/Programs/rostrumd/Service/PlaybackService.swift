// SPDX-License-Identifier: Apache-2.0

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
    let controller: MediaPlaybackController
    private let engines: EngineAdministration
    let library: LibraryAdministration
    let clips: ClipAdministration
    let peaks: PeakService
    let reading: ReadingAdministration
    let works: PresentWork
    let log: TransitionLog
    private let logPath: String
    private let settings: SettingsNews
    var lifetime: SessionLifetime
    let subscribers: Subscribers
    var remotes: RemoteDisplay?
    var desktop: DesktopPresence?
    var players = AttachedPlayers()
    var renders = RenderJobs()
    var inspections = 0
    let textNews = TextNews()
    var following = ChangeTasks()

    init(
        controller: MediaPlaybackController, engines: EngineAdministration, library: LibraryAdministration,
        clips: ClipAdministration, peaks: PeakService, reading: ReadingAdministration, works: PresentWork,
        subscribers: Subscribers,
        log: TransitionLog, logPath: String, endsByItself: Bool, idle: Duration, settings: SettingsNews
    ) {
        self.controller = controller
        self.engines = engines
        self.library = library
        self.clips = clips
        self.peaks = peaks
        self.reading = reading
        self.works = works
        self.subscribers = subscribers
        self.log = log
        self.logPath = logPath
        self.settings = settings
        lifetime = SessionLifetime(endsByItself: endsByItself, idle: idle)
    }

    /// Returns when the session has nothing left to do.
    nonisolated func ended() async {
        for await _ in await lifetime.ending { return }
    }

    /// Ends the session, as a remote asks for it.
    func quit() { lifetime.endNow() }

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
            await endPlayback()
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
        case .failure(let error): throw SessionError(error)
        }
    }

    private func adoptSettings() async {
        guard let new = await settings.take() else { return }
        lifetime.set(idle: new.sessionIdle)
        await controller.adopt(new.playback)
        await clips.set(new)
        await library.watches.set(delay: new.watchDelay)
        remotes?.set(new)
        desktop?.set(new)
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
            let remarks = await controller.takeRemarks(of: parameters.owner.map { OwnerID($0) } ?? .main)
            if !remarks.isEmpty { return .message(remarks.joined(separator: "\n")) }
        case .status: return .status(await status(of: nil))
        case .contents: return .contents(await contents(of: nil))
        case .text(let request): return .text(try await text(request, of: nil, for: client))
        case .clip(let parameters): try await clip(parameters, client: client, descriptors: descriptors)
        case .manageClips(let action): return try await manageClips(action, client: client)
        case .claim(let owner, let isAttached): try await claim(OwnerID(owner), isAttached, client: client)
        case .release(let owner): try await release(OwnerID(owner), client: client)
        case .addressed(let address, let command): return try await carryOut(command, for: address, client: client)
        case .pause: await controller.pause(origin: origin)
        case .resume: try await controller.resume(origin: origin)
        case .toggle: try await controller.toggle(origin: origin)
        case .stop: await controller.stop(origin: origin)
        case .seek(let time): try await controller.goTo(try await target(of: time, for: nil))
        case .skip(let forward): try await controller.skip(forward: forward, origin: origin)
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
                throw PlaybackError(.usage, message: error.message)
            }
            try await controller.setSound { $0.take(option) }
        case .library(let action):
            var action = action
            if action.verb == .pair { action.items = try await reading.addresses(in: action.items) }
            return try await library.perform(action, client: client, send: subscribers[client])
        case .peaks(let request):
            let item = ItemRequest(items: request.items, extensions: KnownExtensions(audio: []))
            CommandTurn.current?.isTaken()
            return .waveform(try await peaks.look(at: request, item))
        case .reading(let action):
            CommandTurn.current?.isTaken()
            return .reading(try await reading.perform(action))
        case .log:
            await log.flush()
            return .log(path: logPath)
        }
        return .done
    }

    /// The origin of the commands of this task.
    private var origin: CommandOrigin { RemoteCommand.current == nil ? .user : .remote }

    /// Carries out a command that is addressed to one owner or one item.
    private func carryOut(
        _ command: SessionCommand, for address: Address, client: ClientID
    ) async throws(PlaybackError) -> SessionReply {
        let owner = address.owner.map { OwnerID($0) }
        func seek(_ target: SeekTarget) async throws(PlaybackError) {
            try await controller.seek(target, owner: owner, uri: address.item, origin: origin)
        }
        switch command {
        case .status: return .status(await status(of: owner))
        case .contents: return .contents(await contents(of: owner))
        case .text(let request): return .text(try await text(request, of: owner, for: client))
        case .pause: await controller.pause(owner: owner, origin: origin)
        case .resume: try await controller.resume(owner: owner, origin: origin)
        case .toggle: try await controller.toggle(owner: owner, origin: origin)
        case .stop: await controller.stop(owner: owner, origin: origin)
        case .seek(let time): try await seek(try await target(of: time, for: owner))
        case .skip(let forward):
            try await controller.skip(forward: forward, owner: owner, uri: address.item, origin: origin)
        case .chapter(let which): try await seek(try SeekTarget(chapter: which))
        case .rate(let rate): try await controller.setRate(rate, owner: owner, uri: address.item)
        case .volume(let volume): try await controller.setVolume(volume, owner: owner, uri: address.item)
        default: return try await carryOut(command, client: client, descriptors: [])
        }
        return .done
    }

    /// Ends renders and imports, also detached ones, and returns when what they write is complete.
    func end() async {
        let ending = renders.tasks
        for render in ending { render.cancel() }
        await library.end()
        await peaks.end()
        await clips.end()
        for render in ending { await render.value }
    }
}

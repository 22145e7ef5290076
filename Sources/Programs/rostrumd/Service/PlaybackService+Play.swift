// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ControlSocket
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// Commands that play, render or inspect an item.
extension PlaybackService {
    /// Plays a part of a file; afterwards, what played before is restored.
    func clip(
        _ parameters: PlayParameters, client: ClientID, descriptors: [SharedDescriptor]
    ) async throws(PlaybackError) {
        guard let at = parameters.at, let until = parameters.until else { return }
        let owner = parameters.owner.map { OwnerID($0) } ?? players.nextClipOwner()
        let loops = parameters.loop == true
        let range = ClipRange(
            start: try SeekTarget(at, relativeAllowed: false), end: try SeekTarget(until, relativeAllowed: false),
            loops: loops, name: "\(at),\(until)\(loops ? ",loop" : "")")
        let item = request(parameters, asText: false, descriptors: descriptors)
        try await playPart(range, of: item, owner, parameters, client: client)
    }

    /// Reads something short for an owner of its own; afterwards, what played before is restored.
    private func sample(
        _ request: PlayRequest, _ parameters: PlayParameters, client: ClientID
    ) async throws(PlaybackError) {
        var play = request
        if parameters.owner == nil { play.owner = players.nextClipOwner() }
        guard play.owner != .main else {
            throw PlaybackError(.usage, message: "a sample needs an owner of its own, which is not main")
        }
        play.start = .beginning
        play.rate = parameters.rate ?? 1
        play.output = parameters.output
        play.handsBack = !players.claimants.contains(play.owner)
        play.item.wishes = ReadingWishes(
            language: parameters.language, pronunciations: parameters.pronunciations ?? [])
        try await playAttached(play, parameters, client: client)
    }

    /// Plays a part of an item for an owner, which is released if its client disconnects.
    ///
    /// - Parameter engine: `nil` for the one that plays parts of recordings; `.some(nil)` lets the content decide.
    func playPart(
        _ range: ClipRange, of item: ItemRequest, _ owner: OwnerID, _ parameters: PlayParameters, client: ClientID,
        engine: EngineID?? = nil, voice: String? = nil
    ) async throws(PlaybackError) {
        var play = PlayRequest(item: item, start: .beginning, owner: owner)
        if let output = parameters.output, DeviceOutputs.isRender(output) {
            throw PlaybackError(.usage, message: "a clip is not rendered; export it, or choose a device")
        }
        play.output = parameters.output
        if let named = parameters.engine {
            play.engine = EngineID(named)
        } else {
            play.engine = engine ?? EngineID("clip")
        }
        play.voice = voice
        play.clip = range
        // The speed of the book does not apply.
        play.rate = parameters.rate ?? 1
        play.volume = parameters.volume
        play.handsBack = !players.claimants.contains(owner)
        try await playAttached(play, parameters, client: client)
    }

    /// Plays for an owner that is released if its client disconnects.
    private func playAttached(
        _ play: PlayRequest, _ parameters: PlayParameters, client: ClientID
    ) async throws(PlaybackError) {
        let owner = play.owner
        let attachment = parameters.attach == true ? lifetime.attach(client) : nil
        let isNew = attachment != nil && players.note(client, playsClipFor: owner)
        do throws(PlaybackError) {
            try await controller.play(play)
        } catch {
            // What an earlier command has noted still holds.
            if isNew { await forget(client, playsClipFor: owner) }
            if let attachment { lifetime.withdraw(client, attachment) }
            throw error
        }
        if attachment != nil { await note(client, owner) }
    }

    /// Attaches the client to what this owner plays; it is told when that is over.
    private func note(_ client: ClientID, _ owner: OwnerID) async {
        players.note(client, playsFor: owner)
        lifetime.note(client, item: await controller.show { $0.state.view(of: owner).playing?.item.uri })
    }

    func inspect(_ item: ItemRequest, engine: EngineID?) async throws(PlaybackError) -> Inspection {
        guard inspections < Self.mostInspections else {
            throw PlaybackError(
                .busy, message: "\(inspections) items are being inspected; try again when one of them is done")
        }
        inspections += 1
        defer { inspections -= 1 }
        return Inspection(try await controller.inspect(item, engine: engine))
    }

    /// Refuses to go on if anything is audible, or waits to be.
    private func requireSilence() async throws(PlaybackError) {
        guard await controller.isSilent() else {
            throw PlaybackError(.busy, message: "not silent: something else plays; play without ifSilent")
        }
    }

    /// The maximum number of inspections at a time, each of which is an engine's process.
    private static let mostInspections = 8

    func request(
        _ parameters: PlayParameters, asText: Bool, descriptors: [SharedDescriptor]
    ) -> ItemRequest {
        ItemRequest(
            items: parameters.items, descriptors: descriptors, descriptorNames: parameters.names ?? [],
            headers: parameters.headers ?? [], identity: parameters.identity, asText: asText,
            extensions: KnownExtensions(audio: []))
    }

    func play(
        _ parameters: PlayParameters, kind: ContentKind, client: ClientID, descriptors: [SharedDescriptor]
    ) async throws(PlaybackError) {
        if parameters.ifSilent == true { try await requireSilence() }
        var parameters = parameters
        parameters.items = try await reading.addresses(in: parameters.items)
        if kind == .audio { parameters.items = await catalog.addresses(in: parameters.items, besides: library) }
        let output = parameters.output
        if output.map(DeviceOutputs.isRender) == true, parameters.items.isEmpty {
            throw PlaybackError(.usage, message: "say what to render: rostrum play FILE --output \(output ?? "")")
        }
        guard !parameters.items.isEmpty else {
            return try await playLast(parameters, kind: kind, client: client)
        }
        var play = PlayRequest(
            item: request(parameters, asText: kind == .text || parameters.asText == true, descriptors: descriptors))
        play.engine = parameters.engine.map { EngineID($0) }
        if parameters.fromStart == true { play.start = .beginning }
        let isText = play.item.asText
        if let at = parameters.at { play.start = .at(try SeekTarget(at, relativeAllowed: false, isText: isText)) }
        if let until = parameters.until {
            play.until = try SeekTarget(until, relativeAllowed: false, isText: isText)
        }
        play.rate = parameters.rate
        play.volume = parameters.volume
        play.voice = parameters.voice
        if let owner = parameters.owner { play.owner = OwnerID(owner) }
        if parameters.sample == true { return try await sample(play, parameters, client: client) }
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
        if isText { await noteTitle(of: play.owner) }
    }

    /// Keeps the title of the text that an owner reads, by which a document of the reading list can be named.
    private func noteTitle(of owner: OwnerID) async {
        let snapshot = await controller.snapshot(of: owner)
        guard let item = snapshot.loadedItem, let media = snapshot.media else { return }
        await reading.note(title: media.content.document?.title, of: item.uri)
    }

    /// Carries out `play` or `read` without items, which resumes what is loaded or the last item.
    private func playLast(
        _ parameters: PlayParameters, kind: ContentKind, client: ClientID
    ) async throws(PlaybackError) {
        let isAttached = parameters.attach == true
        let attachment = isAttached ? lifetime.attach(client) : nil
        var options = ResumeOptions()
        if let owner = parameters.owner { options.owner = OwnerID(owner) }
        do throws(PlaybackError) {
            options.engine = parameters.engine.map { EngineID($0) }
            options.voice = parameters.voice
            options.output = parameters.output
            options.rate = parameters.rate
            options.volume = parameters.volume
            if parameters.fromStart == true { options.start = .position(.start) }
            let isText = kind == .text
            if let at = parameters.at { options.start = try SeekTarget(at, relativeAllowed: false, isText: isText) }
            if let until = parameters.until {
                options.until = try SeekTarget(until, relativeAllowed: false, isText: isText)
            }
            try await controller.resume(lastOf: kind, options)
        } catch {
            if let attachment { lifetime.withdraw(client, attachment) }
            throw error
        }
        if isAttached { await note(client, options.owner) }
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
                finished?(.finished(SessionError(error)))
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
}

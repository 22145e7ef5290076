// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
public import PlaybackCore

/// The origin of a command.
public enum CommandOrigin: Sendable, Hashable {
    case user
    /// Media keys, a headset or a desktop shell: a remote that may be wrong about what plays.
    case remote
}

extension MediaPlaybackController {
    /// Resumes what is loaded, or else the last audio item; another owner takes audio focus with its own item.
    ///
    /// Returns when it is audible.
    public func resume(owner: OwnerID? = nil, origin: CommandOrigin = .user) async throws(PlaybackError) {
        if machine.state.isComing(owner) { return try await joinComing(owner, origin) }
        if let again = unlocatedRequest(owner) { return try await play(again) }
        try await command(origin) { id async throws(PlaybackError) in
            decide(by: id)
            await restore()
            await learnLeft()
            // Only an item that is about to be left has a place to report.
            let heard = hasFocus(owner) ? nil : await heardNow()
            guard orders.isDecided(by: id) else { return }
            let back = hasFocus(owner) ? stepBack() : nil
            if hasFocus(owner) { requestStepBack() }
            try await answered(id, .resume(id: id, owner: owner, heard: heard, back: back))
        }
    }

    public func pause(owner: OwnerID? = nil, origin: CommandOrigin = .user) async {
        await command(origin, pauses: true) { id in
            // An item that is being looked up will be there, but silent.
            if machine.state.isComing(owner) {
                handle(.holdLookUp(of: owner))
            } else if hasFocus(owner) {
                orders.decide(by: id)
            }
            let heard = await heardIfAny()
            noteRemotePause()
            handle(.pause(owner: owner, heard: heard))
        }
    }

    /// Pauses if something plays, or else resumes, judged by the actual state.
    ///
    /// For an owner without audio focus, toggles whether it continues when it gets focus back.
    public func toggle(owner: OwnerID? = nil, origin: CommandOrigin = .user) async throws(PlaybackError) {
        // A headset that is taken off may report this with the only key it has: what its sink already held must not
        // continue.
        if origin == .remote, isRouteLosing { return await pause(owner: owner, origin: origin) }
        // Playback that is only wanted so far counts as playing.
        if machine.state.isComing(owner) {
            if machine.state.lookUp?.isHeld == true { return try await joinComing(owner, origin) }
            return await pause(owner: owner, origin: origin)
        }
        if let owner, !hasFocus(owner) {
            guard machine.state.view(of: owner).suppression == .owner else {
                return try await resume(owner: owner, origin: origin)
            }
            return await pause(owner: owner, origin: origin)
        }
        if let again = unlocatedRequest(nil) { return try await play(again) }
        try await command(origin) { id async throws(PlaybackError) in
            decide(by: id)
            await restore()
            await learnLeft()
            let heard = await heardNow()
            guard orders.isDecided(by: id) else { return }
            if machine.state.intent == .play { noteRemotePause() }
            requestStepBack()
            try await answered(id, .toggle(id: id, heard: heard, back: stepBack()))
        }
    }

    public func stop(owner: OwnerID? = nil, origin: CommandOrigin = .user) {
        command(origin, pauses: true) { id in
            if decides(owner) { orders.decide(by: id) }
            if machine.state.isComing(owner) { handle(.giveUpLookUp(of: owner)) }
            // A user who stops playback is awake.
            if !sleeping.kept.isLeaving { forgetKeptSleep() }
            handle(.stop(owner: owner))
        }
    }

    /// Seeks to a place; for an owner without audio focus, moves only the start of its next `play`.
    ///
    /// - Parameter uri: the item that the caller believes to be there; if it is another one by now, nothing happens.
    public func seek(
        _ target: SeekTarget, owner: OwnerID? = nil, uri: String? = nil, origin: CommandOrigin = .user,
        cause: Jump.Cause = .seek
    ) async throws(PlaybackError) {
        if keepsMove(to: target, owner: owner, uri: uri, origin: origin) { return }
        if owner == nil || owner == machine.state.owner {
            try await seekWithFocus(target, owner: owner, uri: uri, origin: origin, cause: cause)
            return
        }
        await restore()
        guard let owner else { return }
        guard let own = machine.state.places(of: owner).first(where: { uri == nil || $0.item.uri == uri }) else {
            guard uri != nil, machine.state.view(of: owner).playing != nil else {
                throw PlaybackError(.unavailable, message: "owner “\(owner)” has nothing loaded")
            }
            // The command is late, for an item that the owner no longer has; the machine reports that.
            command(origin) { _ in handle(.seek(SeekOrder(to: .start, owner: owner, uri: uri))) }
            return
        }
        let position = try await position(of: target, from: own.position, playing: own)
        command(origin) { _ in handle(.seek(SeekOrder(to: position, owner: owner, uri: own.item.uri))) }
    }

    /// The maximum number of times that a target is resolved again because its reference position has moved meanwhile.
    private static let mostSeekAttempts = 8

    private func seekWithFocus(
        _ target: SeekTarget, owner: OwnerID?, uri: String?, origin: CommandOrigin, cause: Jump.Cause
    ) async throws(PlaybackError) {
        guard let item = machine.state.current?.item else { throw Self.nothingLoaded }
        for _ in 0..<Self.mostSeekAttempts {
            guard let current = machine.state.current, current.item == item, uri == nil || uri == item.uri,
                owner == nil || owner == machine.state.owner
            else {
                // The command is late; the machine drops it, and says why.
                command(origin) { _ in handle(.seek(SeekOrder(to: .start, owner: owner, uri: uri ?? item.uri))) }
                return
            }
            let generation = machine.state.generation
            let heard = target.isRelative ? await heardNow() : await foretoldPosition()
            guard generation == machine.state.generation else { continue }
            let position = try await position(of: target, from: heard ?? current.position, playing: current)
            guard generation == machine.state.generation else { continue }
            command(origin) { _ in
                keeping.noteSeek()
                handle(.seek(SeekOrder(to: position, owner: owner, uri: uri ?? item.uri, heard: heard, cause: cause)))
            }
            return
        }
        throw PlaybackError(.busy, message: "the place moves faster than it can be found; try again")
    }

    /// Skips forward or back by the distance in the settings.
    public func skip(
        forward: Bool, owner: OwnerID? = nil, uri: String? = nil, origin: CommandOrigin = .user
    ) async throws(PlaybackError) {
        let distance = forward ? settings.skipForward / .seconds(1) : -(settings.skipBack / .seconds(1))
        try await seek(.relative(distance), owner: owner, uri: uri, origin: origin)
    }

    /// Sets the rate of what plays; throws `unavailable` for an owner without audio focus.
    ///
    /// - Parameter uri: the item that the caller believes to be there; if it is another one by now, nothing happens.
    public func setRate(_ rate: Double, owner: OwnerID? = nil, uri: String? = nil) async throws(PlaybackError) {
        guard (0.5...3.0).contains(rate) else {
            throw PlaybackError(.usage, message: "rate \(rate): choose 0.5 to 3.0")
        }
        guard !machine.state.isComing(owner) else {
            return command { _ in handle(.setLookUp(rate: rate, volume: nil, of: owner)) }
        }
        let heard = await heardNow()
        guard try concernsFocus(owner, uri, "rate") else { return }
        let description = machine.state.current.flatMap { desk[open: $0.engine]?.description }
        command { _ in handle(.setRate(rate, heard: heard, byEngine: description?.nativeRates != nil)) }
    }

    /// Sets the volume, under the same rules as ``setRate(_:owner:uri:)``.
    public func setVolume(_ volume: Double, owner: OwnerID? = nil, uri: String? = nil) async throws(PlaybackError) {
        guard (0.0...1.0).contains(volume) else {
            throw PlaybackError(.usage, message: "volume \(volume): choose 0.0 to 1.0")
        }
        guard !machine.state.isComing(owner) else {
            return command { _ in handle(.setLookUp(rate: nil, volume: volume, of: owner)) }
        }
        let heard = await heardIfAny()
        guard try concernsFocus(owner, uri, "volume") else { return }
        command { _ in handle(.setVolume(volume, heard: heard)) }
    }

    /// Returns `false` if another item is there by now.
    private func concernsFocus(_ owner: OwnerID?, _ uri: String?, _ what: String) throws(PlaybackError) -> Bool {
        guard let owner = hasFocus(owner) ? nil : owner else {
            return uri == nil || machine.state.current?.item.uri == uri
        }
        throw PlaybackError(
            .unavailable, message: "another owner has audio focus; set the \(what) when “\(owner)” has it")
    }

    /// Takes audio focus without a sound; what played falls silent, and is kept for its owner.
    public func claim(_ owner: OwnerID) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            decide(by: id)
            let heard = await heardNow()
            guard orders.isDecided(by: id) else { return }
            try await answered(id, .claim(id: id, owner, heard: heard))
        }
    }

    /// Gives audio focus back to the owner from which it was taken, in the state in which that owner left it.
    public func release(_ owner: OwnerID) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            // A release by an owner without audio focus changes neither what plays nor what is about to.
            if decides(owner) { orders.decide(by: id) }
            if machine.state.isComing(owner) { handle(.giveUpLookUp(of: owner)) }
            let heard = await heardNow()
            try await answered(id, .release(id: id, owner, heard: heard))
        }
    }

    static let nothingPlayed = PlaybackError(
        .unavailable, message: "nothing was played yet; say what: rostrum play FILE")

    static let nothingLoaded = PlaybackError(
        .unavailable, message: "nothing is loaded; play something first: rostrum play FILE")

    /// Notes that a command decides what plays, in place of an item that is being looked up.
    func decide(by id: UInt64) {
        orders.decide(by: id)
        if machine.state.lookUp != nil { handle(.giveUpLookUp(of: nil)) }
    }

    func hasFocus(_ owner: OwnerID?) -> Bool { owner == nil || owner == machine.state.owner }

    /// Returns whether a command of this owner changes what plays, or what is about to.
    private func decides(_ owner: OwnerID?) -> Bool {
        hasFocus(owner) || owner != nil && machine.state.isComing(owner)
    }

    /// Selects another output; playback continues there, if `goesOn` still says so by then.
    public func select(output name: String, goesOn: () -> Bool = { true }) async {
        guard await session.selectedOutput != name else { return }
        let generation = machine.state.generation
        let heard = await session.select(output: name)
        publishSession()
        guard generation == machine.state.generation else { return }
        handle(.streamClosed(heard: position(heard, of: generation), goesOn: goesOn()))
    }
}

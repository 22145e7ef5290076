// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
public import PlaybackCore

/// The origin of a command.
public enum CommandOrigin: Sendable, Hashable {
    case user
    /// Media keys, a headset or a desktop shell: a remote that may be wrong about what plays.
    case remote
    /// The session goes on with what played when its predecessor was ended, to be restarted.
    case restart
}

extension MediaPlaybackController {
    /// Resumes what is loaded, or else the last audio item; another owner takes audio focus with its own item.
    ///
    /// Returns when it is audible.
    public func resume(owner: OwnerID? = nil, origin: CommandOrigin = .user) async throws(PlaybackError) {
        if machine.state.isComing(owner) { return try await joinComing(owner, origin) }
        if let again = unlocatedRequest(owner) { return try await play(again) }
        try await command(origin) { id async throws(PlaybackError) in
            try await goOn(id, of: owner) { controller, wasLookedUp in
                // Only an item that is about to be left has a place to report.
                let hasFocus = controller.hasFocus(owner)
                let heard = hasFocus ? nil : controller.heardAtOnce
                let back = hasFocus ? controller.stepBack() : nil
                if hasFocus { controller.requestStepBack() }
                return .resume(id: id, owner: owner, heard: heard, back: back, wasLookedUp: wasLookedUp)
            }
        }
    }

    /// Carries out a command that goes on with something, at once if everything that it needs is known.
    ///
    /// Otherwise it is a look-up until then, so that the machine sees what overtakes it.
    ///
    /// - Parameter event: returns the event; its parameter is `true` if the command was looked up, or else `nil`.
    private func goOn(
        _ id: UInt64, of owner: OwnerID?,
        _ event: @escaping @Sendable (isolated MediaPlaybackController, Bool?) -> PlaybackEvent
    ) async throws(PlaybackError) {
        guard lacksMemory(of: owner) || isLeaving(owner) else {
            // What is looked up for the present item, such as an undo, concerns that as it is then.
            if machine.state.lookUp?.subject == nil || !hasFocus(owner) { giveUpLookUp() }
            return try await answered(id, event(self, nil))
        }
        try await lookUp(ComingItem(command: id), of: owner ?? machine.state.owner) { controller in
            if controller.lacksMemory(of: owner) { await controller.restore() }
            await controller.learnLeft()
            controller.carryOut(id) { event(controller, true) }
        }
    }

    /// Hands the result of a look-up to the machine, and takes up what was asked for meanwhile.
    func carryOut(_ id: UInt64, _ event: () -> PlaybackEvent) {
        guard let owner = machine.state.lookUp?.owner, isLookingUp(id) else { return }
        let coming = orders.take(id)
        handle(event())
        if let coming, machine.state.owner == owner { takeUp(coming) }
    }

    /// `true` if a toggle pauses what is loaded.
    private var pausesByToggle: Bool {
        let state = machine.state
        return state.status == .playing || state.status == .loading && state.intent == .play
    }

    /// Returns whether the output has yet to tell where the item fell silent that this owner goes on with.
    private func isLeaving(_ owner: OwnerID?) -> Bool {
        let state = machine.state
        let owner = owner ?? state.owner
        let present = owner == state.owner ? state.current?.item : nil
        return state.leaving.values.contains { $0.owner == owner && (present == nil || $0.playing.item == present) }
    }

    /// Returns whether only the library may know an item of this owner.
    private func lacksMemory(of owner: OwnerID?) -> Bool {
        guard !memory.isComplete else { return false }
        let state = machine.state
        return hasFocus(owner)
            ? state.current == nil && state.lastItems(of: state.owner).isEmpty
            : state.places(of: owner ?? state.owner).isEmpty
    }

    public func pause(owner: OwnerID? = nil, origin: CommandOrigin = .user) {
        command(origin, pauses: true) { _ in
            // An item that is being looked up will be there, but silent.
            if machine.state.isComing(owner) { handle(.holdLookUp(of: owner)) }
            noteRemotePause()
            handle(.pause(owner: owner, heard: heardAtOnce))
        }
    }

    /// Pauses if something plays, or else resumes, judged by the actual state.
    ///
    /// For an owner without audio focus, toggles whether it continues when it gets focus back.
    public func toggle(owner: OwnerID? = nil, origin: CommandOrigin = .user) async throws(PlaybackError) {
        // A headset that is taken off may report this with the only key it has: what its sink already held must not
        // continue.
        if origin == .remote, isRouteLosing { return pause(owner: owner, origin: origin) }
        // Playback that is only wanted so far counts as playing.
        if machine.state.isComing(owner) {
            if machine.state.lookUp?.isHeld == true { return try await joinComing(owner, origin) }
            return pause(owner: owner, origin: origin)
        }
        if let owner, !hasFocus(owner) {
            guard machine.state.view(of: owner).suppression == .owner else {
                return try await resume(owner: owner, origin: origin)
            }
            return pause(owner: owner, origin: origin)
        }
        if let again = unlocatedRequest(nil) { return try await play(again) }
        try await command(origin) { id async throws(PlaybackError) in
            if pausesByToggle {
                noteRemotePause()
                return try await answered(id, .toggle(id: id, heard: heardAtOnce))
            }
            try await goOn(id, of: nil) { controller, wasLookedUp in
                controller.requestStepBack()
                return .toggle(
                    id: id, heard: controller.heardAtOnce, back: controller.stepBack(), wasLookedUp: wasLookedUp)
            }
        }
    }

    public func stop(owner: OwnerID? = nil, origin: CommandOrigin = .user) {
        command(origin, pauses: true) { _ in
            if isLookedUp(for: owner) { handle(.giveUpLookUp(of: owner)) }
            // A user who stops playback is awake.
            if !sleeping.kept.isLeaving { forgetKeptSleep() }
            handle(.stop(owner: owner))
        }
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
        guard uri != nil || !machine.state.isComing(owner) else {
            return command { _ in handle(.setLookUp(rate: rate, volume: nil, of: owner)) }
        }
        guard try concernsFocus(owner, uri, "rate") else { return }
        let description = machine.state.current.flatMap { desk[open: $0.engine]?.description }
        command { _ in handle(.setRate(rate, heard: heardAtOnce, byEngine: description?.nativeRates != nil)) }
    }

    /// Sets the volume, under the same rules as ``setRate(_:owner:uri:)``.
    public func setVolume(_ volume: Double, owner: OwnerID? = nil, uri: String? = nil) async throws(PlaybackError) {
        guard (0.0...1.0).contains(volume) else {
            throw PlaybackError(.usage, message: "volume \(volume): choose 0.0 to 1.0")
        }
        guard uri != nil || !machine.state.isComing(owner) else {
            return command { _ in handle(.setLookUp(rate: nil, volume: volume, of: owner)) }
        }
        guard try concernsFocus(owner, uri, "volume") else { return }
        command { _ in handle(.setVolume(volume, heard: heardAtOnce)) }
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
            giveUpLookUp()
            try await answered(id, .claim(id: id, owner, heard: heardAtOnce))
        }
    }

    /// Gives audio focus back to the owner from which it was taken, in the state in which that owner left it.
    public func release(_ owner: OwnerID) async throws(PlaybackError) {
        try await command { id async throws(PlaybackError) in
            if isLookedUp(for: owner) { handle(.giveUpLookUp(of: owner)) }
            try await answered(id, .release(id: id, owner, heard: heardAtOnce))
        }
    }

    static let nothingPlayed = PlaybackError(
        .unavailable, message: "nothing was played yet; say what: rostrum play FILE")

    static let nothingLoaded = PlaybackError(
        .unavailable, message: "nothing is loaded; play something first: rostrum play FILE")

    /// Gives up what is being looked up, because another command decides what plays.
    func giveUpLookUp() {
        if machine.state.lookUp != nil { handle(.giveUpLookUp(of: nil)) }
    }

    /// Returns whether a command is looked up for what a `stop` or a `release` of this owner ends.
    private func isLookedUp(for owner: OwnerID?) -> Bool {
        // Without an owner, it ends the coming item, or else what is loaded.
        machine.state.isComing(nil) && owner == nil || machine.state.isLookedUp(for: owner ?? machine.state.owner)
    }

    func hasFocus(_ owner: OwnerID?) -> Bool { owner == nil || owner == machine.state.owner }

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

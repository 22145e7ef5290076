// SPDX-License-Identifier: Apache-2.0

import BookTimeline

@testable import PlaybackCore

/// Something that can happen in a room where a machine plays through a device.
enum Move: Hashable, Sendable {
    case event(PlaybackEvent)
    /// Moves of the device.
    case carryOut, refuse, sound, runDry, end, lose, unplug
}

/// A room with a device and a listener, who judges the machine by what is audible, never by its own flags.
struct Room<Machine: Decider>: Sendable {
    var machine: Machine
    private(set) var device = Device()
    private var accounts: [OwnerID: Account] = [:]
    /// The account of an owner before it took focus for the item that is being opened, which holds if that fails.
    private var reclaimed: [OwnerID: Account] = [:]
    /// The position from which the engine renders.
    private var engine: MediaPosition?
    /// The position at which the engine was told to open.
    private var opening: MediaPosition?
    /// The position that was requested while the item is being opened.
    private var asked: MediaPosition?
    var state: PlaybackState { machine.state }

    /// The listener's knowledge about an owner from whom audio focus was taken.
    private struct Account: Hashable, Sendable {
        var isWanted: Bool
        var isCalling = false
        var isUnplugged = false
    }

    static var clip: PlayOrder { Alphabet.order(Alphabet.clipItem, Alphabet.clip, at: .start, of: Alphabet.viewer) }
    static var book: PlayOrder { Alphabet.order(bookItem, ffmpeg, at: Alphabet.near, of: .main) }

    init(_ machine: Machine) { self.machine = machine }

    /// Returns the rooms to start from: nobody plays; a book is audible; a clip is audible in its place.
    static func beginnings(_ machine: Machine) -> [Room] {
        var book = Room(machine)
        book.hear(Self.book)
        var clip = book
        clip.hear(Self.clip)
        return [Room(machine), book, clip]
    }

    private mutating func hear(_ order: PlayOrder) {
        _ = go(.event(.play(id: 900, order, heard: nil)))
        while !device.calls.isEmpty { _ = go(.carryOut) }
        _ = go(.event(.loaded(generation: state.generation, start: opening ?? .start)))
        while !device.calls.isEmpty { _ = go(.carryOut) }
        _ = go(.sound)
    }

    func moves(_ id: UInt64) -> [Move] {
        var moves: [Move] = []
        if let call = device.calls.first {
            moves.append(.carryOut)
            if case .open = call { moves.append(.refuse) }
        }
        if device.maySound { moves.append(.sound) }
        if device.isHeard { moves += [.runDry, .end] }
        if device.stream != nil { moves += [.lose, .unplug] }
        let generation = state.generation
        var events: [PlaybackEvent] = []
        if let clock = state.clock { events.append(.clock(id: clock.id, heard: nil)) }
        if device.calls.count < Device.mostCalls {
            events += [
                .play(id: id, Self.book, heard: nil), .play(id: id, Self.clip, heard: nil),
                .lookUp(id: id, owner: .main), .lookUp(id: id, owner: .main, subject: .jump),
                .resume(id: id, owner: nil, heard: nil), .toggle(id: id, heard: nil),
                .pause(owner: nil, heard: nil), .pause(owner: .main, heard: nil), .stop(owner: .main),
                .seek(SeekOrder(to: at(90_000))), .claim(id: id, Alphabet.viewer, heard: nil),
                .release(id: id, Alphabet.viewer, heard: nil),
                .interruption(began: true), .interruption(began: false), .routeLost,
            ]
            let broken = PlaybackError(.badContent, message: "broken")
            if let lookUp = state.lookUp {
                var found = Self.book
                found.wasLookedUp = true
                events += [
                    .play(id: lookUp.id, found, heard: nil), .notFound(id: lookUp.id, broken),
                    .joinLookUp(id: id, of: nil), .holdLookUp(of: nil),
                    lookUp.subject == nil
                        ? .resume(id: lookUp.id, owner: .main, heard: nil, wasLookedUp: true)
                        : .seek(
                            SeekOrder(to: at(90_000), owner: .main, uri: bookItem.uri, cause: .undo, id: lookUp.id)),
                ]
            }
            if state.seeks.isEmpty { events.append(.locate(id: id, owner: .main, uri: bookItem.uri)) }
            for seek in state.seeks {
                events.append(.seek(SeekOrder(to: at(90_000), owner: .main, uri: seek.uri, id: seek.id)))
            }
            if state.phase == .loading {
                events += [
                    .loaded(generation: generation, start: opening ?? .start),
                    .loadFailed(generation: generation, broken),
                ]
            }
            if state.phase == .ready { events.append(.engineFailed(generation: generation, broken, heard: nil)) }
        }
        return moves + events.map { .event($0) }
    }

    /// Makes a move and returns the rules that it broke, in the words of somebody in the room.
    mutating func go(_ move: Move) -> [String] {
        var broken: [String] = []
        var event: PlaybackEvent?
        switch move {
        case .event(let happened): event = happened
        case .carryOut: event = device.carryOut(state, refuses: false)
        case .refuse: event = device.carryOut(state, refuses: true)
        case .sound:
            let isFirst = device.sound()
            let generation = device.stream?.generation ?? 0
            if isFirst, generation == state.generation, state.phase == .ready, engine != state.current?.position {
                broken.append("another place is heard than the one that was asked for")
            }
            event = .started(generation: generation)
        case .runDry:
            event = .starved(generation: device.stream?.generation ?? 0)
            device.runDry()
        case .end:
            event = .ended(generation: device.stream?.generation ?? 0, atLimit: false)
            device.end()
        case .lose, .unplug:
            device.lose()
            event = .outputFailed(
                PlaybackError(.io, message: "lost"), isDeviceGone: move == .unplug, heard: nil)
        }
        if let event { broken += pass(event) }
        return broken + listen()
    }

    private mutating func pass(_ event: PlaybackEvent) -> [String] {
        let before = state
        let effects = machine.handle(event)
        for effect in effects {
            device.take(effect)
            switch effect {
            case .load(_, let playing, _): opening = playing.position
            case .seek(_, let target): engine = target
            default: break
            }
        }
        if case .loaded(_, let start, _, _, _, _) = event, before.phase == .loading {
            if !effects.contains(where: { if case .seek = $0 { true } else { false } }) { engine = start }
            if let asked, asked != engine { return ["the place that was asked for while it was opened is forgotten"] }
        }
        if case .seek(let order) = event, state.phase == .loading, order.owner ?? before.owner == before.owner,
            order.uri ?? before.current?.item.uri == before.current?.item.uri
        {
            asked = order.target
        }
        if state.phase != .loading || effects.contains(where: { if case .load = $0 { true } else { false } }) {
            asked = nil
        }
        return answers(event, before, effects) + handBack(event, before)
    }

    /// Checks that success is reported when it is audible, held or over, and never for what is only being opened.
    private func answers(_ event: PlaybackEvent, _ before: PlaybackState, _ effects: [PlaybackEffect]) -> [String] {
        // What ended has been there, and is answered as it ends.
        if case .ended = event { return [] }
        for case .reply(let id, nil) in effects where !before.seeks.contains(where: { $0.id == id }) {
            switch event {
            case .claim(id, _, _), .release(id, _, _): continue
            case .toggle(id, _, _, _) where before.intent == .play: continue
            case .seek(let order) where order.id == id: continue
            default: break
            }
            let isHeard = state.phase == .ready && state.isPlaying && device.hasHeard(state.generation)
            let isHeld = !state.wantsSound && (state.phase == .ready || state.phase == .ended)
            if !isHeard, !isHeld { return ["a command has succeeded, and nothing of it is there"] }
        }
        return []
    }

    private mutating func handBack(_ event: PlaybackEvent, _ before: PlaybackState) -> [String] {
        switch event {
        case .interruption(let began): changeAccounts { $0.isCalling = began }
        case .routeLost, .outputFailed(_, true, _): changeAccounts { $0.isUnplugged = true }
        case .pause(let owner?, _) where owner != before.owner, .stop(let owner?) where owner != before.owner:
            accounts[owner]?.isWanted = false
        // Where there is nothing to resume, nothing was chosen.
        case .seek(let order)
        where order.id == nil || order.id != before.lookUp?.id || before.lookUp?.joined.isEmpty == true: break
        case .play, .resume, .toggle, .seek:
            guard state.intent == .play else { break }
            changeAccounts { $0.isUnplugged = false }
        default: break
        }
        guard before.owner != state.owner else {
            if state.phase != .loading { reclaimed = [:] }
            return []
        }
        var kept = before.phase == .loading && Self.isFailure(event) ? reclaimed[before.owner] : nil
        // A pause that was said of what could not be opened counts for what was there before.
        if before.intent != .play { kept?.isWanted = false }
        reclaimed = [:]
        defer { if let kept { accounts[before.owner] = kept } }
        if state.held.contains(where: { $0.owner == before.owner }) {
            accounts[before.owner] = Account(
                isWanted: before.intent == .play && before.suppressions.lasting.isEmpty
                    && (before.phase == .ready || before.phase == .loading))
        } else {
            accounts[before.owner] = nil
        }
        guard let account = accounts.removeValue(forKey: state.owner) else { return [] }
        switch event {
        // An owner that takes audio focus itself says what it wants.
        case .play, .resume:
            reclaimed[state.owner] = account
            return []
        case .claim: return []
        case .release, .ended:
            let mayPlay = account.isWanted && !account.isCalling && !account.isUnplugged
            if mayPlay, state.current != nil, state.intent != .play {
                return ["who was playing is left silent at the hand-back"]
            }
        default: break
        }
        guard state.intent == .play else { return [] }
        if !account.isWanted { return ["who had paused is played at the hand-back"] }
        if account.isCalling { return ["the hand-back talks into a call"] }
        if account.isUnplugged { return ["the hand-back begins from a loudspeaker that nobody chose"] }
        return []
    }

    private mutating func changeAccounts(_ change: (inout Account) -> Void) {
        accounts = accounts.mapValues(changed)
        reclaimed = reclaimed.mapValues(changed)

        func changed(_ account: Account) -> Account {
            var account = account
            change(&account)
            return account
        }
    }

    private static func isFailure(_ event: PlaybackEvent) -> Bool {
        switch event {
        case .loadFailed, .clock, .engineFailed, .engineGone: true
        default: false
        }
    }

    /// Compares what is audible now with what is reported about it.
    private func listen() -> [String] {
        var broken: [String] = []
        func rule(_ holds: Bool, _ name: String) { if !holds { broken.append(name) } }
        rule(!state.isPlaying || device.hasHeard(state.generation), "it says playing, and nobody hears that")
        rule(
            state.phase != .loading && state.outage == nil && !(state.phase == .ready && state.wantsSound)
                || state.clock != nil || state.opensWithoutLimit,
            "sound is wanted, and nobody watches whether it comes")
        rule(
            !(state.intent == .play && (state.phase == .loading || state.phase == .ready)) || machine.isInUse,
            "the session may end, though somebody waits for the sound to go on")
        // What is in progress may still change it.
        guard device.calls.isEmpty else { return broken }
        if let stream = device.stream, stream.sounds {
            rule(
                state.wantsSound && state.phase == .ready && stream.owner == state.owner,
                "something is heard that nobody wants, or of somebody who left")
        }
        guard state.wantsSound, state.phase == .ready else { return broken }
        switch state.stream {
        case .waiting, .sounding, .starved:
            rule(
                device.stream.map { !$0.isPaused && $0.generation == state.generation && $0.owner == state.owner }
                    ?? false, "sound is waited for that the device was never asked for")
        case .opening, .closed, .paused: broken.append("sound is wanted, and nobody asked the device for it")
        }
        return broken
    }

    /// A hash of what the future depends on.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(state.normalized)
        hasher.combine(device.relative(to: state.generation))
        hasher.combine(accounts)
        hasher.combine(reclaimed)
        hasher.combine(engine)
        hasher.combine(opening)
        hasher.combine(asked)
        return hasher.finalize()
    }
}

extension PlaybackState {
    /// `true` if the rules of an older log apply, by which nobody watched a device that opens.
    fileprivate var opensWithoutLimit: Bool { stream == .opening && rules.openLimit == nil }
}

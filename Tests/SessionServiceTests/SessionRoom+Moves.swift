// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import BookTimeline
import ControlSocket
import MediaPlayback
import PlaybackCore
import SessionProtocol
import WaitTestSupport

/// The moves, as clients make them.
extension SessionRoom {
    typealias Answer = Result<SessionReply, SessionError>

    /// The result of a move that is not taken into account yet.
    struct Outcome: Sendable {
        var move: SessionMove
        var client: ClientID
        var answer: Answer
        /// The clip that was meant.
        var id: String?
    }

    private static let main = ClientID(rawValue: 1)

    func perform(_ command: SessionCommand, _ client: ClientID) async -> Answer {
        await Self.perform(command, client, session.service)
    }

    private static func perform(
        _ command: SessionCommand, _ client: ClientID, _ service: PlaybackService
    ) async -> Answer {
        do throws(SessionError) {
            return .success(try await service.perform(command, client: client, descriptors: []) {})
        } catch {
            return .failure(error)
        }
    }

    private func main(_ command: SessionCommand) async -> Answer {
        await perform(.addressed(Address(owner: "main"), command), Self.main)
    }

    /// Carries out a move of anybody.
    ///
    /// - Returns: `true` if the listener took audio focus with it.
    func carryOut(_ move: SessionMove) async -> Bool {
        if let isDone = await listen(move) { return isDone }
        switch move {
        case .time(let milliseconds): await letPass(milliseconds)
        case .call(let begins): session.stage.call(begins)
        case .crash:
            if sinceCrash >= 4_000, session.engines.crash() { sinceCrash = 0 }
        case .failCut:
            session.stage.failNextCut()
            isDirty = true
        case .leave(let guest): await leave(guest)
        default:
            if let (command, client, id) = command(for: move) {
                take(Outcome(move: move, client: client, answer: await perform(command, client), id: id))
            }
        }
        return false
    }

    private func letPass(_ milliseconds: Int) async {
        if let audible = session.stage.audible {
            sinceCrash += milliseconds
            if let book = listener.book, audible.uri == SignalBooks.uri(book) {
                listener.move(to: listener.place + Int64(Double(milliseconds) * listener.rate))
            }
        }
        session.stage.advance(milliseconds: milliseconds)
        session.clock.advance(by: .milliseconds(milliseconds))
    }

    private func leave(_ guest: Guest) async {
        guard let client = clients[guest] else { return }
        clients[guest] = nextClient()
        leavers.append(client)
        await session.service.disconnected(client)
    }

    // MARK: The listener

    /// Carries out a move of the listener; returns `nil` if it is none.
    private func listen(_ move: SessionMove) async -> Bool? {
        let state = await session.state
        let hasFocus = state.owner == .main
        let held = state.held.last { $0.owner == .main }
        let isThere = hasFocus ? state.current != nil : held?.playing != nil
        switch move {
        case .play(let book): return await play(book, at: nil)
        case .playAt(let book, let quarters):
            return await play(book, at: session.stage.isCalling ? nil : Int64(quarters) * 250)
        case .pause:
            note(await main(.pause))
            if isThere { listener.isPlaying = false }
            return false
        case .resume: return await resume()
        case .toggle:
            let view = state.view(of: .main)
            let pauses =
                hasFocus
                ? view.status == .playing || view.status == .loading && state.intent == .play
                : view.suppression == .owner
            let answer = await main(.toggle)
            note(answer)
            guard case .success = answer else { return false }
            if pauses { listener.isPlaying = false } else { listener.resume() }
            return !pauses
        case .stop:
            note(await main(.stop))
            if isThere { listener.stop() }
            return false
        case .seek(let quarters):
            let answer = await main(.seek(Self.time(Int64(quarters) * 250)))
            note(answer)
            if case .success = answer { listener.move(to: Int64(quarters) * 250) }
            return false
        case .skip(let quarters):
            let answer = await main(.seek((quarters < 0 ? "-" : "+") + Self.time(Int64(abs(quarters)) * 250)))
            note(answer)
            if case .success = answer {
                listener.move(to: min(max(0, listener.place + Int64(quarters) * 250), SignalBooks.length))
            }
            return false
        case .rate(let quarters):
            let answer = await main(.rate(Double(quarters) / 4))
            note(answer)
            if hasFocus, case .success = answer { listener.setRate(Double(quarters) / 4) }
            return false
        default: return nil
        }
    }

    private func play(_ book: Int, at place: Int64?) async -> Bool {
        let path = SignalBooks.paths[book % SignalBooks.paths.count]
        var parameters = PlayParameters()
        parameters.items = [path]
        parameters.at = place.map(Self.time)
        let answer = await perform(.play(parameters), Self.main)
        note(answer)
        guard case .success = answer else { return false }
        listener.play(path, at: place)
        return true
    }

    private func resume() async -> Bool {
        let answer = await main(.resume)
        note(answer)
        guard case .success = answer else { return false }
        listener.resume()
        return true
    }

    // MARK: Guests and clips

    /// Returns the command of a guest or about clips, with its client and the clip that it means.
    private func command(for move: SessionMove) -> (SessionCommand, ClientID, id: String?)? {
        func client(_ guest: Guest) -> ClientID { clients[guest] ?? Self.main }
        func addressed(_ guest: Guest, _ command: SessionCommand) -> (SessionCommand, ClientID, id: String?) {
            (.addressed(Address(owner: guest.rawValue), command), client(guest), nil)
        }
        switch move {
        case .claim(let guest, let isAttached):
            return (.claim(guest.rawValue, isAttached: isAttached), client(guest), nil)
        case .playClip(let guest, let number, let loops, let isAttached):
            guard let id = id(number) else { return nil }
            var action = ClipAction(.play)
            (action.ids, action.owner, action.loop, action.attach) = ([id], guest.rawValue, loops, isAttached)
            return (.manageClips(action), client(guest), id)
        case .playPart(let guest, let book, let from, let length, let loops, let isAttached):
            var parameters = PlayParameters()
            parameters.items = [SignalBooks.paths[book % SignalBooks.paths.count]]
            parameters.at = Self.time(Int64(from) * 250)
            parameters.until = Self.time(Int64(from + length) * 250)
            (parameters.owner, parameters.loop, parameters.attach) = (guest.rawValue, loops, isAttached)
            return (.clip(parameters), client(guest), nil)
        case .range(let guest, let from, let length, let loops):
            var action = ClipAction(.range)
            (action.owner, action.loop) = (guest.rawValue, loops)
            (action.start, action.end) = (Self.time(Int64(from) * 250), Self.time(Int64(from + length) * 250))
            return (.manageClips(action), client(guest), nil)
        case .guestSeek(let guest, let number):
            guard let part = parts[guest] else { return nil }
            return addressed(guest, .seek(Self.time(part.lowerBound + Int64(number) * 250 % Int64(part.count))))
        case .guestPause(let guest): return addressed(guest, .pause)
        case .guestResume(let guest): return addressed(guest, .resume)
        case .release(let guest): return (.release(guest.rawValue), client(guest), nil)
        case .addHere: return (.manageClips(ClipAction(.add)), Self.main, nil)
        case .add(let book, let from, let length):
            var action = ClipAction(.add)
            action.items = [SignalBooks.paths[book % SignalBooks.paths.count]]
            (action.start, action.end) = (Self.time(Int64(from) * 250), Self.time(Int64(from + length) * 250))
            return (.manageClips(action), Self.main, nil)
        case .edit(let number, let start, let end):
            guard let id = id(number), start != 0 || end != 0 else { return nil }
            var action = ClipAction(.edit)
            action.ids = [id]
            action.start = start == 0 ? nil : Self.shift(start)
            action.end = end == 0 ? nil : Self.shift(end)
            return (.manageClips(action), Self.main, id)
        case .note(let number):
            guard let id = id(number) else { return nil }
            var action = ClipAction(.edit)
            (action.ids, action.note) = ([id], "note \(ids.count)")
            return (.manageClips(action), Self.main, id)
        case .delete(let number):
            guard let id = id(number) else { return nil }
            var action = ClipAction(.delete)
            action.ids = [id]
            return (.manageClips(action), Self.main, id)
        case .list: return (.manageClips(ClipAction(.list)), Self.main, nil)
        default: return nil
        }
    }

    private func id(_ number: Int) -> String? { ids.isEmpty ? nil : ids[number % ids.count] }

    private static func time(_ milliseconds: Int64) -> String { "\(Double(milliseconds) / 1000)" }
    private static func shift(_ quarters: Int) -> String {
        (quarters < 0 ? "-" : "+") + time(Int64(abs(quarters)) * 250)
    }

    // MARK: Several at once

    /// Begins a move, lets others happen while an engine is at a door, and opens that.
    func hold(_ first: SessionMove, at door: String, while others: [SessionMove]) async {
        guard let (command, client, id) = command(for: first) else {
            for move in others { _ = await carryOut(move) }
            return
        }
        let stage = session.stage
        stage.close(door)
        let isOver = Watched(false)
        let service = session.service
        let task = Task {
            let answer = await Self.perform(command, client, service)
            isOver.change { $0 = true }
            return answer
        }
        await stage.isReached(door, or: isOver)
        if door == "cut" {
            // What is cut was answered before.
            take(Outcome(move: first, client: client, answer: await task.value, id: id))
        }
        for move in others {
            // A move that needs the same door waits for it as well.
            if Self.needs(door, move) { continue }
            _ = await carryOut(move)
        }
        stage.open(door)
        if door != "cut" { take(Outcome(move: first, client: client, answer: await task.value, id: id)) }
    }

    private static func needs(_ door: String, _ move: SessionMove) -> Bool {
        switch move {
        case .playClip, .playPart, .guestResume, .release, .leave, .stop, .guestSeek, .guestPause, .range, .claim:
            if case .leave = move { return false }
            if case .release = move { return false }
            if case .claim = move { return false }
            if case .stop = move { return false }
            return door == "load clip"
        default: return false
        }
    }

    /// Begins moves at the same time; those of one client follow each other, as on its connection.
    func together(_ moves: [SessionMove]) async {
        let before = clips
        var tasks: [Task<Outcome?, Never>] = []
        var lasts: [ClientID: Task<Outcome?, Never>] = [:]
        let service = session.service
        for move in moves {
            if case .leave(let guest) = move, let client = clients[guest] {
                clients[guest] = nextClient()
                leavers.append(client)
                tasks.append(
                    Task {
                        await service.disconnected(client)
                        return nil
                    })
                continue
            }
            guard let (command, client, id) = command(for: move) else { continue }
            let last = client == Self.main ? nil : lasts[client]
            let task = Task { () -> Outcome? in
                _ = await last?.value
                return Outcome(
                    move: move, client: client, answer: await Self.perform(command, client, service), id: id)
            }
            lasts[client] = task
            tasks.append(task)
        }
        var outcomes: [Outcome] = []
        for task in tasks { if let outcome = await task.value { outcomes.append(outcome) } }
        for outcome in outcomes { take(outcome, isAlone: false) }
        await sort(outcomes, before)
    }

    /// Takes over how each clip is after several changes at once, which have some order.
    private func sort(_ outcomes: [Outcome], _ before: [String: KnownClip]) async {
        let rows = await rows()
        let deleted = Set(
            outcomes.compactMap { outcome -> String? in
                guard case .delete = outcome.move, case .success = outcome.answer else { return nil }
                return outcome.id
            })
        for (id, clip) in clips {
            guard !deleted.contains(id), let row = rows.first(where: { $0.id == id }) else { continue }
            let now = KnownClip(start: row.start.position.units, end: row.end.position.units, note: row.note)
            let answers = outcomes.compactMap { outcome -> [KnownClip]? in
                guard case .success(.clips(let page)) = outcome.answer else { return nil }
                return page.clips.filter { $0.id == id }.map(KnownClip.init)
            }.joined()
            let starts = [before[id], clip].compactMap { $0?.start } + answers.map(\.start)
            let ends = [before[id], clip].compactMap { $0?.end } + answers.map(\.end)
            if !starts.contains(now.start) || !ends.contains(now.end) {
                fault("clip \(id) has the bounds \(now), which nobody gave it")
            }
            clips[id] = now
        }
    }

    // MARK: What a move leads to

    /// Refuses an answer that says that the session has a defect.
    private func note(_ answer: Answer) {
        if case .failure(let error) = answer, error.code == .defect { fault("an answer: \(error.message)") }
    }

    private func take(_ outcome: Outcome, isAlone: Bool = true) {
        note(outcome.answer)
        guard case .success(let reply) = outcome.answer else {
            // Another command displaced it; what is heard is what had been asked for before, or is still opened.
            switch outcome.move {
            case .playClip(let guest, _, _, _), .playPart(let guest, _, _, _, _, _): parts[guest] = nil
            default: break
            }
            return
        }
        switch outcome.move {
        case .claim(let guest, let isAttached):
            attach(guest, outcome.client, isAttached)
        case .playClip(let guest, _, _, let isAttached):
            let clip = isAlone ? outcome.id.flatMap { clips[$0] } : nil
            parts[guest] = clip.map { $0.start..<$0.end }
            attach(guest, outcome.client, isAttached)
        case .playPart(let guest, _, let from, let length, _, let isAttached):
            parts[guest] = isAlone ? Int64(from) * 250..<Int64(from + length) * 250 : nil
            attach(guest, outcome.client, isAttached)
        case .range(let guest, let from, let length, _):
            parts[guest] = isAlone ? Int64(from) * 250..<Int64(from + length) * 250 : nil
        case .addHere, .add:
            guard case .clips(let page) = reply, let clip = page.clips.first else { return fault("no clip: \(reply)") }
            let now = KnownClip(clip)
            if case .add(_, let from, let length) = outcome.move,
                (now.start, now.end) != (Int64(from) * 250, Int64(from + length) * 250)
            {
                fault("the new clip is \(now), and not from \(from) quarters on, \(length) long")
            }
            if case .addHere = outcome.move, isAlone,
                (now.start, now.end) != (max(0, listener.place - 10_000), listener.place + 10_000)
            {
                fault("the new clip is \(now), and not around \(listener.place)")
            }
            clips[clip.id] = now
            ids.append(clip.id)
        case .edit, .note:
            guard case .clips(let page) = reply, let clip = page.clips.first else { return fault("no clip: \(reply)") }
            if clips[clip.id] != nil { clips[clip.id] = KnownClip(clip) }
            if clip.end.units - clip.start.units < 1_000 { fault("clip \(clip.id) is too short: \(clip)") }
        case .delete:
            guard let id = outcome.id else { return }
            clips[id] = nil
            ids.removeAll { $0 == id }
        case .list:
            guard isAlone, case .clips(let page) = reply else { return }
            if Set(page.clips.map(\.id)) != Set(ids) { fault("the list has \(page.clips.map(\.id)), and not \(ids)") }
        default: break
        }
    }

    private func attach(_ guest: Guest, _ client: ClientID, _ isAttached: Bool) {
        // What a client asked for that is there stays, whoever left before.
        if clients[guest] == client { attached[guest]?.formIntersection([client]) }
        guard isAttached else { return }
        attached[guest, default: []].insert(client)
    }
}

extension SessionRoom.KnownClip {
    init(_ clip: ClipInfo) { self.init(start: clip.start.units, end: clip.end.units, note: clip.note) }
}

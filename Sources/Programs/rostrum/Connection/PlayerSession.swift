// SPDX-License-Identifier: Apache-2.0

import Clocks
import Glibc
import SessionProtocol
import TerminalPlayer

/// The session of a player that stays while sessions come and go: connected, being started, or looked for.
struct PlayerSession: ~Copyable {
    /// A command that waits for a session to start.
    private struct Waiting {
        var command: SessionCommand
        var request: Request
        var descriptors: [Int32]
    }

    private static let mostWaiting = 32
    /// The most sessions in a row that end without a word before commands are given up.
    private static let mostAttempts = 5
    /// The ms that a connection must have lasted for its session to be looked for again at once.
    private static let shortest: Int64 = 2000
    private static let ended = "the session has ended; the next command starts one"

    let folders: UserFolders
    /// The owner whose status is followed.
    private var owner = PlayerState.owner
    private var link: SessionLink?
    private var starting: SessionStart?
    /// Watches for a session while there is none.
    private var arrival: SocketArrival?
    private var waiting: [Waiting] = []
    /// The commands that a session was sent that has not said anything.
    ///
    /// It may be one that is dying, whose socket still takes connections and bytes; then they are for the next one.
    private var unheard: [Waiting] = []
    private var attempts = 0

    init(_ folders: UserFolders) { self.folders = folders }

    var isPresent: Bool { link != nil }
    var isStarting: Bool { starting != nil }

    /// The descriptor to wait for, and what for; there is always at most one.
    var wait: pollfd {
        if let link { return link.wait }
        return pollfd(fd: starting?.descriptor ?? arrival?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    }

    /// Connects to the running session, or starts one.
    mutating func start() -> [PlayerEvent] {
        guard link == nil, starting == nil else { return [] }
        arrival = nil
        starting = SessionStart()
        if starting != nil { return [] }
        let error = SessionError(.unavailable, "no session: no descriptors or threads are left; close some programs")
        return connected(.failure(error))
    }

    /// Sends a command, and returns what that leads to at once.
    ///
    /// - Parameter startsSession: `true` to start a session if there is none, and to send the command to that.
    mutating func send(
        _ command: SessionCommand, _ request: Request, startsSession: Bool, descriptors: [Int32] = []
    ) -> [PlayerEvent] {
        guard let link else {
            guard startsSession, waiting.count < Self.mostWaiting else {
                let error = SessionError(.unavailable, "no session yet: too many commands at once; try again")
                return [.answer(request, .failure(error))]
            }
            waiting.append(Waiting(command: command, request: request, descriptors: descriptors))
            return start()
        }
        do throws(SessionError) {
            try link.send(command, request, descriptors: descriptors)
            if startsSession, !link.hasSpoken {
                unheard.append(Waiting(command: command, request: request, descriptors: descriptors))
            }
            return []
        } catch {
            guard link.isGone else { return [.answer(request, .failure(error))] }
            guard error.code == .unavailable else { return lost(error.message) + [.answer(request, .failure(error))] }
            // A session that is leaving took nothing of it, so it is sent to the next one.
            let events = lost(Self.ended)
            return events + send(command, request, startsSession: startsSession, descriptors: descriptors)
        }
    }

    /// Follows the status of another owner, in this session and in the next ones.
    mutating func follow(_ owner: String) -> [PlayerEvent] {
        self.owner = owner
        guard let link else { return [] }
        do throws(SessionError) {
            try link.follow(owner)
            return []
        } catch {
            // One that cannot be told to follow is gone, or does not answer: either way another one has to come.
            return lost(error.message)
        }
    }

    /// Returns what has happened, after ``wait`` has found something.
    mutating func events(_ found: Int16) -> [PlayerEvent] {
        guard found != 0 else { return [] }
        if link != nil { return receive() }
        if let starting {
            self.starting = nil
            return connected(starting.take())
        }
        arrival?.drain()
        return lookAround()
    }

    /// `true` while a command is under way, or waits for a session to start.
    var isAnswering: Bool { starting != nil && !waiting.isEmpty || link?.isAnswering == true }

    /// Sends what is left, before the program ends: for at most 3 s, if a session has to start for it.
    mutating func flush() {
        if let starting, !waiting.isEmpty {
            var wait = pollfd(fd: starting.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&wait, 1, 3000) == 1 { _ = events(wait.revents) }
        }
        link?.flush(within: 1000)
    }

    /// Takes the status of children that have ended: sessions, pictures.
    func reap() {
        // Another thread waits for a child of its own while one starts.
        if starting == nil { while waitpid(-1, nil, WNOHANG) > 0 {} }
    }

    private mutating func receive() -> [PlayerEvent] {
        guard let link else { return [] }
        do throws(SessionError) {
            try link.flush()
            let events = try link.receive()
            if link.hasSpoken { (unheard, attempts) = ([], 0) }
            return events
        } catch {
            if error.code == .unavailable, let events = startAgain(unheard) { return events }
            // One that goes at once would be tried again and again; then a key or a new session has to come.
            let lasted = MonotonicTime.milliseconds() - link.since
            let words = error.code == .unavailable ? Self.ended : error.message
            return lost(words) + (lasted >= Self.shortest ? lookAround() : [])
        }
    }

    /// Starts another session for commands that one took that was dying; `nil` if there are none, or too many were.
    private mutating func startAgain(_ commands: [Waiting]) -> [PlayerEvent]? {
        guard !commands.isEmpty, attempts < Self.mostAttempts else { return nil }
        attempts += 1
        (link, unheard) = (nil, [])
        waiting = commands + waiting
        return start()
    }

    private mutating func lost(_ reason: String) -> [PlayerEvent] {
        (link, unheard, attempts) = (nil, [], 0)
        arrival = SocketArrival(in: folders.runtime, of: .sessions)
        return [.lost(reason)]
    }

    /// Connects if there is a session; systemd may hold the socket of one that is not running.
    private mutating func lookAround() -> [PlayerEvent] {
        guard folders.hasSession else { return [] }
        do throws(SessionError) {
            guard let connection = try SessionConnection(to: folders, waits: false) else { return [] }
            return connected(.success(connection))
        } catch {
            return [.lost(error.message)]
        }
    }

    private mutating func connected(_ result: Result<SessionConnection, SessionError>) -> [PlayerEvent] {
        let waiting = waiting
        self.waiting = []
        // A session that is dying still takes connections.
        var wasReached = false
        do throws(SessionError) {
            let connection = try result.get()
            wasReached = true
            let link = try SessionLink(connection, owner: owner)
            self.link = link
            arrival = nil
            unheard = waiting
            var events: [PlayerEvent] = [.connected]
            for wish in waiting {
                do throws(SessionError) {
                    try link.send(wish.command, wish.request, descriptors: wish.descriptors)
                } catch {
                    if link.isGone { throw error }
                    events.append(.answer(wish.request, .failure(error)))
                }
            }
            return events
        } catch {
            if wasReached, error.code == .unavailable, let events = startAgain(waiting) { return events }
            let words = wasReached && error.code == .unavailable ? Self.ended : error.message
            return lost(words) + waiting.map { .answer($0.request, .failure(error)) }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Clocks
import Glibc
import SessionProtocol

/// A player that stays connected while the session plays.
///
/// Its one thread sleeps until the session, a key, a signal or the clock on the screen needs it.
final class AttachedPlayer {
    private let connection: SessionConnection
    private let view: any PlayerView
    private var keys = KeyReader()
    private var playID = RequestID.null
    private var isOver = false
    /// `true` if playback has started.
    private(set) var hasBegun = false
    /// The warning that part of what is over was not played.
    private(set) var warning: String?
    /// The owner that this player shows and controls, also while another owner has audio focus.
    private var owner: String?

    init(connection: SessionConnection, view: any PlayerView) {
        self.connection = connection
        self.view = view
    }

    /// Sends a command to the running session or to a new one, and stays attached until what it starts is over.
    static func play(_ command: SessionCommand, _ items: ItemArguments, view: any PlayerView) throws(SessionError) {
        var player: AttachedPlayer?
        do throws(SessionError) {
            try Session.ask(isAnswered: { player?.hasBegun == true }) { connection throws(SessionError) in
                let attached = AttachedPlayer(connection: connection, view: view)
                player = attached
                try attached.run(command, descriptors: items.descriptors)
            }
        } catch {
            // If writing the output is what failed, this fails, too, and the first error is the one to show.
            try? view.error(error)
            throw error
        }
        if let warning = player?.warning, !view.hasShown(warning) { StandardError.write(warning: warning) }
    }

    /// Returns when playback is over or the user quits; throws the error that ended it.
    func run(_ command: SessionCommand, descriptors: [Int32]) throws(SessionError) {
        // Signals are taken over first, so that none can leave the terminal in raw mode.
        var signals = Signals()
        view.begin()
        defer { view.end() }
        owner = command.playingOwner
        try connection.send(.subscribe(Subscription(view.topics, owner: owner)))
        playID = try connection.send(.command(command), descriptors: descriptors)
        while !isOver { try turn(&signals) }
    }

    private func turn(_ signals: inout Signals) throws(SessionError) {
        let timeout = try view.draw(now: Self.now())
        var waits = [pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)]
        waits.append(pollfd(fd: view.keyboard ?? -1, events: Int16(POLLIN), revents: 0))
        for signal in signals.wait(&waits, timeoutMs: timeout) { handle(signal, signals) }
        if waits[0].revents != 0 { try receive() }
        if waits[1].revents != 0 && !isOver { try readKeys() }
    }

    private func handle(_ signal: Int32, _ signals: borrowing Signals) {
        switch signal {
        case SIGWINCH: view.resized()
        case SIGCONT: view.begin()
        case SIGTSTP:
            view.end()
            signals.passOn(signal)
            view.begin()
        default:
            // The connection closes with the process, which detaches the player.
            view.end()
            signals.passOn(signal)
        }
    }

    // MARK: - The session

    private func receive() throws(SessionError) {
        let isOpen = try connection.receive()
        while let message = try connection.nextMessage(), !isOver { try handle(message) }
        if !isOpen && !isOver {
            throw SessionError(.unavailable, "the session ended: while it played; see `rostrum log`, then try again")
        }
    }

    private func handle(_ message: SessionMessage) throws(SessionError) {
        if let refusal = message.refusal { throw refusal }
        switch message {
        case .answer(playID, .failure(let error)): throw error.sessionError
        case .answer(playID, .success(let result)):
            hasBegun = true
            for line in AnswerMessage.lines(of: result) { view.notice(line) }
        case .answer(_, .failure(let error)): view.remark(error.message)
        case .answer, .library, .peaks, .text, .unknown: break
        case .status(let text): try view.status(text, now: Self.now())
        case .transition(let text): try view.transition(text)
        case .finished(let error?, _): throw error
        case .finished(nil, let warning):
            self.warning = warning
            isOver = true
        }
    }

    // MARK: - The user

    private func readKeys() throws(SessionError) {
        guard let keyboard = view.keyboard else { return }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(keyboard, &bytes, bytes.count)
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
        // The terminal is gone, and so is the user.
        guard count > 0 else { return isOver = true }
        for key in keys.read(bytes[..<count]) {
            if key == .quit { return isOver = true }
            if let command = view.key(key) { try connection.send(.command(addressed(command))) }
        }
    }

    private func addressed(_ command: SessionCommand) -> SessionCommand {
        switch command {
        case .toggle, .skip, .chapter, .rate, .volume: owner.map { .addressed(Address(owner: $0), command) } ?? command
        default: command
        }
    }

    private static func now() -> Int64 { MonotonicTime.milliseconds() }
}

extension SessionCommand {
    /// The owner that the command plays for; `nil` if the session chooses one.
    fileprivate var playingOwner: String? {
        switch self {
        case .play(let play), .read(let play): play.owner ?? "main"
        case .clip(let clip): clip.owner
        default: nil
        }
    }
}

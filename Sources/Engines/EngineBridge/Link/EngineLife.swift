// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback
import PlaybackCore

/// The phases of an engine's life, and the reason for its end.
///
/// Times are in nanoseconds.
struct EngineLife {
    private enum Phase {
        case running
        /// The engine is to end by itself, and is killed at the deadline.
        case leaving(deadline: UInt64)
        /// The engine was killed, and is left behind at the deadline.
        case killed(deadline: UInt64)
        case finished
    }

    /// The action that follows when a deadline has passed.
    enum Step { case kill, leaveBehind }

    private let id: EngineID
    private var phase = Phase.running
    private var isReady = false
    /// `true` if the engine quits because it was asked to.
    private var isAskedToQuit = false
    /// The callers that wait until the engine is gone.
    private var leavers: [@Sendable () -> Void] = []
    /// The reason why the session ended the engine, or `nil` if it ended by itself.
    private(set) var cause: EngineError?

    init(id: EngineID) { self.id = id }

    var isRunning: Bool { if case .running = phase { true } else { false } }
    var isFinished: Bool { if case .finished = phase { true } else { false } }

    /// The time of the next step, or `nil` if there is none.
    var deadline: UInt64? {
        switch phase {
        case .leaving(let end), .killed(let end): end
        case .running, .finished: nil
        }
    }

    /// The reason for refusing a request.
    var refusal: EngineError {
        cause ?? EngineError(number: EngineNumber.unavailable, message: "the engine \(id) is gone")
    }

    /// Notes that the engine is ready, and returns `false` if it was before.
    mutating func noteReady() -> Bool {
        defer { isReady = true }
        return !isReady
    }

    // MARK: Towards the end

    /// Notes a caller that waits for the end, and returns `true` if the engine is still to be asked to quit.
    mutating func leave(by deadline: UInt64, _ leaver: @escaping @Sendable () -> Void) -> Bool {
        leavers.append(leaver)
        guard isRunning else { return false }
        isAskedToQuit = true
        phase = .leaving(deadline: deadline)
        return true
    }

    /// Notes the end of the socket, after which the process should exit: its status tells why.
    mutating func noteSocketEnd(exitBy deadline: UInt64) {
        if isRunning { phase = .leaving(deadline: deadline) }
    }

    /// Notes that the engine broke a rule or a deadline, and returns `false` if its end is decided already.
    mutating func condemn(_ error: EngineError) -> Bool {
        guard cause == nil, !isFinished else { return false }
        cause = error
        return true
    }

    mutating func noteKill(endsBy deadline: UInt64) { phase = .killed(deadline: deadline) }

    /// Returns what to do at this time, or `nil` if no deadline has passed.
    mutating func step(at now: UInt64) -> Step? {
        switch phase {
        case .leaving(let deadline) where deadline <= now:
            if !isAskedToQuit, cause == nil {
                cause = EngineError(number: EngineNumber.crashed, message: "the engine \(id) closed its socket")
            }
            return .kill
        case .killed(let deadline) where deadline <= now: return .leaveBehind
        case .running, .leaving, .killed, .finished: return nil
        }
    }

    // MARK: The end

    /// Returns the reason for an end that has come, or `nil` if the engine quit because it was asked to.
    ///
    /// - Parameters:
    ///   - how: What happened, as words that follow the engine's name.
    ///   - lastWords: The last line that the engine printed.
    func reason(_ how: String, lastWords: String?) -> EngineError? {
        if let cause { return cause }
        guard !isAskedToQuit else { return nil }
        let words = lastWords.map { ": \($0)" } ?? ""
        let code = isReady ? EngineNumber.crashed : EngineNumber.neverReady
        return EngineError(number: code, message: "the engine \(id) \(how)\(words)")
    }

    /// Notes the end, and returns the callers that waited for it.
    mutating func finish() -> [@Sendable () -> Void] {
        phase = .finished
        defer { leavers = [] }
        return leavers
    }
}

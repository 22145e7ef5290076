// SPDX-License-Identifier: Apache-2.0

/// The times at which places are exchanged with a server; each server has a schedule of its own.
///
/// Times are milliseconds of a clock that never jumps. One exchange runs at a time.
public struct SyncSchedule: Sendable, Hashable {
    public enum Event: Sendable, Hashable, CaseIterable {
        /// The session has begun, or the account was added.
        case launched
        case playing
        case paused
        case stopped
        case ended
        case seeked
        /// There is a network again.
        case networkBack
        /// A player looks on, in which the place of another device shows.
        case attached
        case detached
        /// The time that was asked for has come.
        case timer
        /// The exchange has ended; nothing is left to send.
        case exchanged
        /// The exchange has ended without an answer of the server.
        case unreachable
    }

    public static let whilePlaying: Int64 = 30_000
    public static let whileAttached: Int64 = 60_000
    static let firstRetry: Int64 = 30_000
    static let mostRetry: Int64 = 900_000

    private var isPlaying = false
    private var isAttached = false
    private var isExchanging = false
    /// `true` if something has happened since the exchange began.
    private var isWanted = false
    private var failures: Int64 = 0
    /// The time at which `timer` is due; `nil` if nothing is to be waited for, and nobody is woken.
    public private(set) var due: Int64?

    public init() {}

    /// Follows an event, and returns `true` if an exchange begins now.
    public mutating func handle(_ event: Event, at now: Int64) -> Bool {
        switch event {
        case .playing:
            isPlaying = true
            if failures == 0, due.map({ $0 > now + Self.whilePlaying }) ?? true { due = now + Self.whilePlaying }
            return false
        case .attached:
            isAttached = true
            return begin(now)
        case .detached:
            isAttached = false
            if !isExchanging, failures == 0 { rest(now) }
            return false
        case .timer: return due.map { $0 <= now } == true && begin(now)
        case .paused, .stopped, .ended:
            isPlaying = false
            return begin(now)
        case .launched, .seeked: return begin(now)
        case .networkBack:
            failures = 0
            return begin(now)
        case .exchanged:
            isExchanging = false
            failures = 0
            if isWanted { return begin(now) }
            rest(now)
            return false
        case .unreachable:
            isExchanging = false
            isWanted = false
            due = now + min(Self.mostRetry, Self.firstRetry << min(failures, 10))
            failures += 1
            return false
        }
    }

    private mutating func begin(_ now: Int64) -> Bool {
        isWanted = isExchanging
        guard !isExchanging else { return false }
        isExchanging = true
        due = nil
        return true
    }

    private mutating func rest(_ now: Int64) {
        due = isPlaying ? now + Self.whilePlaying : isAttached ? now + Self.whileAttached : nil
    }
}

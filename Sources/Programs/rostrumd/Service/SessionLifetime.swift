// SPDX-License-Identifier: Apache-2.0

import ControlSocket

/// Knows when a session that was started for one listener has nothing left to do: at once when the last attached player
/// leaves, and a while after detached playing ended.
///
/// A service stays.
struct SessionLifetime {
    /// Yields once, when the session is to end.
    let ending: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation
    private let endsByItself: Bool
    private let idle: Duration
    /// Who is attached, and to which item.
    private var players: [ClientID: String?] = [:]
    private var isPlaying = false
    private var commands = 0
    private var timer: Task<Void, Never>?

    init(endsByItself: Bool, idle: Duration = .seconds(60)) {
        self.endsByItself = endsByItself
        self.idle = idle
        (ending, end) = AsyncStream.makeStream()
    }

    mutating func attach(_ client: ClientID) {
        players[client] = .some(nil)
        consider()
    }

    mutating func note(_ client: ClientID, item: String?) {
        guard players[client] != nil else { return }
        players[client] = item
    }

    /// True if this was the last player and the session ends with it.
    @discardableResult
    mutating func detach(_ client: ClientID) -> Bool {
        guard players.removeValue(forKey: client) != nil else { return false }
        consider()
        return players.isEmpty && endsByItself
    }

    /// Those attached to this item, or all for nil.
    func attached(to uri: String?) -> [ClientID] {
        players.filter { uri == nil || $0.value == nil || $0.value == uri }.map(\.key)
    }

    mutating func update(isPlaying: Bool) {
        guard isPlaying != self.isPlaying else { return }
        self.isPlaying = isPlaying
        consider()
    }

    mutating func commandBegan() {
        commands += 1
        consider()
    }

    mutating func commandEnded() {
        commands -= 1
        consider()
    }

    /// Nothing is left to do, unless somebody came meanwhile.
    func endNow() {
        if endsByItself, players.isEmpty { end.yield() }
    }

    private mutating func consider() {
        timer?.cancel()
        timer = nil
        guard endsByItself, players.isEmpty, !isPlaying, commands == 0 else { return }
        timer = Task { [idle, end] in
            try? await Task.sleep(for: idle)
            if !Task.isCancelled { end.yield() }
        }
    }
}

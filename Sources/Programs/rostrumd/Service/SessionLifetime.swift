// SPDX-License-Identifier: Apache-2.0

import ControlSocket

/// Knows when a session that was started for one listener has nothing left to do: at once when the last attached player
/// leaves, or when what others asked for until then is done, and a while after detached playing ended.
///
/// A service stays.
struct SessionLifetime {
    /// Yields once, when the session is to end.
    let ending: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation
    private let endsByItself: Bool
    private let timer: IdleTimer
    /// Who is attached, and to which item.
    private var players: [ClientID: String?] = [:]
    private var isPlaying = false
    /// Who waits for an answer; a client has one request at a time.
    private var asking: Set<ClientID> = []
    private var renders = 0
    /// The last player has left while something was under way: the session ends behind that.
    private var endsWhenDone = false

    init(endsByItself: Bool, idle: Duration = .seconds(60)) {
        self.endsByItself = endsByItself
        (ending, end) = AsyncStream.makeStream()
        timer = IdleTimer(idle) { [end] in end.yield() }
    }

    mutating func attach(_ client: ClientID) {
        players[client] = .some(nil)
        endsWhenDone = false
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
        // Nobody waits for that any more.
        asking.remove(client)
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

    mutating func requestBegan(_ client: ClientID) {
        asking.insert(client)
        consider()
    }

    mutating func requestEnded(_ client: ClientID) {
        asking.remove(client)
        consider()
    }

    mutating func renderBegan() {
        renders += 1
        consider()
    }

    mutating func renderEnded() {
        renders -= 1
        consider()
    }

    /// All that was under way when the last player left is done.
    var isDue: Bool { endsWhenDone && !isBusy && players.isEmpty }

    /// Nothing is left to do, unless somebody came meanwhile, or something plays; what is under way is seen through first.
    mutating func endIfDone(isPlaying: Bool) {
        guard endsByItself, players.isEmpty else { return }
        endsWhenDone = isBusy
        if !isBusy, !isPlaying { end.yield() }
    }

    private var isBusy: Bool { !asking.isEmpty || renders > 0 }

    private mutating func consider() {
        if endsByItself, players.isEmpty, !isPlaying, !isBusy { timer.start() } else { timer.stop() }
    }
}

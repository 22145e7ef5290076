// SPDX-License-Identifier: Apache-2.0

/// The lifetime of a session that was started for one user, which ends when nothing is left to do.
///
/// That is when the last attached player leaves and the requests and renders that were under way then are done, and a
/// while after detached playback ended. A session that runs as a service stays.
public struct SessionLifetime: Sendable {
    /// Yields once, when the session is to end.
    public let ending: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation
    private let endsByItself: Bool
    private let timer: IdleTimer
    /// The attached clients and their items; an item is `nil` if it is not known yet.
    private var players: [ClientID: String?] = [:]
    /// The number of the command that attached each client last.
    private var attachments: [ClientID: Int] = [:]
    private var lastAttachment = 0
    /// Clients that want the session to stay while they are connected, and are no players.
    private var watchers: Set<ClientID> = []
    /// `true` while something plays, is about to, or is held and will play.
    private var isInUse = false
    /// The number of unanswered requests of each client.
    private var asking: [ClientID: Int] = [:]
    /// The number of requests of each client under way that play something.
    private var asksToPlay: [ClientID: Int] = [:]
    /// `true` if the last player left while another client was requesting to play something.
    ///
    /// What plays belongs to that client if its request succeeds.
    private var isLeftBehind = false
    private var renders = 0
    /// `true` if the last player left while something was under way, after which the session ends.
    private var endsWhenDone = false

    public init(endsByItself: Bool, idle: Duration = .seconds(60)) {
        self.init(endsByItself: endsByItself, idle: idle, clock: .system)
    }

    init(endsByItself: Bool, idle: Duration, clock: IdleClock) {
        self.endsByItself = endsByItself
        (ending, end) = AsyncStream.makeStream()
        timer = IdleTimer(idle, clock: clock) { [end] in end.yield() }
    }

    /// Sets the idle time after which a session that a client started ends.
    public func set(idle: Duration) { timer.set(idle) }

    /// Attaches a client and returns a number by which ``withdraw(_:_:)`` undoes it.
    @discardableResult
    public mutating func attach(_ client: ClientID) -> Int {
        players[client] = .some(nil)
        lastAttachment += 1
        attachments[client] = lastAttachment
        endsWhenDone = false
        isLeftBehind = false
        consider()
        return lastAttachment
    }

    /// Notes whether a client wants the session to stay while it is connected; what plays does not depend on it.
    public mutating func watch(_ client: ClientID, _ stays: Bool) {
        if stays { watchers.insert(client) } else { watchers.remove(client) }
        consider()
    }

    public mutating func note(_ client: ClientID, item: String?) {
        guard players[client] != nil else { return }
        players[client] = .some(item)
    }

    /// Notes that another item has replaced the one that the client was attached to.
    ///
    /// It has no effect while the requested item is still being looked up: otherwise the end of the other item would be
    /// taken for the end of that one.
    public mutating func adopt(_ client: ClientID, item: String) {
        guard case .some(.some) = players[client] else { return }
        players[client] = item
    }

    /// Undoes an attachment whose command has failed, unless another command has attached the client since.
    public mutating func withdraw(_ client: ClientID, _ attachment: Int) {
        if attachments[client] == attachment { detach(client) }
    }

    /// Removes a client, and returns `true` if it was the last player.
    ///
    /// Then what plays ends, and so does the session, unless it is a service.
    @discardableResult
    public mutating func detach(_ client: ClientID) -> Bool {
        guard players.removeValue(forKey: client) != nil else { return false }
        attachments[client] = nil
        // Nobody waits for its answers any more.
        asking[client] = nil
        asksToPlay[client] = nil
        consider()
        return players.isEmpty
    }

    /// Decides what happens to playback when the last player has left.
    ///
    /// - Returns: `true` if playback ends with it; `false` if another client is requesting to play something. If that
    ///   fails, ``requestEnded(_:plays:hasFailed:)`` says so.
    public mutating func leaveBehind() -> Bool {
        isLeftBehind = !asksToPlay.isEmpty
        return !isLeftBehind
    }

    /// Returns the clients that are attached to this item, or all attached clients for `nil`.
    public func attached(to uri: String?) -> [ClientID] {
        players.filter { uri == nil || $0.value == nil || $0.value == uri }.map(\.key)
    }

    public mutating func update(isInUse: Bool) {
        guard isInUse != self.isInUse else { return }
        self.isInUse = isInUse
        consider()
    }

    /// Notes that a request begins; `plays` is `true` if it is answered when something is audible.
    public mutating func requestBegan(_ client: ClientID, plays: Bool = false) {
        asking[client, default: 0] += 1
        if plays { asksToPlay[client, default: 0] += 1 }
        consider()
    }

    /// Notes that a request under way will play something.
    public mutating func requestPlays(_ client: ClientID) {
        guard asking[client] != nil else { return }
        asksToPlay[client, default: 0] += 1
    }

    /// Notes that a request is over.
    ///
    /// - Returns: `true` if playback is to end now, because its last player has left and no other client took it over.
    @discardableResult
    public mutating func requestEnded(_ client: ClientID, plays: Bool = false, hasFailed: Bool = false) -> Bool {
        Self.count(down: &asking[client])
        if plays { Self.count(down: &asksToPlay[client]) }
        consider()
        guard plays, isLeftBehind else { return false }
        if hasFailed, !asksToPlay.isEmpty { return false }
        isLeftBehind = false
        return hasFailed && players.isEmpty
    }

    private static func count(down number: inout Int?) {
        guard let present = number else { return }
        number = present > 1 ? present - 1 : nil
    }

    public mutating func renderBegan() {
        renders += 1
        consider()
    }

    public mutating func renderEnded() {
        renders -= 1
        consider()
    }

    /// `true` if everything is done that was under way when the last player left.
    public var isDue: Bool { endsWhenDone && !isBusy && players.isEmpty && watchers.isEmpty }

    /// Ends the session if nothing is left to do.
    ///
    /// It does not end if a client is attached, or if something plays or is held and will play. Requests and renders
    /// under way are completed first.
    public mutating func endIfDone(isInUse: Bool) {
        guard endsByItself, players.isEmpty, watchers.isEmpty else { return }
        endsWhenDone = isBusy
        if !isBusy, !isInUse { end.yield() }
    }

    /// Ends the session, whatever is under way.
    public func endNow() { end.yield() }

    private var isBusy: Bool { !asking.isEmpty || renders > 0 }

    private mutating func consider() {
        if endsByItself, players.isEmpty, watchers.isEmpty, !isInUse, !isBusy { timer.start() } else { timer.stop() }
    }
}

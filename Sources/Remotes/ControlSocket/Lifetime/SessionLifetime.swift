// SPDX-License-Identifier: Apache-2.0

/// Knows when a session that was started for one listener has nothing left to do: at once when the last attached player
/// leaves, or when what others asked for until then is done, and a while after detached playing ended.
///
/// A service stays.
public struct SessionLifetime: Sendable {
    /// Yields once, when the session is to end.
    public let ending: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation
    private let endsByItself: Bool
    private let timer: IdleTimer
    /// Who is attached, and to which item; nil: it is not known yet.
    private var players: [ClientID: String?] = [:]
    /// With which of its commands each of them was attached last.
    private var attachments: [ClientID: Int] = [:]
    private var lastAttachment = 0
    /// Something sounds, is about to, or is held and will.
    private var isInUse = false
    /// Who waits for an answer, and to how many requests.
    private var asking: [ClientID: Int] = [:]
    /// The clients whose requests to play something are under way, and how many there are of each.
    private var asksToPlay: [ClientID: Int] = [:]
    /// The last player has left while somebody else was asking to play something: what plays belongs to them, if they
    /// succeed.
    private var isLeftBehind = false
    private var renders = 0
    /// The last player has left while something was under way: the session ends behind that.
    private var endsWhenDone = false

    public init(endsByItself: Bool, idle: Duration = .seconds(60)) {
        self.init(endsByItself: endsByItself, idle: idle, clock: .system)
    }

    init(endsByItself: Bool, idle: Duration, clock: IdleClock) {
        self.endsByItself = endsByItself
        (ending, end) = AsyncStream.makeStream()
        timer = IdleTimer(idle, clock: clock) { [end] in end.yield() }
    }

    /// How long nothing is under way before a session ends that started by itself.
    public func set(idle: Duration) { timer.set(idle) }

    /// Returns what takes it back (`withdraw`).
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

    public mutating func note(_ client: ClientID, item: String?) {
        guard players[client] != nil else { return }
        players[client] = .some(item)
    }

    /// Another item has taken the place of the one that it was attached to.
    ///
    /// Not while what it asked for is still looked up: the end of something else would be taken for the end of that.
    public mutating func adopt(_ client: ClientID, item: String) {
        guard case .some(.some) = players[client] else { return }
        players[client] = item
    }

    /// The command that attached it has failed: unless another one has attached it since, it is no player.
    public mutating func withdraw(_ client: ClientID, _ attachment: Int) {
        if attachments[client] == attachment { detach(client) }
    }

    /// True if this was the last player: what plays ends with it, and so does the session, unless it is a service.
    @discardableResult
    public mutating func detach(_ client: ClientID) -> Bool {
        guard players.removeValue(forKey: client) != nil else { return false }
        attachments[client] = nil
        // Nobody waits for that any more.
        asking[client] = nil
        asksToPlay[client] = nil
        consider()
        return players.isEmpty
    }

    /// The last player has left.
    ///
    /// - Returns: true if what plays is to end with it; false if somebody else is asking to play something just now. If
    ///   that fails, ``requestEnded(_:plays:hasFailed:)`` says so.
    public mutating func leaveBehind() -> Bool {
        isLeftBehind = !asksToPlay.isEmpty
        return !isLeftBehind
    }

    /// Those attached to this item, or all for nil.
    public func attached(to uri: String?) -> [ClientID] {
        players.filter { uri == nil || $0.value == nil || $0.value == uri }.map(\.key)
    }

    public mutating func update(isInUse: Bool) {
        guard isInUse != self.isInUse else { return }
        self.isInUse = isInUse
        consider()
    }

    /// A request begins; `plays` if it is to be answered when something sounds.
    public mutating func requestBegan(_ client: ClientID, plays: Bool = false) {
        asking[client, default: 0] += 1
        if plays { asksToPlay[client, default: 0] += 1 }
        consider()
    }

    /// A request that is under way turns out to play something.
    public mutating func requestPlays(_ client: ClientID) {
        guard asking[client] != nil else { return }
        asksToPlay[client, default: 0] += 1
    }

    /// A request is over.
    ///
    /// - Returns: true if what plays is to end now: its last player has left, and nobody took it over.
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

    /// All that was under way when the last player left is done.
    public var isDue: Bool { endsWhenDone && !isBusy && players.isEmpty }

    /// Nothing is left to do, unless somebody came meanwhile, or something plays or is held and will; what is under way
    /// is seen through first.
    public mutating func endIfDone(isInUse: Bool) {
        guard endsByItself, players.isEmpty else { return }
        endsWhenDone = isBusy
        if !isBusy, !isInUse { end.yield() }
    }

    private var isBusy: Bool { !asking.isEmpty || renders > 0 }

    private mutating func consider() {
        if endsByItself, players.isEmpty, !isInUse, !isBusy { timer.start() } else { timer.stop() }
    }
}

// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The order of commands: their numbers, the one that decides what plays, and those who wait for an answer.
struct CommandOrder {
    typealias Caller = CheckedContinuation<Result<Void, PlaybackError>, Never>

    private(set) var last: UInt64 = 0
    /// The newest command that decides what plays; older ones that still look something up give up.
    private var deciding: UInt64 = 0
    /// The `play` whose item is being looked up.
    var coming: ComingPlay?
    /// The request whose item could not be looked up; `resume` tries it again.
    private var unlocated: (uri: String, request: PlayRequest)?
    private var callers: [UInt64: Caller] = [:]
    /// The commands that wait for a `play` whose item is being looked up, by the id of that `play`.
    private var joined: [UInt64: [Caller]] = [:]

    private var renders = 0

    /// Returns the number of a new render, which is an owner of its own.
    mutating func nextRender() -> Int {
        renders += 1
        return renders
    }

    /// Returns the id of a new command.
    mutating func next() -> UInt64 {
        last += 1
        return last
    }

    /// Notes that a command decides what plays.
    mutating func decide(by id: UInt64) { deciding = id }

    /// Returns whether no later command has decided what plays.
    func isDecided(by id: UInt64) -> Bool { deciding == id }

    // MARK: Callers

    mutating func wait(_ id: UInt64, _ caller: Caller) { callers[id] = caller }

    mutating func answer(_ id: UInt64, _ error: PlaybackError?) {
        callers.removeValue(forKey: id)?.resume(returning: error.map { .failure($0) } ?? .success(()))
    }

    // MARK: The coming item

    /// Returns whether an item of this owner is about to be played; `nil` stands for any owner.
    func isComing(_ owner: OwnerID?) -> Bool {
        coming.map { $0.command == deciding && (owner == nil || owner == $0.owner) } ?? false
    }

    /// Begins to look up the item of a `play`.
    mutating func look(for request: PlayRequest, by id: UInt64) {
        decide(by: id)
        coming = ComingPlay(command: id, request: request)
    }

    /// Lets a caller wait for the coming item, which is to sound.
    mutating func join(_ caller: Caller) {
        guard let command = coming?.command else { return caller.resume(returning: .success(())) }
        coming?.isHeld = false
        joined[command, default: []].append(caller)
    }

    /// The number of callers that wait for the coming item.
    var joinedCount: Int { coming.flatMap { joined[$0.command]?.count } ?? 0 }

    /// Takes out the coming item with what was asked for in the meantime; `nil` if another one is coming.
    mutating func take(_ id: UInt64) -> ComingPlay? {
        guard coming?.command == id else { return nil }
        defer { coming = nil }
        return coming
    }

    /// Ends a look-up, and answers those who joined it.
    mutating func endLook(by id: UInt64, _ result: Result<Void, PlaybackError>) {
        if coming?.command == id { coming = nil }
        for caller in joined.removeValue(forKey: id) ?? [] { caller.resume(returning: result) }
    }

    // MARK: An item that could not be looked up

    mutating func keep(unlocated request: PlayRequest, uri: String) { unlocated = (uri, request) }

    mutating func forgetUnlocated() { unlocated = nil }

    /// Returns the request to look up again for an item.
    func unlocatedRequest(of uri: String?) -> PlayRequest? {
        unlocated.flatMap { $0.uri == uri ? $0.request : nil }
    }
}

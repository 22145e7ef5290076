// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import TaskChains

/// The order of commands: their numbers, what is being looked up for them, and those who wait for an answer.
struct CommandOrder {
    typealias Caller = CheckedContinuation<Result<Void, PlaybackError>, Never>

    private(set) var last: UInt64 = 0
    /// The controller's part of the command that is being looked up.
    private(set) var coming: ComingItem?
    /// The look-up whose result was handed to the machine last.
    private var begun: UInt64 = 0
    /// The seeks whose targets are worked out one after the other; the chain keeps its own state.
    var seeks = TaskChain()
    /// The request whose item could not be looked up; `resume` tries it again.
    private var unlocated: (uri: String, request: PlayRequest)?
    private var callers: [UInt64: Caller] = [:]

    /// The number of look-ups that have not ended, including those that were given up: a disk may not answer.
    private var looks = 0
    private static let mostLooks = 32
    /// The ways to give up what is looked for, by the numbers of the commands that want it.
    private var searches: [UInt64: @Sendable () -> Void] = [:]
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

    // MARK: Callers

    mutating func wait(_ id: UInt64, _ caller: Caller) { callers[id] = caller }

    mutating func answer(_ id: UInt64, _ error: PlaybackError?) {
        if coming?.command == id { coming = nil }
        callers.removeValue(forKey: id)?.resume(returning: error.map { .failure($0) } ?? .success(()))
    }

    // MARK: The coming item

    /// Begins to look up a command.
    ///
    /// - Returns: `false` if too many look-ups have not ended.
    mutating func look(for item: ComingItem) -> Bool {
        guard looks < Self.mostLooks else { return false }
        looks += 1
        coming = item
        return true
    }

    /// Notes what looks for something that a command needs.
    mutating func begin<Value: Sendable>(_ search: Task<Value, Never>, of id: UInt64) {
        searches[id] = { search.cancel() }
    }

    mutating func endLook(_ id: UInt64) {
        looks -= 1
        endSearch(id)
    }

    mutating func endSearch(_ id: UInt64) { searches[id] = nil }

    /// Gives up what was to be found for a command that nobody waits for any more.
    mutating func giveUpSearch(_ id: UInt64) { searches.removeValue(forKey: id)?() }

    /// Notes the kind of the coming item, which was found.
    mutating func found(_ kind: ContentKind) { coming?.kind = kind }

    /// Adds the options of another command to the coming item; what it leaves open stays as it was.
    mutating func join(_ options: ResumeOptions, _ engine: InstalledEngine?) {
        if let engine { keep(engine: engine) }
        if let voice = options.voice { coming?.voice = voice }
        if let start = options.start { keep(move: start) }
        if let until = options.until { coming?.until = until }
    }

    /// Lets another engine open the coming item.
    mutating func keep(engine: InstalledEngine) { coming?.engine = engine }

    /// Adds a move, to be made from the place to which those before it lead.
    mutating func keep(move: SeekTarget) { coming?.moves.append(move) }

    /// Replaces the sleep timer to set when the item is there; `off` means none.
    mutating func keep(sleep request: SleepRequest) { coming?.sleep = request == .off ? nil : request }

    /// Takes out the coming item with what was asked for in the meantime; `nil` if another one is coming.
    mutating func take(_ id: UInt64) -> ComingItem? {
        guard coming?.command == id else { return nil }
        begun = id
        defer { coming = nil }
        return coming
    }

    /// Returns whether the result of this look-up was the last that was handed to the machine.
    func hasBegun(_ id: UInt64?) -> Bool { id == begun }

    /// Takes out the coming item of a look-up that failed; `nil` if another one is coming.
    mutating func drop(_ id: UInt64) -> ComingItem? {
        guard coming?.command == id else { return nil }
        defer { coming = nil }
        return coming
    }

    // MARK: An item that could not be looked up

    mutating func keep(unlocated request: PlayRequest, uri: String) { unlocated = (uri, request) }

    mutating func forgetUnlocated() { unlocated = nil }

    /// Returns the request to look up again for an item.
    func unlocatedRequest(of uri: String?) -> PlayRequest? {
        unlocated.flatMap { $0.uri == uri ? $0.request : nil }
    }
}

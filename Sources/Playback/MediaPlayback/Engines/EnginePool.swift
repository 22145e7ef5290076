// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The engines that run, at most one of each, started when something needs them.
///
/// Lives inside the controller. An engine that was left keeps its content for a while, so that going back to it is a seek; one
/// that has nothing to do is ended after an idle time.
struct EnginePool {
    struct Live {
        var engine: any PlaybackEngine
        /// Told apart from an earlier process of the same engine.
        var serial: Int
        /// What it has open, if anything.
        var loaded: Content?
        /// What it was asked to open last, whether it could or not.
        var given: Content?
        /// Counts what it was asked to open or to drop: what an older one of these led to says nothing of now.
        var turn = 0
        var reader: Task<Void, Never>
        /// Its process is gone; what it had rendered is still to be heard, and all else needs a new one.
        var fallen: EngineError?
        /// It could not render on; what it had rendered is still to be heard.
        var failure: Failure?
        /// What it may do was decided anew since it was started: it plays on as it is, and opens nothing else.
        var isOutdated = false
        /// Ends the engine when it has been idle for long enough.
        var retirement: Task<Void, Never>?
    }

    struct Failure {
        var generation: UInt32
        var error: EngineError
    }

    private(set) var live: [EngineID: Live] = [:]
    /// Engines of which another process was made ready, and may not have been taken.
    var prewarmed: Set<EngineID> = []
    private var serials = 0

    subscript(id: EngineID) -> Live? { live[id] }

    mutating func add(_ engine: any PlaybackEngine, reading: (Int) -> Task<Void, Never>) -> Live {
        serials += 1
        let entry = Live(engine: engine, serial: serials, loaded: nil, reader: reading(serials), retirement: nil)
        live[engine.id] = entry
        return entry
    }

    /// It is asked to open something, or to drop what it has; returns the turn that this is.
    @discardableResult
    mutating func noteEmpty(_ id: EngineID) -> Int {
        live[id]?.loaded = nil
        live[id]?.turn += 1
        return live[id]?.turn ?? 0
    }

    mutating func noteLoaded(_ id: EngineID, _ content: Content) {
        live[id]?.loaded = content
    }

    /// Whether it is the same process still, and was asked to open or to drop nothing since that turn.
    func isTurn(_ id: EngineID, _ turn: Int, serial: Int) -> Bool {
        live[id]?.serial == serial && live[id]?.turn == turn
    }

    mutating func noteGiven(_ id: EngineID, _ content: Content) {
        live[id]?.given = content
    }

    mutating func noteFallen(_ id: EngineID, _ error: EngineError) {
        live[id]?.fallen = error
    }

    mutating func noteOutdated(_ id: EngineID) {
        live[id]?.isOutdated = true
    }

    mutating func noteFailed(_ id: EngineID, _ failure: Failure?) {
        live[id]?.failure = failure
    }

    /// In use again: not to be ended.
    mutating func keep(_ id: EngineID) {
        live[id]?.retirement?.cancel()
        live[id]?.retirement = nil
    }

    mutating func retire(_ id: EngineID, by task: Task<Void, Never>) {
        live[id]?.retirement?.cancel()
        live[id]?.retirement = task
    }

    /// Takes the engine out; the caller ends it.
    mutating func remove(_ id: EngineID, serial: Int? = nil) -> Live? {
        guard let entry = live[id], serial == nil || entry.serial == serial else { return nil }
        entry.retirement?.cancel()
        live[id] = nil
        return entry
    }
}

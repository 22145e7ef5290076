// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The running engines, at most one of each, started when needed.
///
/// Lives inside the controller. An engine that was left keeps its content for a while, so that going back to it is a
/// seek. One that has nothing to do is ended after an idle time.
struct EnginePool {
    struct Live {
        var engine: any PlaybackEngine
        /// The number that tells this process apart from an earlier one of the same engine.
        var serial: Int
        /// The content it has open, if any.
        var loaded: Content?
        /// The content it was asked to open last, whether it succeeded or not.
        var given: Content?
        /// The number of requests to open or to drop content; the results of an older request say nothing about now.
        var turn = 0
        /// The number of requests to open content whose answers were not taken yet.
        var unanswered = 0
        /// The end of its process that is told once an answer is taken, as whether all of its sound was heard; else `nil`.
        var lossToTell: Bool?
        var reader: Task<Void, Never>
        /// The error if its process is gone.
        ///
        /// What it had rendered is still to be heard; all else needs a new process.
        var fallen: EngineError?
        /// The failure if it could not continue to render; what it had rendered is still to be heard.
        var failure: Failure?
        /// `true` if its permissions were changed since it was started; it continues to play, but opens nothing else.
        var isOutdated = false
        /// The task that ends the engine when it has been idle for long enough.
        var retirement: Task<Void, Never>?
    }

    struct Failure {
        var generation: UInt32
        var error: EngineError
    }

    private(set) var live: [EngineID: Live] = [:]
    /// The engines for which another process was prepared, and perhaps not taken yet.
    private var prewarmed: Set<EngineID> = []
    private var serials = 0

    subscript(id: EngineID) -> Live? { live[id] }

    /// Adds a process under the next number, which `reading` takes to listen to it.
    ///
    /// - Parameter content: the content that it has open already, since it continues for another process.
    mutating func add(
        _ engine: any PlaybackEngine, continuing content: Content? = nil, reading: (Int) -> Task<Void, Never>
    ) -> Live {
        serials += 1
        let entry = Live(engine: engine, serial: serials, loaded: content, given: content, reader: reading(serials))
        live[engine.id] = entry
        return entry
    }

    /// Notes that the engine is asked to open or to drop content; returns the turn of this request.
    @discardableResult
    mutating func noteEmpty(_ id: EngineID) -> Int {
        live[id]?.loaded = nil
        live[id]?.turn += 1
        return live[id]?.turn ?? 0
    }

    mutating func noteLoaded(_ id: EngineID, _ content: Content) {
        live[id]?.loaded = content
    }

    /// Returns whether this is still the same process, with no request to open or to drop content since that turn.
    func isTurn(_ id: EngineID, _ turn: Int, serial: Int) -> Bool {
        live[id]?.serial == serial && live[id]?.turn == turn
    }

    /// Notes that the engine is asked to open content; its answer is taken by `noteAnswer`.
    mutating func noteGiven(_ id: EngineID, _ content: Content) {
        live[id]?.given = content
        live[id]?.unanswered += 1
    }

    /// Notes that an answer to a request to open content, or its failure, is taken.
    ///
    /// - Returns: Whether what it had rendered was heard, if its process ended meanwhile and nobody knows yet.
    mutating func noteAnswer(_ id: EngineID, serial: Int) -> Bool? {
        guard live[id]?.serial == serial else { return nil }
        live[id]?.unanswered -= 1
        defer { live[id]?.lossToTell = nil }
        return live[id]?.lossToTell
    }

    /// Puts off the news that a process has ended if an answer of it is still to be taken.
    ///
    /// Answers and events come by ways of their own. What had been opened is known once the answer is taken, and a process
    /// that is gone leaves no request without an answer.
    mutating func putsOffLoss(_ id: EngineID, wasHeard: Bool) -> Bool {
        guard live[id]?.unanswered ?? 0 > 0 else { return false }
        live[id]?.lossToTell = wasHeard
        return true
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

    /// Keeps the engine, which is in use again.
    mutating func keep(_ id: EngineID) {
        live[id]?.retirement?.cancel()
        live[id]?.retirement = nil
    }

    mutating func retire(_ id: EngineID, by task: Task<Void, Never>) {
        live[id]?.retirement?.cancel()
        live[id]?.retirement = task
    }

    mutating func notePrewarmed(_ id: EngineID) { prewarmed.insert(id) }

    /// Takes out the engines whose prepared process nobody needs any more; the caller ends that.
    mutating func takeSpares(unless isInUse: (EngineID) -> Bool) -> [EngineID] {
        let spares = prewarmed.filter { !isInUse($0) }
        prewarmed.subtract(spares)
        return Array(spares)
    }

    /// Removes the engine; the caller ends it.
    mutating func remove(_ id: EngineID, serial: Int? = nil) -> Live? {
        guard let entry = live[id], serial == nil || entry.serial == serial else { return nil }
        entry.retirement?.cancel()
        live[id] = nil
        return entry
    }

    /// Removes all engines; the caller ends them.
    mutating func removeAll() -> [Live] { Array(live.keys).compactMap { remove($0) } }
}

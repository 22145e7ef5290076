// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import JSON
public import PlaybackCore
import TransitionRecords

/// The life of engines: they are started when needed, listened to, and ended when no longer needed.
extension MediaPlaybackController {
    /// Ends an engine that is not used again within `delay`.
    func retire(_ id: EngineID, after delay: Duration) {
        guard let serial = desk.pool[id]?.serial else { return }
        let clock = ports.clock
        desk.pool.retire(
            id,
            by: Task { [weak self] in
                try? await clock.sleep(for: delay)
                guard !Task.isCancelled else { return }
                await self?.end(id, serial: serial)
            })
    }

    /// Ends an engine that was started for an item that does not come.
    func retireUnused(_ id: EngineID) {
        guard machine.state.current?.engine != id, desk.pool[id]?.loaded == nil else { return }
        retire(id, after: settings.engineIdle)
    }

    func retireOthers(than id: EngineID) {
        for other in desk.pool.live.keys where other != id && desk.pool[other]?.retirement == nil {
            retire(other, after: settings.engineParked)
        }
    }

    /// Ends a process that dates from before a new decision on what the engine may do, unless it plays.
    ///
    /// - Returns: whether it plays; it keeps what it was granted until it is left.
    public func endUnused(_ id: EngineID) async -> Bool {
        await ports.engines.endSpare(id)
        guard !isInUse(id) else {
            desk.pool.noteOutdated(id)
            return true
        }
        if let serial = desk.pool[id]?.serial { await end(id, serial: serial) }
        return false
    }

    /// Prepares a process of an engine, for as long as what has audio focus needs it.
    func prewarm(_ id: EngineID) async {
        await ports.engines.prewarm(id)
        desk.pool.notePrewarmed(id)
        endUnwantedSpares()
    }

    /// Ends the processes that were prepared for an item that no longer has audio focus.
    func endUnwantedSpares() {
        for id in desk.pool.takeSpares(unless: { isInUse($0) || isReader($0) }) {
            Task { await ports.engines.endSpare(id) }
        }
    }

    private func isInUse(_ id: EngineID) -> Bool {
        let state = machine.state
        return state.current?.engine == id && state.phase != .failed && state.phase != .idle
    }

    func end(_ id: EngineID, serial: Int) async {
        guard let entry = desk.remove(id, serial: serial) else { return }
        log.engine(id, action: "shutDown", cause: .timer)
        await entry.engine.shutDown()
    }

    /// Returns the engine, and starts it if it is not running.
    func liveEngine(_ id: EngineID) async -> Result<EnginePool.Live, EngineError> {
        if let live = desk.pool[id], !live.isOutdated || isInUse(id) {
            guard live.fallen != nil else {
                desk.pool.keep(id)
                return .success(live)
            }
            // The rest of its sound belongs to a stream that is about to be replaced.
            _ = desk.remove(id)
        }
        if let live = desk.pool[id], live.isOutdated, !isInUse(id) { await end(id, serial: live.serial) }
        if let task = desk.startingTask(id) { return await task.value }
        let task = Task { () -> Result<EnginePool.Live, EngineError> in
            do throws(EngineError) {
                let engine = try await ports.engines.start(id)
                log.engine(id, action: "start", cause: .user)
                return .success(add(engine))
            } catch {
                return .failure(error)
            }
        }
        desk.starts(id, task)
        let result = await task.value
        desk.starts(id, nil)
        return result
    }

    /// Listens to an engine from now on.
    ///
    /// - Parameter content: the content that it has open already, since it continues for another process.
    @discardableResult
    func add(_ engine: any PlaybackEngine, continuing content: Content? = nil) -> EnginePool.Live {
        let id = engine.id
        return desk.pool.add(engine, continuing: content) { serial in
            // The listening task outlives the command that the engine was started for.
            Initiator.run(as: nil) {
                Task { [weak self] in
                    for await event in engine.events { await self?.take(event, from: id, serial: serial) }
                }
            }
        }
    }

    private func take(_ event: EngineEvent, from id: EngineID, serial: Int) async {
        guard desk.pool[id]?.serial == serial else { return }
        let isCurrent = machine.state.current?.engine == id
        switch event.redacted(of: desk.pool[id]?.given) {
        case .mark(let generation, let kind, let position, let length):
            guard isCurrent, generation == machine.state.generation else { return }
            desk.note(SpokenMarks.Mark(kind: kind, position: position, length: length), by: id)
        case .track(let index, let track):
            note(track, at: index, by: id)
        case .damaged(let generation, let track, let range):
            guard isCurrent, generation == machine.state.generation else { return }
            note(damage: range, in: track)
        case .failed(let generation, let error, let leavesSound):
            log.engine(
                id, action: "failed", cause: .engine,
                fields: ["errorCode": .optional(error.number.map(Int64.init)), "errorMessage": .string(error.message)])
            guard isCurrent else { return }
            let failure = EnginePool.Failure(generation: generation, error: error)
            guard leavesSound, hearsRest(of: generation) else { return await tell(failure) }
            desk.pool.noteFailed(id, failure)
        case .gone(let error, let leavesSound, let end):
            log.engine(
                id, action: "gone", cause: .engine,
                fields: ["errorCode": .optional(error.number.map(Int64.init)), "errorMessage": .string(error.message)])
            let item = error.kind == .neverReady ? nil : desk.pool[id]?.given?.uri
            if let verdict = await ports.engines.died(id, error, item: item, leavesSound: leavesSound) {
                log.engine(id, action: "quarantine", cause: .engine, fields: ["message": .string(verdict)])
            }
            guard desk.pool[id]?.serial == serial else { return }
            desk.pool.noteFallen(id, error)
            guard machine.state.current?.engine == id, leavesSound, hearsRest(of: machine.state.generation) else {
                if desk.pool.putsOffLoss(id, wasHeard: leavesSound) { return }
                return await lose(id, wasHeard: leavesSound)
            }
            // All of that sound is heard first; meanwhile another process continues behind it, or at least gets ready.
            if let end, end.generation == machine.state.generation {
                handle(.engineLost(generation: end.generation, end: end.position, wasIdle: end.wasIdle))
            }
            if !desk.isCarried(serial: serial) { await prewarm(id) }
        case .log(let level, let message):
            log.engine(
                id, action: "log", cause: .engine, fields: ["level": .string(level), "message": .string(message)])
        }
    }
}

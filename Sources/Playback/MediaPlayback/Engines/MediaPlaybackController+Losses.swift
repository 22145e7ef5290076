// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import JSON
import PlaybackCore
import TransitionRecords

/// Recovery of an item whose engine is gone, or could not continue to render.
extension MediaPlaybackController {
    /// The time to wait for a stream that has not begun.
    ///
    /// The remaining sound of an engine may be an end without a single frame.
    private static let patience = Duration.seconds(1)

    /// Returns whether sound that an engine rendered before it ended or failed is still to be heard.
    ///
    /// The stream reports when all of it was heard.
    func hearsRest(of generation: UInt32) -> Bool {
        guard generation == machine.state.generation, machine.state.stream != .starved else { return false }
        if machine.state.stream != .sounding {
            let clock = ports.clock
            Task { [weak self] in
                try? await clock.sleep(for: Self.patience)
                await self?.endRest(of: generation)
            }
        }
        return true
    }

    private func endRest(of generation: UInt32) async {
        guard generation == machine.state.generation, let id = machine.state.current?.engine,
            machine.state.stream == .opening || machine.state.stream == .waiting
        else { return }
        await endRest(of: generation, id)
    }

    /// Reports the engine's end or failure, once everything that it had rendered was heard.
    func endRest(of generation: UInt32, _ id: EngineID) async {
        guard let failure = desk.pool[id]?.failure, failure.generation == generation else {
            return await lose(id, wasHeard: true)
        }
        desk.pool.noteFailed(id, nil)
        await tell(failure)
    }

    func tell(_ failure: EnginePool.Failure) async {
        let heard = await heardNow()
        handle(.engineFailed(generation: failure.generation, PlaybackError(failure.error), heard: heard))
    }

    /// Starts another process that continues rendering into the same source, where the sound of the previous one ends.
    ///
    /// Until that is done, everything stays as it is: whoever needs the engine meanwhile, or hears all that is left,
    /// starts another process.
    func carryOn(_ generation: UInt32, from place: MediaPosition) {
        guard let id = machine.state.current?.engine, let gone = desk.pool[id], gone.fallen != nil, !gone.isOutdated,
            let content = gone.loaded, content.clip == nil, desk[open: id] != nil
        else { return }
        desk.carryOn(from: gone.serial)
        Task {
            for _ in 0..<Self.mostStarts where isLeft(gone, id, generation) {
                if await follow(gone, id, content, generation, from: place) { return }
            }
            guard isLeft(gone, id, generation) else { return }
            desk.giveUpCarryingOn()
            await prewarm(id)
        }
    }

    /// The maximum number of starts; a process may also be ended while it starts.
    private static let mostStarts = 3

    private func isLeft(_ gone: EnginePool.Live, _ id: EngineID, _ generation: UInt32) -> Bool {
        desk.pool[id]?.serial == gone.serial && generation == machine.state.generation && machine.state.phase == .ready
    }

    /// Returns `false` if the attempt failed but may succeed the next time.
    private func follow(
        _ gone: EnginePool.Live, _ id: EngineID, _ content: Content, _ generation: UInt32, from place: MediaPosition
    ) async -> Bool {
        let next: any PlaybackEngine
        do throws(EngineError) {
            next = try await ports.engines.start(id, inPlaceOf: gone.engine)
        } catch {
            return false
        }
        log.engine(id, action: "start", cause: .recovery)
        do throws(EngineError) {
            log.engine(id, action: "load", cause: .recovery, fields: ["item": .string(content.uri)])
            _ = try await next.load(
                LoadRequest(
                    content: content, start: place, generation: generation,
                    rate: machine.state.rate, voice: desk.voice(of: id)))
        } catch {
            guard error.isOfTheProcess else {
                // The other process does not accept this place.
                await next.shutDown()
                return false
            }
            for await event in next.events {
                guard case .gone(let error, _, _) = event.redacted(of: content) else { continue }
                log.engine(
                    id, action: "gone", cause: .engine,
                    fields: [
                        "errorCode": .optional(error.number.map(Int64.init)), "errorMessage": .string(error.message),
                    ])
                let item = error.kind == .neverReady ? nil : content.uri
                if let verdict = await ports.engines.died(id, error, item: item, leavesSound: false) {
                    log.engine(id, action: "quarantine", cause: .engine, fields: ["message": .string(verdict)])
                }
            }
            return false
        }
        guard isLeft(gone, id, generation) else {
            await next.shutDown()
            return true
        }
        _ = desk.pool.remove(id)
        add(next, continuing: content)
        indexInTime(id)
        return true
    }

    /// Lets go of an engine whose process is gone, and lets the machine bring back what it played.
    ///
    /// - Parameter wasHeard: whether everything it had rendered was heard; then the content at this place may have
    ///   ended it.
    func lose(_ id: EngineID, wasHeard: Bool = false) async {
        guard let gone = desk.pool[id], let error = gone.fallen else { return }
        let playing = machine.state.current
        // One that is to continue there and is only late says nothing of the content.
        let isFollowed = desk.isCarried(serial: gone.serial)
        let isAtFault = playing?.engine == id && !isFollowed && (wasHeard || machine.state.stream != .sounding)
        // The engine is removed first, so that nothing that arrives meanwhile is sent to it.
        let open = desk[open: id]
        _ = desk.remove(id)
        let generation = machine.state.generation
        let heard = await heardNow()
        var beyond: (place: MediaPosition, leavesOut: UnspokenText?)?
        if isAtFault, let open, let playing {
            beyond = await open.place(
                beyond: heard ?? playing.position, steps: machine.state.fatal?.steps ?? 0,
                isCounted: machine.state.unspoken != nil)
        }
        // Something else may play by now, or the same item in a new process.
        guard machine.state.current?.engine == id, desk.pool[id] == nil, desk.startingTask(id) == nil else { return }
        let isSame = generation == machine.state.generation
        handle(
            .engineGone(
                generation: machine.state.generation, PlaybackError(error), heard: isSame ? heard : nil,
                beyond: isSame ? beyond?.place : nil, leavesOut: isSame ? beyond?.leavesOut : nil))
    }
}

// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback
import PlaybackCore

/// The session's side of one engine: it connects what the engine says and does with what is asked of it.
///
/// What is known about the engine is in values of their own: its life, the requests, the loads, the ring. It is used on
/// the reactor's thread only.
final class EngineLink {
    enum Reply: Sendable {
        case done
        case description(MediaDescription)
        case duration(Int64?)
        case cover(CoverPicture?)
        case cut(CutResult)
        case peaks([Peak])
        case voices([EngineVoice])
    }

    typealias Completion = @Sendable (Result<Reply, EngineError>) -> Void

    let id: EngineID
    let deadlines: EngineDeadlines
    let now: @Sendable () -> UInt64
    let services: LinkServices
    let events: EventOutlet

    var connection = EngineConnection()
    private(set) var process: EngineProcess?
    var life: EngineLife
    var requests = OutstandingRequests()
    var loads = EngineLoads()
    var openings = OpeningSources()
    var ring: RingWatch
    var processor = ProcessorWatch()
    var logAllowance = LogAllowance()

    init(
        id: EngineID, deadlines: EngineDeadlines, now: @escaping @Sendable () -> UInt64, ring: RingWatch,
        events: EventOutlet, services: LinkServices
    ) {
        self.id = id
        self.deadlines = deadlines
        self.now = now
        self.ring = ring
        self.events = events
        self.services = services
        life = EngineLife(id: id)
    }

    // MARK: Life

    func start(_ launch: EngineLaunch, _ memory: RingMemory) {
        do throws(EngineError) {
            let theirs: MessageSocket
            do throws(SystemError) {
                theirs = try connection.open(withErrors: launch.hosting != .inProcess)
            } catch {
                throw EngineError(number: EngineNumber.unavailable, message: "the engine \(id): \(error)")
            }
            process = try launch.start(theirs, errors: connection.errors?.theirs)
            connection.handedOver()
            send(.hello(version: HostMessage.version, capacity: UInt32(memory.capacity)), memory.handedOver)
        } catch {
            finish(error)
        }
    }

    var isFinished: Bool { life.isFinished }

    /// Asks the engine to quit; `completion` runs when it is gone.
    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        guard !isFinished else { return completion() }
        if life.leave(by: now() &+ deadlines.shutDown.nanoseconds, completion) { send(.quit) }
    }

    /// Ends the engine at once because it broke a rule or a deadline.
    func end(_ error: EngineError) {
        guard life.condemn(error) else { return }
        if let process {
            kill(process)
            fail(requests.takeAll(), error)
        } else {
            // A thread cannot be killed. It will find its socket closed at its next access.
            finish(error)
        }
    }

    private func kill(_ process: EngineProcess) {
        life.noteKill(endsBy: now() &+ deadlines.kill.nanoseconds)
        process.kill()
    }

    private func fail(_ askers: [Completion], _ error: EngineError) {
        for completion in askers { completion(.failure(error)) }
    }

    private func finish(_ error: EngineError?) {
        guard !isFinished else { return }
        // A thread may still be writing.
        let end = error == nil || process == nil ? nil : loads.trackCount.flatMap { ring.renderedEnd(trackCount: $0) }
        let leavers = life.finish()
        connection.close()
        process = nil
        fail(
            requests.takeAll(),
            error ?? EngineError(number: EngineNumber.unavailable, message: "the engine \(id) was shut down"))
        events.finish(error.map { .gone($0, leavesSound: ring.leavesSound, end: end) })
        for leaver in leavers { leaver() }
    }

    /// Finishes after the process has exited, or after all threads have closed the socket.
    private func ended(_ how: String) { finish(life.reason(how, lastWords: connection.errors?.last)) }

    /// Handles the end of the socket, and makes sure that the process ends.
    func sawSocketEnd() {
        connection.closeSocket()
        guard process != nil else { return ended("ended its thread") }
        life.noteSocketEnd(exitBy: now() &+ deadlines.shutDown.nanoseconds)
    }

    func reapIfEnded() {
        if let how = process?.reap() { ended(how) }
    }

    func misbehaved(_ what: String) -> EngineError {
        EngineError(number: EngineNumber.misbehaved, message: "the engine \(id) \(what)")
    }

    // MARK: Time

    var nextDeadline: UInt64? {
        // An engine that leaves is watched no more; a deadline that has passed would wake the thread for ever.
        let requested = openings.includeScript ? nil : requests.deadline
        let watched = life.isRunning ? [requested, ring.deadline, processor.deadline] : []
        return (watched + [connection.allowance.opening, life.deadline]).compactMap(\.self).min()
    }

    func expire() {
        let now = now()
        switch life.step(at: now) {
        case .kill:
            if let process { kill(process) } else { finish(life.cause) }
        case .leaveBehind:
            if let process { leaveBehind(process) }
        case nil:
            if life.isRunning, !openings.includeScript { expireRequests(at: now) }
        }
    }

    private func leaveBehind(_ process: EngineProcess) {
        log("error", "process \(process.pid) does not end, although it was killed, and is left behind")
        services.leaveBehind(process)
        // No other process may take over the ring: when its wait ends, this one may still write there.
        self.process = nil
        finish(life.cause)
    }

    private func expireRequests(at now: UInt64) {
        if let late = requests.overdue(at: now) {
            let what = late == .ping ? "rendered nothing more" : "did not answer in time"
            return end(EngineError(number: EngineNumber.timedOut, message: "the engine \(id) \(what) and was ended"))
        }
        let message = "the engine \(id) did not describe all of its tracks in time"
        fail(requests.giveUp(at: now), EngineError(number: EngineNumber.timedOut, message: message))
    }
}

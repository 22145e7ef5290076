// SPDX-License-Identifier: Apache-2.0

import Atomics
import CTransport
import EngineLoader
import EngineTransport
import Glibc

/// A thread beside the engine's, which interrupts the engine.
final class Interrupter: Sendable {
    private struct Target: @unchecked Sendable /* `interrupt` may be called from any thread */ {
        var engine: OpaquePointer
        var interrupt: @convention(c) (OpaquePointer?) -> Void
    }

    private let target: Target
    private let host: SubjectHost
    private let stop: EventDescriptor
    private let stopped: EventDescriptor
    /// The time of the first interrupt, in nanoseconds of the monotonic clock; 0 before it.
    private let moment = ManagedAtomic<Int64>(0)

    private let count = ManagedAtomic(0)

    /// The number of interrupts so far.
    var times: Int { count.load(ordering: .acquiring) }

    private init(_ subject: Subject) throws(SystemError) {
        target = Target(engine: subject.engine, interrupt: subject.functions.interrupt)
        host = subject.host
        stop = try EventDescriptor()
        stopped = try EventDescriptor()
    }

    /// Interrupts once, a while after the engine asked the host for a source, when it waits.
    static func whenWaiting(_ subject: Subject) throws(Finding) -> Interrupter {
        _ = subject.host.handedOver.drain()
        return try start(subject) { interrupter in
            guard interrupter.waits(for: interrupter.host.handedOver, ms: -1), interrupter.waits(ms: 100) else {
                return
            }
            interrupter.interrupt()
        }
    }

    /// Interrupts repeatedly, whatever the engine does.
    static func often(_ subject: Subject, times: Int) throws(Finding) -> Interrupter {
        try start(subject) { interrupter in
            for _ in 0..<times {
                guard interrupter.waits(ms: 1) else { return }
                interrupter.interrupt()
            }
        }
    }

    /// Stops the thread, and waits until it has stopped.
    ///
    /// - Returns: The seconds since the first interrupt, or `nil` if there was none.
    func finish() -> Double? {
        let now = monotonicSeconds()
        stop.signal()
        stopped.wait()
        // The last interrupt may have met no call, and must not affect the next one.
        host.interrupted.store(false, ordering: .releasing)
        let moment = moment.load(ordering: .acquiring)
        return moment == 0 ? nil : now - Double(moment) / 1e9
    }

    private func interrupt() {
        if moment.load(ordering: .relaxed) == 0 { moment.store(Int64(monotonicSeconds() * 1e9), ordering: .releasing) }
        host.interrupted.store(true, ordering: .releasing)
        host.interruption.signal()
        target.interrupt(target.engine)
        count.wrappingIncrement(ordering: .releasing)
    }

    /// Waits, and returns `false` if the thread is told to stop before the time has passed.
    private func waits(ms: Int32) -> Bool {
        var entry = pollfd(fd: stop.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, ms) == 0
    }

    /// Waits for `event`, and returns `false` if the thread is told to stop before the event.
    private func waits(for event: EventDescriptor, ms: Int32) -> Bool {
        var entries = [stop, event].map { pollfd(fd: $0.descriptor.rawValue, events: Int16(POLLIN), revents: 0) }
        return poll(&entries, 2, ms) > 0 && entries[0].revents == 0
    }

    private final class Body {
        let interrupter: Interrupter
        let run: (Interrupter) -> Void
        init(_ interrupter: Interrupter, _ run: @escaping (Interrupter) -> Void) {
            self.interrupter = interrupter
            self.run = run
        }
    }

    private static func start(_ subject: Subject, _ run: @escaping @Sendable (Interrupter) -> Void) throws(Finding)
        -> Interrupter
    {
        let interrupter: Interrupter
        do throws(SystemError) {
            interrupter = try Interrupter(subject)
        } catch {
            throw .skip("no descriptor for the kit itself: \(error)")
        }
        let argument = Unmanaged.passRetained(Body(interrupter, run)).toOpaque()
        let result = ctransport_start_thread(
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                body.run(body.interrupter)
                body.interrupter.stopped.signal()
                return nil
            }, argument)
        guard result == 0 else { throw .skip("no thread for the kit itself") }
        return interrupter
    }
}

// SPDX-License-Identifier: Apache-2.0

import Atomics
import CGNUSource
import EngineTransport
import Glibc

/// The state and the loop of the reactor's thread; no other thread sees any of it.
final class ReactorThread {
    private let alarm: EventDescriptor
    let now: @Sendable () -> UInt64
    private let takeJobs: @Sendable () -> [EngineReactor.Job]?
    private var links: [UInt64: EngineLink] = [:]
    /// The processes that were killed but have not exited.
    ///
    /// When whatever they wait for ends, they exit and are reaped.
    private var leftBehind: [EngineProcess] = []
    private let leftBehindCount: ManagedAtomic<Int>

    init(
        alarm: EventDescriptor, now: @escaping @Sendable () -> UInt64, leftBehind: ManagedAtomic<Int>,
        jobs: @escaping @Sendable () -> [EngineReactor.Job]?
    ) {
        self.alarm = alarm
        self.now = now
        leftBehindCount = leftBehind
        takeJobs = jobs
    }

    /// Returns the link of an engine, or `nil` if the engine is gone.
    subscript(engine: UInt64) -> EngineLink? { links[engine] }

    func add(_ link: EngineLink, for engine: UInt64) { links[engine] = link }

    func leaveBehind(_ process: EngineProcess) {
        leftBehind.append(process)
        leftBehindCount.store(leftBehind.count, ordering: .relaxed)
    }

    func run() {
        while true {
            alarm.drain()
            let jobs = takeJobs()
            for job in jobs ?? [] { job(self) }
            for link in links.values {
                link.checkRing()
                link.expire()
                link.flush()
            }
            links = links.filter { !$0.value.isFinished }
            if jobs == nil {
                // The reactor is gone, so nothing can submit any more: shut down the engines that remain.
                for link in links.values { link.shutDown {} }
                if links.isEmpty { return }
            }
            wait()
        }
    }

    private func wait() {
        var entries = [pollfd(fd: alarm.descriptor.rawValue, events: Int16(POLLIN), revents: 0)]
        let links = Array(links.values)
        for link in links { entries += link.interests }
        entries += leftBehind.map { pollfd(fd: $0.descriptor.rawValue, events: Int16(POLLIN), revents: 0) }
        let deadline = links.compactMap(\.nextDeadline).min()
        let timeout: Int32 =
            deadline.map { deadline in
                let time = now()
                return deadline <= time ? 0 : Int32(clamping: (deadline - time) / 1_000_000 + 1)
            } ?? -1
        guard gnu_poll(&entries, entries.count, timeout) > 0 else { return }
        let ready = Set(entries.filter { $0.revents != 0 }.map(\.fd))
        for link in links { link.handle(ready) }
        guard !leftBehind.isEmpty else { return }
        leftBehind.removeAll { ready.contains($0.descriptor.rawValue) && $0.reap() != nil }
        leftBehindCount.store(leftBehind.count, ordering: .relaxed)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Atomics
import EngineLoader
import EngineTransport

/// What the control thread leaves for the engine's thread, and how it ends a call that runs.
final class HostInbox: Sendable {
    private struct Engine: @unchecked Sendable /* `interrupt` may be called from any thread */ {
        var pointer: OpaquePointer
        var interrupt: @convention(c) (OpaquePointer?) -> Void
    }

    private struct Contents {
        var commands: [HostCommand] = []
        var call: EngineCall?
        var engine: Engine?
        var awaited: UInt32?
        var source: (HostMessage.Source, [OwnedDescriptor])?
        var isClosed = false
        var roomCame = false
    }

    /// Guards the hand-over; also held around `interrupt`, so that it can only meet the call that it is meant for.
    private let contents = LockedValue(Contents())
    private let interrupted = ManagedAtomic(false)
    /// Wakes the engine's thread, whatever for.
    private let bell: EventDescriptor

    init() throws(SystemError) { bell = try EventDescriptor() }

    /// Asked by callbacks of libraries, on any thread.
    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    // MARK: The control thread

    /// Queues a command.
    ///
    /// Returns those that it makes pointless, which will not be run.
    func post(_ command: HostCommand) -> [HostCommand] {
        defer { bell.signal() }
        return contents.withLock { contents in
            let dropped = contents.commands.filter { command.supersedes($0) }
            contents.commands.removeAll { command.supersedes($0) }
            contents.commands.append(command)
            if let call = contents.call, command.ends(call) { interrupt(contents) }
            return dropped
        }
    }

    /// The answer to a source that was asked for; dropped if nobody waits for it any more.
    func deliver(_ source: HostMessage.Source, _ descriptors: [OwnedDescriptor], request: UInt32) {
        contents.withLock { contents in
            guard contents.awaited == request else { return }
            contents.source = (source, descriptors)
        }
        bell.signal()
    }

    /// Nothing more comes; the call that runs should end.
    func close() {
        contents.withLock { contents in
            contents.isClosed = true
            if let call = contents.call, call != .brief { interrupt(contents) }
        }
        bell.signal()
    }

    /// There is room in the ring: sound comes before finding things out.
    func roomCame() {
        contents.withLock { contents in
            contents.roomCame = true
            if contents.call == .describe { interrupt(contents) }
        }
        bell.signal()
    }

    private func interrupt(_ contents: borrowing Contents) {
        interrupted.store(true, ordering: .releasing)
        if let engine = contents.engine { engine.interrupt(engine.pointer) }
    }

    // MARK: The engine's thread

    /// To be called before asking for room: what came earlier does not count.
    func expectRoom() { contents.withLock { $0.roomCame = false } }

    /// Sleeps until something comes, or has come since the last time.
    func sleep() { bell.wait() }

    var isClosed: Bool { contents.withLock { $0.isClosed } }

    func engineExists(_ pointer: OpaquePointer, _ functions: EngineFunctions) {
        let engine = Engine(pointer: pointer, interrupt: functions.interrupt)
        contents.withLock { $0.engine = engine }
    }

    /// From now on nobody interrupts it.
    func engineEnds() { contents.withLock { $0.engine = nil } }

    func take() -> HostCommand? {
        contents.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() }
    }

    /// False if something that came meanwhile would end the call at once: do not make it.
    func begin(_ call: EngineCall) -> Bool {
        contents.withLock { contents in
            if call != .brief, contents.isClosed || contents.commands.contains(where: { $0.ends(call) }) {
                return false
            }
            if call == .describe, contents.roomCame { return false }
            contents.call = call
            return true
        }
    }

    func end() {
        contents.withLock { contents in
            contents.call = nil
            interrupted.store(false, ordering: .releasing)
        }
    }

    func expectSource(_ request: UInt32) {
        contents.withLock { contents in
            contents.awaited = request
            contents.source = nil
        }
    }

    /// Waits for the source that is expected; nil if the call was interrupted first.
    func awaitSource() -> (HostMessage.Source, [OwnedDescriptor])? {
        while true {
            let (source, stop): ((HostMessage.Source, [OwnedDescriptor])?, Bool) = contents.withLock { contents in
                let stop = contents.isClosed || interrupted.load(ordering: .acquiring)
                let source = contents.source
                if source != nil || stop {
                    contents.awaited = nil
                    contents.source = nil
                }
                return (source, stop)
            }
            if source != nil || stop { return stop ? nil : source }
            bell.wait()
        }
    }
}

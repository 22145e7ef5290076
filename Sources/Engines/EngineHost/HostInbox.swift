// SPDX-License-Identifier: Apache-2.0

import Atomics
import EngineLoader
import EngineTransport

/// The hand-over from the control thread to the engine's thread, and the means to interrupt a call.
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
        /// The requests for sources that have no answer yet, also those that nothing waits for any more.
        var unanswered = 0
        var source: (HostMessage.Source, [OwnedDescriptor])?
        var isClosed = false
        var roomCame = false
    }

    /// The state that both threads share.
    ///
    /// Its lock is also held around `interrupt`, so that an interrupt can only reach the call that it is meant for.
    private let contents = LockedValue(Contents())
    private let interrupted = ManagedAtomic(false)
    /// The eventfd that wakes the engine's thread for any reason.
    private let bell: EventDescriptor

    init() throws(SystemError) { bell = try EventDescriptor() }

    /// `true` while the current call should end; libraries' callbacks read it on any thread.
    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    // MARK: The control thread

    /// Queues a command, and returns the commands that it makes pointless, which will not be performed.
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

    /// Delivers the response to a request for a source, or drops it if nothing waits for it any more.
    func deliver(_ source: HostMessage.Source, _ descriptors: [OwnedDescriptor], request: UInt32) {
        contents.withLock { contents in
            contents.unanswered -= 1
            guard contents.awaited == request else { return }
            contents.source = (source, descriptors)
        }
        bell.signal()
    }

    /// Closes the inbox: no command follows, and the call in progress should end.
    func close() {
        contents.withLock { contents in
            contents.isClosed = true
            if let call = contents.call, call != .brief { interrupt(contents) }
        }
        bell.signal()
    }

    /// Notes that there is room in the ring, and interrupts calls that find out about tracks, because sound comes
    /// first.
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

    /// Prepares for a request for room, so that earlier signals do not count; call it before the request.
    func expectRoom() { contents.withLock { $0.roomCame = false } }

    /// Sleeps until something arrives, or returns at once if something has arrived since the last time.
    func sleep() { bell.wait() }

    var isClosed: Bool { contents.withLock { $0.isClosed } }

    func engineExists(_ pointer: OpaquePointer, _ functions: EngineFunctions) {
        let engine = Engine(pointer: pointer, interrupt: functions.interrupt)
        contents.withLock { $0.engine = engine }
    }

    /// Ensures that nothing interrupts the engine from now on.
    func engineEnds() { contents.withLock { $0.engine = nil } }

    func take() -> HostCommand? {
        contents.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() }
    }

    /// Marks the begin of a call, or returns `false` if the call must not be made, because something that arrived
    /// meanwhile would end it at once.
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

    /// The number of requests for sources without an answer, below the number at which a session ends an engine.
    private static let mostUnanswered = 8

    /// Prepares for a request for a source, once the session has answered enough of those before it.
    ///
    /// Loads that replace each other leave their requests behind. Returns `false` if the call is interrupted first.
    func expectSource(_ request: UInt32) -> Bool {
        while true {
            let (isReady, stop) = contents.withLock { contents in
                let stop = contents.isClosed || interrupted.load(ordering: .acquiring)
                guard !stop, contents.unanswered < Self.mostUnanswered else { return (false, stop) }
                contents.unanswered += 1
                contents.awaited = request
                contents.source = nil
                return (true, false)
            }
            if isReady || stop { return isReady }
            bell.wait()
        }
    }

    /// Waits for the expected source, or returns `nil` if the call is interrupted first.
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

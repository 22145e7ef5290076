// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A queue that runs an adapter's blocking calls (file system, database) in order on a thread of its own.
///
/// The caller of each waits no longer than its deadline. A serial queue has its own thread while it has work; the
/// cooperative pool is never blocked.
public final class BlockingQueue: Sendable {
    private let queue: DispatchQueue

    public init(label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work` after everything before it, and waits for nothing.
    public func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs `work` and waits for it, but no longer than the deadline.
    ///
    /// - Returns: The result of `work`; `nil` if it did not finish in time. It still runs to its end.
    public func run<Value: Sendable>(
        within deadline: Duration, _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let waiting = Mutex<CheckedContinuation<Value?, Never>?>(continuation)
            let reply = Reply(waiting)
            let timer = Timer(after: deadline) { reply.send(nil) }
            queue.async {
                let value = work()
                timer.cancel()
                reply.send(value)
            }
        }
    }

    /// A reply that is sent once: for the work, or for the deadline.
    private final class Reply<Value: Sendable>: Sendable {
        private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

        init(_ waiting: consuming Mutex<CheckedContinuation<Value?, Never>?>) { self.waiting = waiting }

        func send(_ value: Value?) {
            let continuation = waiting.withLock { $0.take() }
            continuation?.resume(returning: value)
        }
    }

    /// A dispatch timer that leaves no wake-up behind when it is cancelled.
    ///
    /// Unchecked: Dispatch sources may be cancelled from any thread, but are not declared Sendable here.
    private final class Timer: @unchecked Sendable {
        private static let queue = DispatchQueue(label: "rostrum.deadlines")
        private let source: any DispatchSourceTimer

        init(after delay: Duration, _ handler: @escaping @Sendable () -> Void) {
            let (seconds, attoseconds) = delay.components
            let nanoseconds = Int64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
            source = DispatchSource.makeTimerSource(queue: Self.queue)
            source.schedule(
                deadline: .now()
                    + .nanoseconds(
                        nanoseconds.overflow ? .max : Int(nanoseconds.partialValue &+ attoseconds / 1_000_000_000)))
            source.setEventHandler(handler: handler)
            source.activate()
        }

        func cancel() { source.cancel() }
    }
}

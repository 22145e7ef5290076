// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import MediaPlayback
import PlaybackCore
import Synchronization
public import TransitionRecords

/// Appends the records of the session to `transitions.jsonl`.
///
/// `record` puts an entry into a bounded queue. A serial dispatch queue, which has a thread only while there is
/// something to write, encodes what has gathered within a few milliseconds and appends it with one `write`.
///
/// Each file begins with a snapshot, and so do the records of each process. A snapshot is taken on the thread that
/// records the next `event`, just before that event: the machine does not change there, so that the snapshot and the
/// events that follow it replay together. Only the first record of a process gets a snapshot before it whatever its
/// kind. Lost records (queue full, disk full) are followed by a snapshot too, with their number as `lost`.
public final class TransitionLog: TransitionLogging {
    public let path: String

    /// The time in which records gather before they are written together.
    ///
    /// Encoding them at once would take processor time from the command that the user waits for.
    private static let gathering = DispatchTimeInterval.milliseconds(3)

    /// The size in bytes after which the next event begins a new file.
    private let limit: Int64
    private let capacity: Int
    private let clock: TransitionClock
    private let snapshot: @Sendable () -> TransitionEntry
    private let pending = Mutex(PendingRecords())
    private let subscribers = LogSubscribers()
    private let writer: Mutex<TransitionWriter>
    let queue = DispatchQueue(label: "rostrum.transition-log")

    /// Creates a log without opening the file, which the first record does.
    ///
    /// - Parameters:
    ///   - path: The path of `transitions.jsonl`, whose folder is created if it is missing (mode 0700).
    ///   - limit: The size of a file in bytes.
    ///   - capacity: The number of records that may wait to be written.
    ///   - snapshot: Returns the whole state and the settings. It is called on the threads that call `record`, and must
    ///     not call `record` itself.
    public init(
        path: String, limit: Int64 = 8 << 20, capacity: Int = 4096, clock: TransitionClock = .system,
        snapshot: @escaping @Sendable () -> TransitionEntry
    ) {
        self.path = path
        self.limit = max(1, limit)
        self.capacity = max(2, capacity)
        self.clock = clock
        self.snapshot = snapshot
        writer = Mutex(TransitionWriter(path: path))
    }

    deinit { subscribers.finish() }

    public func record(_ entry: TransitionEntry) {
        // One lock for both, so that no record of another thread comes between a snapshot and the event that it is
        // taken for.
        let mustWake = pending.withLock { pending in
            var record = TransitionRecord(entry, clock)
            var opening: TransitionRecord?
            if let claim = pending.claimSnapshot(before: entry.kind) {
                if entry.kind == .snapshot {
                    record.lost = claim.lost
                    record.beginsFile = claim.beginsFile
                } else {
                    opening = TransitionRecord(snapshot(), clock)
                    opening?.entry.kind = .snapshot
                    opening?.lost = claim.lost
                    opening?.beginsFile = claim.beginsFile
                }
            }
            return pending.add(opening, record, capacity: capacity)
        }
        if mustWake { queue.asyncAfter(deadline: .now() + Self.gathering) { [self] in write() } }
    }

    public func flush() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                write()
                continuation.resume()
            }
        }
    }

    public func subscribe() -> AsyncStream<String> { subscribers.add() }

    /// Writes what is left, with the number of lost records.
    ///
    /// Whatever is recorded from this call on is dropped, so that nothing opens the file again.
    public func close() async {
        pending.withLock { pending in
            if let lost = pending.claimLoss() {
                var last = TransitionRecord(snapshot(), clock)
                last.entry.kind = .snapshot
                last.lost = lost
                _ = pending.add(nil, last, capacity: capacity)
            }
            pending.isClosed = true
        }
        await flush()
        writer.withLock { $0.close() }
        subscribers.finish()
    }

    /// Writes the pending records.
    ///
    /// Runs on the writer's queue.
    private func write() {
        let records = pending.withLock { $0.takeAll() }
        if records.isEmpty { return }
        let outcome = writer.withLock { writer in
            writer.write(records) { line in subscribers.yield(line) }
        }
        pending.withLock {
            $0.lost &+= outcome.lost
            if outcome.isFileNew && !outcome.beganWithSnapshot { $0.isFull = true }
            if outcome.size >= limit { $0.isFull = true }
        }
    }
}

extension TransitionLog {
    /// Blocks the writer's queue; for tests.
    func holdWriter(entered: DispatchSemaphore, until released: DispatchSemaphore) {
        queue.async {
            entered.signal()
            released.wait()
        }
    }
}

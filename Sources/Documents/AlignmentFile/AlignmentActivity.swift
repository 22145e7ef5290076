// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Clocks
import Glibc

/// The making of an alignment, by whichever process: that it goes on, or how it ended before the alignment was complete.
public struct AlignmentActivity: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        /// A process makes the alignment.
        case running(process: Int32)
        /// Somebody has ended it.
        case stopped
        /// The process has ended and left no word, as after a kill or a crash.
        case interrupted
        case failed(AlignmentFailure)
    }

    public var state: State
    /// The share of the recording that was read, from 0 to 1.
    public var share: Double
    /// The time at which it began, in milliseconds since 1970; 0 if that is not known yet.
    public var begunAt: Int64
    /// The time at which it was stopped or has failed.
    public var endedAt: Int64?
    /// The ID of the book in the library, if the process was told it.
    public var book: String?

    public init(_ state: State, share: Double, begunAt: Int64, endedAt: Int64? = nil) {
        (self.state, self.share, self.begunAt, self.endedAt) = (state, share, begunAt, endedAt)
    }

    /// Reads what is known of an alignment; `nil` if nobody makes it and the last who did has completed it.
    ///
    /// - Parameter alignment: The path of the alignment, which need not exist.
    public init?(of alignment: String) {
        let descriptor = open(ActivityRecord.path(of: alignment), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        self.init(descriptor)
    }

    private init?(_ descriptor: CInt) {
        let holder = gnu_lock_holder(descriptor)
        let record = ActivityRecord(descriptor)
        if holder > 0 {
            self.init(.running(process: holder), share: record?.share ?? 0, begunAt: record?.begunAt ?? 0)
        } else if let record {
            let state: State =
                record.failure.map { .failed($0) } ?? (record.endedAt == nil ? .interrupted : .stopped)
            self.init(state, share: record.share, begunAt: record.begunAt, endedAt: record.endedAt)
        } else {
            return nil
        }
        book = record?.book
    }

    /// Returns the alignments in a folder that processes make, by path, with what is known of each; reads no alignment.
    public static func running(in folder: String) -> [String: AlignmentActivity] {
        var found: [String: AlignmentActivity] = [:]
        guard let entries = opendir(folder) else { return [:] }
        defer { closedir(entries) }
        let suffix = ActivityRecord.path(of: "")
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(suffix) else { continue }
            let alignment = "\(folder)/\(name.dropLast(suffix.count))"
            guard let activity = AlignmentActivity(of: alignment), case .running = activity.state else { continue }
            found[alignment] = activity
        }
        return found
    }

    // MARK: Ending

    /// The time that a process has to end by itself, and then to be gone after it was killed, in milliseconds.
    private static let patience: CInt = 5_000
    /// The processes that may end by themselves while one of them is looked for.
    private static let mostTries = 100

    /// Ends the process that makes an alignment, and returns once it is gone; what it has aligned stays.
    ///
    /// The process is the one that has the lock, by what the kernel says; a number that another process has by now is never
    /// signalled.
    ///
    /// - Returns: What is known then; `nil` if nobody made the alignment.
    public static func end(_ alignment: String) throws(AlignmentFileError) -> AlignmentActivity? {
        let path = ActivityRecord.path(of: alignment)
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw AlignmentFile.failure(path)
        }
        defer { close(descriptor) }
        guard let process = try holder(descriptor, path) else { return nil }
        defer { close(process.descriptor) }
        try signal(process, path)
        // Another one may have begun by now, whose record this is then.
        if gnu_lock(descriptor) == 0, var record = ActivityRecord(descriptor), record.endedAt == nil {
            record.endedAt = WallClock.milliseconds()
            _ = record.write(to: descriptor)
        }
        return AlignmentActivity(descriptor)
    }

    /// Returns the process that has the lock, held by a descriptor of it; `nil` if none has.
    private static func holder(
        _ file: CInt, _ path: String
    ) throws(AlignmentFileError) -> (number: pid_t, descriptor: CInt)? {
        for _ in 0..<mostTries {
            let number = gnu_lock_holder(file)
            guard number != 0 else { return nil }
            guard number > 0 else { throw AlignmentFile.failure(path) }
            let process = gnu_process_descriptor(number)
            if process < 0, errno != ESRCH { throw AlignmentFile.failure("process \(number)") }
            guard process >= 0 else { continue }
            // It had the lock before and has it still, so nobody else got its number in between.
            if gnu_lock_holder(file) == number { return (number, process) }
            close(process)
        }
        throw AlignmentFileError(.busy, "\(path): one process after the other makes this alignment; try again")
    }

    private static func signal(
        _ process: (number: pid_t, descriptor: CInt), _ path: String
    ) throws(AlignmentFileError) {
        for signal in [SIGTERM, SIGKILL] {
            guard gnu_signal_process(process.descriptor, signal) == 0 else {
                if errno == ESRCH { return }
                throw AlignmentFile.failure("process \(process.number)")
            }
            // One that was halted takes no signal before it goes on.
            _ = gnu_signal_process(process.descriptor, SIGCONT)
            var ended = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
            if gnu_poll_on(&ended, 1, patience) > 0 { return }
        }
        throw AlignmentFileError(
            .busy, "\(path): process \(process.number) does not end; a disk may be stuck: try again later")
    }
}

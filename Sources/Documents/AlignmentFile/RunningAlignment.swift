// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Clocks
import Glibc

/// The claim of the process that makes an alignment: no other makes the same one meanwhile.
///
/// Beside the alignment lies a file that the process has locked, with a line about how far it is. The kernel takes the lock
/// back when the process ends, however it ends; the line remains, and says why it failed. The lock belongs to the process:
/// a process must have one claim to a file at a time, and must not open that file otherwise.
public final class RunningAlignment {
    private let descriptor: CInt
    private var record: ActivityRecord

    /// Claims an alignment; throws `busy` if another process makes it.
    ///
    /// - Parameters:
    ///   - alignment: The path of the alignment, which need not exist.
    ///   - book: The ID of the book in the library, by which the alignment is found when its text or its files are others by
    ///     then.
    public init(_ alignment: String, book: String? = nil) throws(AlignmentFileError) {
        let path = ActivityRecord.path(of: alignment)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw AlignmentFile.failure(path) }
        let record = ActivityRecord(begunAt: WallClock.milliseconds(), book: book)
        do throws(AlignmentFileError) {
            guard gnu_lock(file) == 0 else {
                guard errno == EAGAIN || errno == EACCES else { throw AlignmentFile.failure(path) }
                throw AlignmentFileError(
                    .busy,
                    "\(alignment): process \(gnu_lock_holder(file)) makes it already; wait for that, or end it with "
                        + "`rostrum align --stop`")
            }
            guard record.write(to: file) else { throw AlignmentFile.failure(path) }
        } catch {
            close(file)
            throw error
        }
        (descriptor, self.record) = (file, record)
    }

    deinit { close(descriptor) }

    /// Notes the share of the recording that was read, from 0 to 1.
    public func note(share: Double) {
        record.share = max(0, min(1, share))
        // An alignment that goes on is worth more than a figure; what is wrong with the disk stops the alignment itself.
        _ = record.write(to: descriptor)
    }

    /// Notes why the alignment failed, so that a power cut does not take it back.
    public func fail(_ failure: AlignmentFailure) {
        (record.failure, record.endedAt) = (failure, WallClock.milliseconds())
        guard record.write(to: descriptor) else { return }
        fsync(descriptor)
    }

    /// Notes that the alignment is complete: nothing more is to be said of this run.
    public func finish() { ftruncate(descriptor, 0) }
}

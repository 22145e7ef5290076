// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineTransport
import Glibc
import MediaPlayback
import PlaybackCore

/// A child process that hosts an engine.
///
/// It is used on the reactor's thread only.
struct EngineProcess {
    let pid: pid_t
    /// A file descriptor that is readable once the process has exited.
    let descriptor: OwnedDescriptor

    init(
        _ path: String, arguments: [String], environment: [String], control: MessageSocket, errors: OwnedDescriptor?,
        engine: EngineID
    ) throws(EngineError) {
        var pid: pid_t = 0
        let error = Self.withCStrings(arguments) { arguments in
            Self.withCStrings(environment) { environment in
                ctransport_spawn(
                    path, arguments, environment, control.descriptor.rawValue, errors?.rawValue ?? -1, &pid)
            }
        }
        guard error == 0 else {
            throw EngineError(
                number: EngineNumber.unavailable,
                message: "cannot start \(path) for the engine \(engine): \(String(cString: strerror(error)))")
        }
        let raw = ctransport_process_descriptor(pid)
        guard raw >= 0 else {
            let reason = String(cString: strerror(errno))
            _ = Glibc.kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw EngineError(
                number: EngineNumber.unavailable, message: "cannot watch the engine \(engine): pidfd_open: \(reason)")
        }
        self.pid = pid
        descriptor = OwnedDescriptor(owning: raw)
    }

    /// Kills the process and everything that it started, which are one process group.
    ///
    /// Call it only before the process has been reaped, while the process ID still belongs to it.
    func kill() { _ = Glibc.kill(-pid, SIGKILL) }

    /// The processor time that the process has used, in nanoseconds, or `nil` once it has exited.
    var processorTime: UInt64? {
        var clock: clockid_t = 0
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Reaps the process and returns a description of how it ended, or `nil` if it has not exited.
    func reap() -> String? {
        var status: Int32 = 0
        var signal: Int32 = 0
        // Kill whatever the process left behind in its group.
        kill()
        switch ctransport_reap(descriptor.rawValue, &status, &signal) {
        case 0: return nil
        case 1 where signal != 0: return "was killed by signal \(signal) (\(String(cString: strsignal(signal))))"
        case 1: return "exited with status \(status)"
        default: return "is gone"
        }
    }

    private static func withCStrings<T>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T) -> T {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A program that runs beside a test and ends no later than the test.
public final class ChildProcess: Sendable {
    let identifier: pid_t
    /// The reading end of its standard output.
    let output: Int32
    private let isOver = Atomic<Bool>(false)

    /// Starts a program; `nil` if it cannot be started.
    init?(_ arguments: [String], environment: [String: String]) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[1])
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in argv + envp { free(pointer) }
            posix_spawn_file_actions_destroy(&actions)
            close(ends[1])
        }
        var identifier: pid_t = 0
        guard posix_spawn(&identifier, arguments[0], &actions, nil, &argv, &envp) == 0 else {
            close(ends[0])
            return nil
        }
        self.identifier = identifier
        output = ends[0]
    }

    deinit {
        kill()
        close(output)
    }

    /// Stops it, as a debugger would, and returns once it has stopped.
    public func freeze() {
        Glibc.kill(identifier, SIGSTOP)
        waitpid(identifier, nil, WUNTRACED)
    }

    /// Ends it, as a crash would, and returns when it has ended.
    public func kill() {
        // The process ID is not reused before it was waited for.
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        Glibc.kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
    }
}

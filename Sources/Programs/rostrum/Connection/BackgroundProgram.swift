// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol

/// A program that goes on when the terminal is closed.
enum BackgroundProgram {
    static func start(_ path: String, _ arguments: [String]) throws(SessionError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, gnu_spawn_new_session)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, &attributes, words, environ)
        guard code == 0 else {
            throw SessionError(.unavailable, "cannot start \(path): \(String(cString: strerror(code)))")
        }
    }
}

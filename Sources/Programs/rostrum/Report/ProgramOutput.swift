// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol

/// The standard output of another program.
enum ProgramOutput {
    /// Runs a program to its end and returns its lines, whatever its exit code.
    static func lines(of program: String, _ arguments: [String]) throws(SessionError) -> [String] {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { throw failure(program, errno) }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(pipe[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, nil, &words, environ)
        close(pipe[1])
        guard result == 0 else { throw failure(program, result) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(pipe[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return bytes.split(separator: JSONLine.newline).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func failure(_ program: String, _ code: Int32) -> SessionError {
        SessionError(.unavailable, "cannot run \(program): \(String(cString: strerror(code)))")
    }
}

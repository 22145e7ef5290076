// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import Glibc
import SessionProtocol

/// A program that goes on when the terminal is closed.
enum BackgroundProgram {
    /// The time that a program has to say that it goes on, in seconds.
    private static let patience: Int32 = 30
    /// The time that a program has to end after it has said why, in seconds.
    private static let endPatience: Int32 = 5

    /// Starts a program, and waits until it has said by an empty line that it goes on; throws what it says instead.
    ///
    /// What stands before the empty line is no failure: the loader or a library may have something to say of their own.
    static func start(_ path: String, _ arguments: [String]) throws(SessionError) {
        var output: [Int32] = [-1, -1]
        guard ctransport_pipe(&output) == 0 else { throw failure(path, errno) }
        defer { close(output[0]) }
        let process = try spawn(path, arguments, output[1])
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        // The program lets go of the pipe when it goes on, and when it ends.
        while said.count < 1 << 14, try InputWait.isReadable(output[0], within: patience) {
            let count = read(output[0], &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { break }
            said += buffer[..<count]
        }
        guard !endsInEmptyLine(said) else { return }
        guard !said.isEmpty else {
            throw SessionError(
                .unavailable, "\(path): it says nothing of how it goes on; start it without --background")
        }
        let line = said.split(separator: JSONLine.newline).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let name = "rostrum: "
        throw SessionError(
            exitCode(of: process) ?? .unavailable, line.hasPrefix(name) ? String(line.dropFirst(name.count)) : line)
    }

    private static func endsInEmptyLine(_ said: [UInt8]) -> Bool {
        said == [JSONLine.newline] || said.suffix(2) == [JSONLine.newline, JSONLine.newline]
    }

    private static func failure(_ path: String, _ error: Int32) -> SessionError {
        SessionError(.unavailable, "cannot start \(path): \(String(cString: strerror(error)))")
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ output: Int32
    ) throws(SessionError) -> pid_t {
        defer { close(output) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The copy's number is above those that the program gets, so that no dup2 overwrites its source.
        let copy = fcntl(output, F_DUPFD_CLOEXEC, 10)
        guard copy >= 0 else { throw failure(path, errno) }
        defer { close(copy) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, copy, 1)
        posix_spawn_file_actions_adddup2(&actions, copy, 2)
        // Whoever started this program may wait for the end of everything that has a descriptor of theirs.
        _ = gnu_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, gnu_spawn_new_session)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, &attributes, words, environ)
        guard code == 0 else { throw failure(path, code) }
        return process
    }

    /// Returns the exit code of a program that failed; `nil` if it does not end in time, or did not fail.
    private static func exitCode(of process: pid_t) -> SessionError.Code? {
        let watch = gnu_process_descriptor(process)
        guard watch >= 0 else { return nil }
        defer { close(watch) }
        do throws(SessionError) {
            guard try InputWait.isReadable(watch, within: endPatience) else { return nil }
        } catch {
            return nil
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status != 0 else { return nil }
        return SessionError.Code(rawValue: status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f))
    }
}

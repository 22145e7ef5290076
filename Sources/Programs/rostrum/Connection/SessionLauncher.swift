// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import Glibc
import SessionProtocol

/// A launcher that starts `rostrumd` from this program's folder, and connects as soon as it listens.
struct SessionLauncher {
    let folders: UserFolders

    /// Runs `rostrumd --autostart --ready-fd 3`, which writes one byte to that descriptor when it listens.
    ///
    /// If the pipe ends without a byte, `rostrumd` has exited. Exit code 75 means that another client was faster; then
    /// its session is used.
    func start() throws(SessionError) -> SessionConnection {
        try PrivateFolder.create(folders.runtime)
        do throws(SessionError) {
            try PrivateFolder.create(folders.state)
        } catch {
            // If nothing can be written, the output of the session is not kept, but it plays.
            guard error.code == .cannotCreate else { throw error }
        }
        let said = fileSize(folders.sessionLog)
        // The watch starts before the process, because the other session's socket may appear while our own process is
        // exiting.
        let arrival = SocketArrival(in: folders.runtime)
        var pipe: [Int32] = [-1, -1]
        // Another child of this program must not hold the end of it.
        guard ctransport_pipe(&pipe) == 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(pipe[0]) }
        let process = try spawn(ready: pipe)

        guard try InputWait.isReadable(pipe[0], within: 10) else {
            throw SessionError(
                .unavailable, "the session does not start: no answer within 10 s; see \(folders.sessionLog)")
        }
        var byte: UInt8 = 0
        if read(pipe[0], &byte, 1) == 1 {
            if let connection = try SessionConnection(to: folders) { return connection }
            throw failure("it does not listen at \(folders.socket); see \(folders.sessionLog)")
        }

        let code = exitCode(of: process)
        if code == SessionError.Code.busy.rawValue,
            let connection = try arrival?.connect(folders, seconds: folders.isInUse ? 10 : 0)
        {
            return connection
        }
        let line = lastLine(of: folders.sessionLog, after: said)
        throw SessionError(
            .init(rawValue: (1...99).contains(code) ? code : SessionError.Code.defect.rawValue),
            "the session did not start: \(line ?? "exit code \(code)"); see \(folders.sessionLog)")
    }

    // MARK: - The process

    private func spawn(ready pipe: [Int32]) throws(SessionError) -> pid_t {
        defer { close(pipe[1]) }
        let program = try Self.program()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The copy's number is above those that the session gets, so that no dup2 overwrites a source.
        let write = fcntl(pipe[1], F_DUPFD_CLOEXEC, 10)
        defer { close(write) }
        let log = openLog()
        defer { close(log) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, log, 2)
        posix_spawn_file_actions_adddup2(&actions, write, 3)
        _ = gnu_spawn_close_from(&actions, 4)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, gnu_spawn_new_session | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = [program, "--autostart", "--ready-fd", "3"]
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, &attributes, &arguments, environ)
        guard result == 0 else { throw failure("\(program): \(String(cString: strerror(result)))") }
        return process
    }

    /// Opens the session's log, or `/dev/null` if that fails, with a number above those that the session gets.
    private func openLog() -> Int32 {
        var file = open(folders.sessionLog, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        if file < 0 { file = open("/dev/null", O_WRONLY | O_CLOEXEC) }
        defer { close(file) }
        return fcntl(file, F_DUPFD_CLOEXEC, 10)
    }

    /// Returns the path of `rostrumd`.
    static func program() throws(SessionError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes {
            $0.withMemoryRebound(to: CChar.self) {
                $0.baseAddress.map { readlink("/proc/self/exe", $0, Int(PATH_MAX)) } ?? -1
            }
        }
        guard count > 0 else { throw failure("/proc/self/exe: \(String(cString: strerror(errno)))") }
        let own = String(decoding: bytes[..<count], as: UTF8.self)
        let path = (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "/") + "rostrumd"
        guard access(path, X_OK) == 0 else { throw failure("\(path) is missing; install it beside rostrum") }
        return path
    }

    private func exitCode(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    private func failure(_ what: String) -> SessionError { Self.failure(what) }

    private static func failure(_ what: String) -> SessionError {
        SessionError(.unavailable, "cannot start the session: \(what)")
    }

    // MARK: - What it said

    private func fileSize(_ path: String) -> off_t {
        var found = stat()
        return stat(path, &found) == 0 ? found.st_size : 0
    }

    private func lastLine(of path: String, after offset: off_t) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(file, &bytes, bytes.count, max(offset, fileSize(path) - 4096))
        guard count > 0 else { return nil }
        let line = bytes[..<count].split(separator: JSONLine.newline).last.map { String(decoding: $0, as: UTF8.self) }
        let name = "rostrumd: "
        return line.map { $0.hasPrefix(name) ? String($0.dropFirst(name.count)) : $0 }
    }
}

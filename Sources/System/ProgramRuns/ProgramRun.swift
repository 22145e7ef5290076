// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A run of another program to its end, with what it printed.
public struct ProgramRun: Sendable, Hashable {
    /// The way in which a program ended.
    public enum End: Sendable, Hashable {
        case exited(code: Int32)
        case killed(signal: Int32)
        /// The system did not say: whoever started this program wants to know nothing of children.
        case unknown
    }

    /// The bytes of its standard output.
    public let output: [UInt8]
    public let end: End

    /// Runs a program, which is not looked for, and returns when it and whoever took over its standard output have ended.
    ///
    /// It shares everything else with this program: standard input and error, the environment and the folder.
    public init(_ program: String, _ arguments: [String]) throws(ProgramRunError) {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { throw ProgramRunError(errno) }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(pipe[0]) }
        let process = try Self.start(program, arguments, output: pipe[1])
        let (bytes, failure) = Self.readAll(pipe[0])
        end = Self.end(of: process)
        if let failure { throw ProgramRunError(failure) }
        output = bytes
    }

    /// Starts a program and closes its output here, so that it ends with the program.
    private static func start(
        _ program: String, _ arguments: [String], output: Int32
    ) throws(ProgramRunError) -> pid_t {
        defer { close(output) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, nil, &words, environ)
        guard result == 0 else { throw ProgramRunError(result) }
        return process
    }

    /// Reads to the end; returns an error if there is none to reach.
    private static func readAll(_ descriptor: Int32) -> (bytes: [UInt8], failure: Int32?) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (bytes, count < 0 ? errno : nil) }
            bytes += buffer[..<count]
        }
    }

    private static func end(of process: pid_t) -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return .unknown }
        }
        return status & 0x7F == 0 ? .exited(code: status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
    }
}

/// The failure to run a program at all.
public struct ProgramRunError: Error, Sendable, Hashable {
    /// The value of `errno`.
    public let code: Int32

    init(_ code: Int32) { self.code = code }

    /// The reason, which does not name the program.
    public var message: String { String(cString: strerror(code)) }
}

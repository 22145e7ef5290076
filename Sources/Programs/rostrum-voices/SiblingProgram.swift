// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that lies beside this one.
struct SiblingProgram {
    static let rostrum = SiblingProgram("rostrum")
    static let session = SiblingProgram("rostrumd")

    private let path: String

    private init(_ name: String) {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "") + name
    }

    /// Runs it in place of this program; returns only to fail.
    func replace(_ arguments: [String]) throws(VoiceFailure) {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        throw failure(errno)
    }

    /// Runs it to its end, and returns what it prints; throws if it fails.
    func output(of arguments: [String]) throws(VoiceFailure) -> [UInt8] {
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { throw failure(errno) }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(pipe[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, path, &actions, nil, &words, environ)
        close(pipe[1])
        guard result == 0 else { throw failure(result) }
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
        // What a program printed before it crashed is not all.
        guard status == 0 else {
            let end = status & 0x7f == 0 ? "has failed" : "was ended by signal \(status & 0x7f)"
            throw .unavailable("\(([path] + arguments.prefix(1)).joined(separator: " ")) \(end); try again")
        }
        return bytes
    }

    private func failure(_ code: Int32) -> VoiceFailure {
        .unavailable("cannot start \(path): \(String(cString: strerror(code)))")
    }
}

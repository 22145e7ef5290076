// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc
import SessionProtocol

/// Words of the command line that are to be said, as a text that is read.
struct SpokenWordsInput {
    /// The name, which says that it is plain text, and is the title while it is said.
    static let name = "words.txt"
    /// A pipe takes this much without a reader.
    static let longest = 4096

    private let bytes: [UInt8]

    init(_ words: [String]) throws(SessionError) {
        let text = words.joined(separator: " ")
        guard text.utf8.contains(where: { $0 > 0x20 }) else {
            throw SessionError(.usage, "no words: say what to say, as in rostrum say \"A gif.\"")
        }
        bytes = Array(text.utf8) + [0x0A]
        guard bytes.count <= Self.longest else {
            throw SessionError(
                .usage, "too many words: more than \(Self.longest) bytes; rostrum read takes more")
        }
    }

    /// Returns the end of a new pipe that holds them.
    ///
    /// Nothing of what comes by a pipe is kept.
    func pipe() throws(SessionError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard ctransport_pipe(&ends) == 0 else { throw failure }
        defer { close(ends[1]) }
        guard write(ends[1], bytes, bytes.count) == bytes.count else { throw failure }
        return ends[0]
    }

    private var failure: SessionError {
        SessionError(.io, "no pipe for the words: \(String(cString: strerror(errno))); close some programs")
    }

    /// Runs `rostrumd read-text` on them, which prints how they are said; returns its exit code.
    func show(_ options: [String]) throws(SessionError) -> Int32 {
        let program = try SessionLauncher.program()
        let input = try pipe()
        defer { close(input) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        let arguments = [program, "read-text", "--name", Self.name, "--say"] + options + ["--", "-"]
        var words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, nil, &words, environ)
        guard result == 0 else {
            throw SessionError(.unavailable, "cannot start \(program): \(String(cString: strerror(result)))")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return SessionError.Code.defect.rawValue }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : SessionError.Code.defect.rawValue
    }
}

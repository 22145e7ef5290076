// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SessionProtocol

/// A process `rostrumd check-engine`.
///
/// It opens modules in processes of their own, which a thin client does not do.
struct CheckProcess {
    private let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    /// Runs the process, and passes on each line as it arrives.
    func run(_ take: (EngineCheckLine) throws(SessionError) -> Void) throws(SessionError) {
        let program = try SessionLauncher.program()
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw failure(program, errno) }
        defer { close(ends[0]) }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        // The copy's number is above those that the process gets, so that no dup2 overwrites a source.
        let writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        close(ends[1])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writing, 1)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, nil, &words, environ)
        posix_spawn_file_actions_destroy(&actions)
        words.forEach { free($0) }
        close(writing)
        guard result == 0 else { throw failure(program, result) }

        var outcome: Result<Void, SessionError> = .success(())
        do throws(SessionError) {
            try read(ends[0], take)
        } catch {
            outcome = .failure(error)
            kill(process, SIGTERM)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        try outcome.get()
        guard status == 0 else { throw SessionError(.defect, "\(program) ended before it had checked everything") }
    }

    private func read(
        _ descriptor: Int32, _ take: (EngineCheckLine) throws(SessionError) -> Void
    ) throws(SessionError) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: JSONLine.newline) {
                guard let line = try? JSONDecoder().decode(EngineCheckLine.self, from: Data(rest[..<end])) else {
                    throw SessionError(.defect, "rostrumd is of another version than rostrum; install both again")
                }
                rest.removeFirst(end + 1)
                try take(line)
            }
        }
    }

    private func failure(_ program: String, _ code: Int32) -> SessionError {
        SessionError(.unavailable, "cannot start \(program): \(String(cString: strerror(code)))")
    }
}

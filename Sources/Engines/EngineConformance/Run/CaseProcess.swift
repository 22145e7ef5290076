// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import Clocks
import EngineTransport
import Glibc

/// Runs one case in a child process, from its start to its result.
struct CaseProcess {
    /// Starts `rostrum-engine-runner --check-case`, waits until it exits or `deadline` seconds have passed, and returns
    /// the result.
    ///
    /// The child has nothing open but a file for each of its outputs and the page for its report. It dies with the
    /// thread that started it.
    static func run(
        _ name: String, of engine: EngineDescription, runner: String, options: [String], deadline: Double
    ) throws(SystemError) -> CaseResult {
        let output = try memory("stdout")
        let errors = try memory("stderr")
        let page = try memory("report")
        let report = try CaseReport(page.rawValue)
        let arguments = [runner, "--check-case", name] + engine.arguments + options
        let pid = try spawn(runner, arguments, [output.rawValue, errors.rawValue, page.rawValue])
        let handle = ctransport_process_descriptor(pid)
        guard handle >= 0 else {
            let error = SystemError("pidfd_open")
            kill(-pid, SIGKILL)
            // It may not end at once, and there is nothing to wait by.
            waitpid(pid, nil, WNOHANG)
            throw error
        }
        let process = OwnedDescriptor(owning: handle)
        guard wait(for: process, seconds: deadline) else {
            end(pid, process)
            let place = report.call.map { "in \($0.name)" } ?? "between two calls of the engine"
            let detail = "no end after \(format(deadline)) s, \(place)" + lastWords(errors)
            return CaseResult(name: name, outcome: .hung, detail: detail)
        }
        var (status, signal): (Int32, Int32) = (0, 0)
        // Kill whatever the process left behind in its group.
        kill(-pid, SIGKILL)
        _ = ctransport_reap(process.rawValue, &status, &signal)
        let place = report.call.map { "in \($0.name)" } ?? "outside of the engine's calls"
        if signal != 0 {
            let detail =
                "killed by signal \(signal) (\(String(cString: strsignal(signal)))) \(place)" + lastWords(errors)
            return CaseResult(name: name, outcome: .crashed, detail: detail)
        }
        guard status == 0, let result = report.result else {
            let detail = "exit(\(status)) \(place). engine.h: “\(Clause.process.sentence)”" + lastWords(errors)
            return CaseResult(name: name, outcome: .crashed, detail: detail)
        }
        return CaseResult(name: name, outcome: result.outcome, detail: result.detail)
    }

    private static func memory(_ name: String) throws(SystemError) -> OwnedDescriptor {
        let descriptor = ctransport_memory_descriptor(name)
        guard descriptor >= 0 else { throw SystemError("memfd_create") }
        return OwnedDescriptor(owning: descriptor)
    }

    /// The time in which a killed process ends; one that takes longer waits in the kernel, and is left behind.
    private static let killSeconds = 0.7

    private static func end(_ pid: pid_t, _ process: OwnedDescriptor) {
        kill(-pid, SIGKILL)
        var (status, signal): (Int32, Int32) = (0, 0)
        if wait(for: process, seconds: killSeconds) { _ = ctransport_reap(process.rawValue, &status, &signal) }
    }

    private static func wait(for process: OwnedDescriptor, seconds: Double) -> Bool {
        let end = monotonicSeconds() + seconds
        while true {
            let left = end - monotonicSeconds()
            guard left > 0 else { return false }
            var entry = pollfd(fd: process.rawValue, events: Int16(POLLIN), revents: 0)
            if gnu_poll(&entry, 1, Int32(clamping: Int(min(left, 1e6) * 1000)) + 1) > 0 { return true }
        }
    }

    /// Returns the last line of the process's error output, where libraries say why they gave up.
    private static func lastWords(_ errors: OwnedDescriptor) -> String {
        let size = lseek(errors.rawValue, 0, SEEK_END)
        guard size > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(errors.rawValue, &bytes, bytes.count, max(0, size - 4096))
        guard count > 0, let line = bytes[..<count].split(separator: 10).last(where: { !$0.isEmpty }) else { return "" }
        return "; its last words: \(String(decoding: line.prefix(400), as: UTF8.self))"
    }

    private static func spawn(
        _ program: String, _ words: [String], _ descriptors: [Int32]
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Use copies above the numbers that the child gets, so that no dup2 overwrites a source.
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        defer { for copy in copies { close(copy) } }
        guard copies.allSatisfy({ $0 >= 0 }) else { throw SystemError("fcntl") }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (index, copy) in copies.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, Int32(index + 1))
        }
        _ = gnu_spawn_close_from(&actions, Int32(copies.count + 1))

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments = words.map { strdup($0) } + [nil]
        // A crash is a result here, so omit the backtrace of foreign code.
        var variables = (["SWIFT_BACKTRACE=enable=no"] + ownEnvironment()).map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, &attributes, &arguments, &variables)
        guard result == 0 else { throw SystemError("cannot start \(program)", result) }
        return process
    }

    private static func ownEnvironment() -> [String] {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if !text.hasPrefix("SWIFT_BACKTRACE=") { variables.append(text) }
            next += 1
        }
        return variables
    }
}

func monotonicSeconds() -> Double {
    Double(MonotonicTime.now()) / 1e9
}

/// Formats a number with at most one digit after the decimal point.
func format(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
}

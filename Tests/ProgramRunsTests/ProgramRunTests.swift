// SPDX-License-Identifier: Apache-2.0

import Glibc
import ProgramRuns
import Testing

/// Other programs, run to their end.
@Suite(.timeLimit(.minutes(1))) struct `A run of a program` {
    private static func shell(_ script: String, _ arguments: String...) throws -> ProgramRun {
        try ProgramRun("/bin/sh", ["-c", script, "sh"] + arguments)
    }

    @Test func `has the whole output and the exit code`() throws {
        let run = try Self.shell("printf '%s|' \"$@\"; exit 3", "a b", "", "ü")
        #expect(run.output == Array("a b||ü|".utf8) && run.end == .exited(code: 3))
        let silent = try Self.shell("exit 0")
        #expect(silent.output.isEmpty && silent.end == .exited(code: 0))
    }

    @Test func `takes more than a pipe holds, of any bytes`() throws {
        let run = try Self.shell("head -c 3000001 /dev/zero")
        #expect(run.output.count == 3_000_001 && run.output.allSatisfy { $0 == 0 })
    }

    @Test func `says by which signal the program ended, and has what it printed before`() throws {
        let run = try Self.shell("printf half; kill -KILL $$")
        #expect(run.output == Array("half".utf8) && run.end == .killed(signal: SIGKILL))
    }

    @Test(arguments: [("/nowhere/program", ENOENT), ("program", ENOENT), ("/etc/passwd", EACCES)])
    func `fails if there is no such program`(path: String, code: Int32) throws {
        let error = #expect(throws: ProgramRunError.self) { try ProgramRun(path, []) }
        #expect(error?.code == code && error?.message.isEmpty == false)
    }

    @Test func `leaves nothing open`() throws {
        func open() throws -> String { String(decoding: try Self.shell("ls /proc/$PPID/fd").output, as: UTF8.self) }
        let before = try open()
        for _ in 0..<10 {
            _ = try Self.shell("exit 1")
            _ = try? ProgramRun("/nowhere/program", [])
        }
        #expect(try open() == before)
    }
}

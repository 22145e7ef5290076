// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Testing

/// `rostrum-voices` beside scripts in place of the programs that it asks and becomes.
@Suite(.timeLimit(.minutes(1))) struct `The voices that an engine lists` {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What is in place of `rostrumd list-voices`, as lines of a shell.
        var session: String
        var arguments: [String]
        var code: Int32 = 0
        /// What `rostrum` is given.
        var output = ""
        /// A part of what is said of a failure.
        var error = ""
    }

    private static let german = #"echo '{"voice":{"engine":"espeak","language":"de","name":"de"}}'"#

    static let cases = [
        Case(
            testDescription: "one of them", session: german, arguments: ["use", "espeak:de+f3"],
            output: "settings set voices de=espeak:de+f3\n"),
        Case(
            testDescription: "another", session: german, arguments: ["use", "espeak:x"], code: 66,
            error: "espeak:x: espeak has no such voice"),
        Case(
            testDescription: "a crash is no wrong name", session: german + "; kill -KILL $$",
            arguments: ["use", "espeak:x"], code: 69, error: "rostrumd list-voices was ended by signal 9"),
        Case(
            testDescription: "what came before a crash is not all", session: german + "; kill -KILL $$",
            arguments: ["use", "espeak:de"], code: 69, error: "rostrumd list-voices was ended by signal 9"),
        Case(
            testDescription: "a failure is no wrong name", session: "echo 'rostrum: no folder' >&2; exit 71",
            arguments: ["use", "espeak:x"], code: 69, error: "rostrumd list-voices has failed"),
        Case(
            testDescription: "an engine that lists none knows its voices",
            session: "exit 0", arguments: ["use", "plain:any+f3", "--language", "de"],
            output: "settings set voices de=plain:any+f3\n"),
        Case(
            testDescription: "the language of a voice that is not listed is not known", session: "exit 0",
            arguments: ["use", "plain:any"], code: 64, error: "say for which language"),
        Case(
            testDescription: "a voice that is not listed can be sampled", session: "exit 0",
            arguments: ["sample", "plain:any", "Hello."], output: "read - --sample --engine plain --voice any\n"),
        Case(
            testDescription: "no name is not the name of a voice without a description", session: german,
            arguments: ["use", "espeak:"], code: 64, error: "which voice of espeak?"),
        Case(
            testDescription: "a variant alone is no name", session: german, arguments: ["use", "espeak:+f3"],
            code: 64, error: "which voice of espeak?"),
    ]

    private static func program(_ session: String) throws -> (program: Program, folders: TemporaryFolders) {
        let folders = try TemporaryFolders()
        var program = Program(folders)
        program.path = folders.path + "/rostrum-voices"
        let built = URL(fileURLWithPath: Program.built).deletingLastPathComponent().path + "/rostrum-voices"
        // A symbolic link would lead it to the programs beside the one that was built.
        if link(built, program.path) != 0 {
            try FileManager.default.copyItem(atPath: built, toPath: program.path)
        }
        try folders.file("rostrumd", "#!/bin/sh\n\(session)\n", mode: 0o700)
        try folders.file("rostrum", "#!/bin/sh\necho \"$@\"\n", mode: 0o700)
        return (program, folders)
    }

    @Test(arguments: cases)
    func `are those that can be chosen`(_ example: Case) async throws {
        let (program, folders) = try Self.program(example.session)
        let outcome = try await program.run(example.arguments)
        #expect(outcome.code == example.code && outcome.output == example.output, "\(outcome)")
        #expect(example.error.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(example.error), "\(outcome)")
        withExtendedLifetime(folders) {}
    }

    @Test func `command no terminal`() async throws {
        let line = #"{"voice":{"about":"a\u009b2J\u001b[2J\u202eb","engine":"x","language":"en","name":"n"}}"#
        let (program, folders) = try Self.program("/bin/cat <<'END'\n\(line)\nEND")
        let listed = try await program.run("list", "--all")
        #expect(listed.code == 0 && listed.output.contains("x:n  a 2J [2J b (en)"), "\(listed)")
        withExtendedLifetime(folders) {}
    }
}

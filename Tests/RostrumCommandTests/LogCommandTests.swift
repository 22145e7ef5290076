// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `The log` {
    private static let records = [
        #"{"v":1,"seq":1,"t":1,"wall":"2026-01-31T08:00:00.000Z","kind":"snapshot","state":{"phase":"idle"},"settings":{}}"#,
        #"{"v":1,"seq":2,"t":2,"wall":"2026-01-31T08:00:01.250Z","kind":"event","cause":"user","command":"c1","owner":"main","from":null,"to":null,"event":"play"}"#,
        #"{"v":1,"seq":3,"t":3,"wall":"2026-01-31T08:00:01.251Z","kind":"transition","cause":"user","command":"c1","from":{"phase":"idle","rate":1},"to":{"phase":"loading","rate":1}}"#,
        #"{"v":1,"seq":4,"t":4,"wall":"2026-01-31T08:00:02Z","kind":"session","cause":"user","command":"c1","action":"activate","result":"failed","errorSource":"pa_context_connect","errorMessage":"no\u001b[31m server","options":[],"extra":null}"#,
        #"{"v":1,"seq":5,"t":5,"wall":"2026-01-31T08:00:03Z","kind":"of tomorrow","cause":"timer","from":"a","to":"b","n":1.5}"#,
    ]

    private func program(_ lines: [String]) throws -> (TemporaryFolders, Program) {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: temporary.folders.transitionLog))
        return (temporary, Program(temporary))
    }

    @Test func `is grouped by command, and shows unknown kinds of records, too`() async throws {
        let (temporary, program) = try program(Self.records + [#"{"torn":"#])
        #expect(
            try await program.run("log")
                == .init(
                    output: """
                        08:00:00.000  snapshot
                        command c1
                          08:00:01.250  event  user  event=play owner=main
                          08:00:01.251  transition  user  phase: idle -> loading
                          08:00:02.000  session  user  action=activate errorMessage="no [31m server" errorSource=pa_context_connect options=[] result=failed
                        08:00:03.000  of tomorrow  timer  a -> b  n=1.5

                        """, errors: "", code: 0))
        withExtendedLifetime(temporary) {}
    }

    @Test func `is unchanged as JSON, and starts at a given time`() async throws {
        let (temporary, program) = try program(Self.records)
        let all = Self.records.map { $0 + "\n" }
        #expect(try await program.run("log", "--json").output == all.joined())
        #expect(try await program.run("log", "--json", "--since", "2026-01-31T08:00:02Z").output == all[3...].joined())
        #expect(
            try await program.run("log", "--json", "--since", "2026-01-31T10:00:01.251+02:00").output
                == all[2...].joined())
        let now = Date().formatted(.iso8601)
        try temporary.file("state/rostrum/transitions.jsonl", all.joined() + "{\"wall\":\"\(now)\"}\n")
        #expect(try await program.run("log", "--json", "--since", "10m").output == "{\"wall\":\"\(now)\"}\n")
    }

    @Test func `is reported if it is missing`() async throws {
        let temporary = try TemporaryFolders()
        let outcome = try await Program(temporary).run("log")
        #expect(outcome.code == 66 && outcome.errors.hasPrefix("rostrum: no log: \(temporary.folders.transitionLog)"))
    }

    @Test func `is followed as it grows, and into the next file`() async throws {
        let (temporary, program) = try program(["{\"n\":1}"])
        let path = temporary.folders.transitionLog
        let running = try program.start(["log", "--follow", "--json"])
        defer { kill(running.processIdentifier, SIGTERM) }
        var seen = ""
        func read(until text: String) async throws {
            while !seen.hasSuffix(text) {
                let piece = try await blocking { running.read() }
                try #require(!piece.isEmpty, "it ended: \(running.outcome())")
                seen += piece
            }
        }
        func append(_ text: String) throws {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(text.utf8))
        }
        try await read(until: "{\"n\":1}\n")
        try append("{\"n\":2}\n{\"n\"")
        try await read(until: "{\"n\":2}\n")
        try append(":3}\n")
        try await read(until: "{\"n\":3}\n")
        try append("{\"n\":4}\n")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        try Data("{\"n\":5}\n".utf8).write(to: URL(fileURLWithPath: path))
        try await read(until: "{\"n\":5}\n")
        #expect(seen == (1...5).map { "{\"n\":\($0)}\n" }.joined())
    }
}

// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `The doctor` {
    private struct Line: Decodable {
        var check: String
        var level: String
        var message: String
        var remedy: String?
    }

    /// Returns a program whose machine has no sound server, no desktop and no logind.
    private func program(_ temporary: TemporaryFolders) -> Program {
        var program = Program(temporary)
        program.environment["PULSE_SERVER"] = "unix:\(temporary.path)/none"
        program.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(temporary.path)/none"
        program.environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(temporary.path)/none"
        return program
    }

    private func examine(_ program: Program) async throws -> (code: Int32, lines: [Line]) {
        let outcome = try await program.run("doctor", "--json")
        let lines = try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        return (outcome.code, lines)
    }

    @Test func `examines every part, and says what to do about each fault`() async throws {
        let temporary = try TemporaryFolders()
        let (code, lines) = try await examine(program(temporary))
        let checks = Set(lines.map(\.check))
        #expect(
            checks == [
                "session", "folders", "disk", "settings", "sound", "bus", "sleep", "engines", "voices", "kernel",
            ])
        #expect(code == 1 && lines.contains { $0.check == "sound" && $0.level == "fault" })
        #expect(lines.allSatisfy { $0.level != "fault" || $0.remedy?.isEmpty == false })
        #expect(!FileManager.default.fileExists(atPath: temporary.folders.data), "it changes nothing")
    }

    @Test func `finds a folder of others, broken settings, and a session that does not answer`() async throws {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        try temporary.file("config/rostrum/settings.json", "{\"balance\": \"left\"")
        chmod(temporary.folders.state, 0o777)
        let lock = open(temporary.folders.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let faults = try await examine(program(temporary)).lines.filter { $0.level == "fault" }
        for check in ["folders", "settings", "session"] { #expect(faults.contains { $0.check == check }, "\(check)") }
    }

    @Test func `finds a session that runs`() async throws {
        let fixture = try CommandFixture { _, _, _ in .status(.idle) }
        let lines = try await examine(program(fixture.temporary)).lines
        #expect(lines.first { $0.check == "session" }?.message == "it runs and answers")
        await fixture.server.stop()
    }
}

@Suite(.timeLimit(.minutes(2)))
struct `A report` {
    private static let records = [
        #"{"v":1,"seq":1,"t":1,"kind":"event","event":"play","item":"file:///home/anna/Dracula.m4b","start":{"track":0,"units":7}}"#,
        #"{"v":1,"seq":2,"t":2,"kind":"session","cause":"user","errorMessage":"“Dracula” is gone: /home/anna/Dracula.m4b","title":"Dracula"}"#,
        #"{"v":1,"seq":3,"t":3,"kind":"place","cause":"timer","item":"file:///home/anna/Dracula.m4b"}"#,
        #"{"v":1,"seq":4,"t":4,"kind":"session","routeOutputs":["pulse:Anna's Pods"],"errorMessage":"Anna's Pods is gone"}"#,
        // A title that looks like a mark.
        #"{"v":1,"seq":8,"t":8,"kind":"event","title":"‹1›","message":"‹1› is gone"}"#,
        #"{"v":1,"seq":5,"t":5,"kind":"event","event":"note","message":"left out Secret Diary.mp3: no audio"}"#,
        #"{"v":1,"seq":6,"t":6,"kind":"event","message":"unreadable: /home/anna/The Secret Diary/1.mp3: gone"}"#,
        #"{"v":1,"seq":7,"t":7,"kind":"event","message":"“The “Secret” Diary” is gone, and Dracula is here"}"#,
    ]

    private func report(_ words: String...) async throws -> (outcome: Program.Outcome, temporary: TemporaryFolders) {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        try temporary.file("state/rostrum/transitions.jsonl", Self.records.map { $0 + "\n" }.joined())
        try temporary.file("state/rostrum/rostrumd.log", "rostrumd: the place in “Dracula” is recovered\n")
        return (try await Program(temporary).run(["report"] + words), temporary)
    }

    @Test func `gives away no title, file or address, and shows what belongs together`() async throws {
        let (outcome, temporary) = try await report("--output", "-")
        #expect(outcome.code == 0 && !outcome.output.isEmpty)
        for word in ["Dracula", "anna", "Anna", "Secret", "Diary"] {
            #expect(!outcome.output.contains(word), "\(word)")
        }
        for part in ["## System", "## Doctor", "## Transition log", "## Session log", "\"units\":7", "\"play\""] {
            #expect(outcome.output.contains(part), "\(part)")
        }
        let items = outcome.output.split(separator: "\n").compactMap { line in
            line.firstRange(of: "\"item\":\"").map { line[$0.upperBound...].prefix { $0 != "\"" } }
        }
        #expect(items.count == 2 && items.first == items.last)
        withExtendedLifetime(temporary) {}
    }

    @Test func `keeps them if it is asked to, in a file that it does not overwrite`() async throws {
        let temporary = try TemporaryFolders()
        let path = temporary.path + "/report.txt"
        let (outcome, other) = try await report("--titles", "--output", path)
        #expect(outcome.code == 0 && outcome.output == path + "\n")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("file:///home/anna/Dracula.m4b"))
        #expect(try await report("--output", path).outcome.code == 73)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        withExtendedLifetime(other) {}
    }
}

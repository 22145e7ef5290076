// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

/// `rostrum read --clipboard`, with programs of its own in the place of those of a desktop.
@Suite(.timeLimit(.minutes(2)))
struct `The clipboard` {
    /// A session that refuses what it is sent, with its name and content in the message.
    private static func fixture() throws -> CommandFixture {
        try CommandFixture { _, _, descriptors throws(SessionError) in
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(descriptors.first ?? -1, &bytes, bytes.count)
            throw SessionError(.checkFailed, String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        }
    }

    /// Puts a program on the path, in front of the system's.
    private static func install(_ name: String, _ script: String, in fixture: CommandFixture) throws {
        let folder = fixture.temporary.path + "/bin"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(("#!/bin/sh\n" + script).utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        try #require(chmod(folder + "/" + name, 0o755) == 0)
    }

    private static func program(_ fixture: CommandFixture, _ variables: [String: String]) -> Program {
        var program = fixture.program
        for name in ["WAYLAND_DISPLAY", "DISPLAY"] { program.environment[name] = nil }
        // No program of this machine is found, apart from those of a shell.
        program.environment["PATH"] = fixture.temporary.path + "/bin:" + fixture.temporary.path + "/tools"
        program.environment.merge(variables) { $1 }
        return program
    }

    private static let html = """
        case "$*" in
        *--list-types*) printf 'text/plain\\ntext/html\\nUTF8_STRING\\n' ;;
        *text/html*) printf '<p>Some <b>marked</b> words.</p>' ;;
        *) printf 'Some plain words.' ;;
        esac
        """

    @Test func `is read as HTML if it has that, under Wayland`() async throws {
        let fixture = try Self.fixture()
        try Self.install("wl-paste", Self.html, in: fixture)
        try Self.install("xclip", "echo not this", in: fixture)
        let program = Self.program(fixture, ["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"])
        let outcome = try await program.run("read", "--clipboard", "--detach")
        #expect(outcome == .init(output: "", errors: "rostrum: <p>Some <b>marked</b> words.</p>\n", code: 1))
        guard case .read(let parameters)? = fixture.session.commands.first else {
            return #expect(Bool(false), "nothing was read")
        }
        #expect(parameters.items == ["descriptor:0"] && parameters.names == ["clipboard.html"])
        #expect(parameters.asText == true)
    }

    @Test(arguments: ["xclip", "xsel"])
    func `is read as plain text from a program of X`(_ name: String) async throws {
        let fixture = try Self.fixture()
        try Self.install(
            name, "case \"$*\" in *TARGETS*) echo TARGETS; echo UTF8_STRING ;; *) printf 'Copied.' ;; esac", in: fixture
        )
        // Wayland is there, too, but nothing that reads it.
        let program = Self.program(fixture, ["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"])
        let outcome = try await program.run("read", "-c", "--detach")
        #expect(outcome == .init(output: "", errors: "rostrum: Copied.\n", code: 1))
        guard case .read(let parameters)? = fixture.session.commands.first else {
            return #expect(Bool(false), "nothing was read")
        }
        #expect(parameters.names == ["clipboard.txt"])
    }

    @Test func `says what is missing`() async throws {
        let fixture = try Self.fixture()
        var outcome = try await Self.program(fixture, [:]).run("read", "--clipboard", "--detach")
        #expect(outcome.code == 69 && outcome.errors.contains("neither WAYLAND_DISPLAY nor DISPLAY is set"))
        outcome = try await Self.program(fixture, ["WAYLAND_DISPLAY": "w"]).run("read", "-c", "--detach")
        #expect(outcome.code == 69 && outcome.errors.contains("wl-clipboard"))
        outcome = try await Self.program(fixture, ["DISPLAY": ":0"]).run("read", "-c", "--detach")
        #expect(outcome.code == 69 && outcome.errors.contains("xclip or xsel"))
        outcome = try await Self.program(fixture, ["DISPLAY": ":0"]).run("read", "-c", "a.txt")
        #expect(outcome.code == 64 && outcome.errors.contains("not both"))
        #expect(fixture.session.commands.isEmpty)
    }

    @Test(arguments: ["exit 1", "printf ' \\n'"])
    func `without text is refused`(_ script: String) async throws {
        let fixture = try Self.fixture()
        try Self.install("wl-paste", script, in: fixture)
        let outcome = try await Self.program(fixture, ["WAYLAND_DISPLAY": "w"]).run("read", "-c", "--detach")
        #expect(outcome.code == 66 && outcome.errors.contains("has no text"), "\(outcome)")
        #expect(fixture.session.commands.isEmpty)
    }

    @Test func `of any size and of a program that hangs is bounded`() async throws {
        let fixture = try Self.fixture()
        try Self.install(
            "wl-paste", "while :; do echo 'more and more of it, all the time, without an end'; done", in: fixture)
        let program = Self.program(fixture, ["WAYLAND_DISPLAY": "w"])
        var outcome = try await program.run("read", "-c", "--detach")
        #expect([65, 74].contains(outcome.code), "\(outcome)")
        try Self.install("wl-paste", "while :; do :; done", in: fixture)
        outcome = try await program.run("read", "-c", "--detach")
        #expect([66, 74].contains(outcome.code), "\(outcome)")
        #expect(fixture.session.commands.isEmpty)
    }
}

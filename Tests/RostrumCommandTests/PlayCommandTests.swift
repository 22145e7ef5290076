// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import FakeSession
import Foundation
import Glibc
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `Playing` {
    private func parameters(_ fixture: CommandFixture) throws -> PlayParameters {
        switch try #require(fixture.session.commands.first) {
        case .play(let parameters), .read(let parameters): return parameters
        default: return PlayParameters()
        }
    }

    @Test func `passes every option on`() async throws {
        let fixture = try CommandFixture()
        let path = try fixture.file("a b.m4b")
        let outcome = try await fixture.program.run(
            "play", "./a b.m4b", "http://host/x.mp3", ".", "--engine", "ffmpeg", "--at", "1:00", "--until", "50%",
            "--rate", "1.5",
            "--volume", "0.5", "--owner", "main", "--voice", "en", "--header", "A:b", "--header", "C:d", "--output",
            "wav:out.wav", "--detach")
        #expect(outcome == .init(output: "", errors: "", code: 0))
        var expected = PlayParameters()
        expected.items = [path, "http://host/x.mp3", fixture.temporary.path]
        expected.engine = "ffmpeg"
        expected.at = "1:00"
        expected.until = "50%"
        expected.rate = 1.5
        expected.volume = 0.5
        expected.owner = "main"
        expected.voice = "en"
        expected.headers = ["A:b", "C:d"]
        expected.output = "wav:\(fixture.temporary.path)/out.wav"
        expected.attach = false
        #expect(fixture.session.commands == [.play(expected)])
    }

    @Test func `passes a text from standard input as a descriptor`() async throws {
        let fixture = try CommandFixture { _, _, descriptors throws(SessionError) in
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(descriptors.first ?? -1, &bytes, bytes.count)
            throw SessionError(.checkFailed, String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        }
        let outcome = try await fixture.program.run("read", "-", "--from-start", "--detach", input: "hello world")
        #expect(outcome == .init(output: "", errors: "rostrum: hello world\n", code: 1))
        let parameters = try parameters(fixture)
        #expect(parameters.items == ["descriptor:0"] && parameters.names == ["standard input"])
        #expect(parameters.asText == true && parameters.fromStart == true)
    }

    @Test(arguments: [
        ("nothing.m4b", 66, "no such file: nothing.m4b"), ("", 66, "no such file: empty name"),
        ("ftp://h/x", 65, "unsupported address: ftp"),
        ("file:///nothing/here.mp3", 66, "no such file: /nothing/here.mp3"),
        ("f/below", 66, "no such file: f/below"), (String(repeating: "x", count: 5000), 66, "no such file: xxx"),
        ("a\nb", 66, "no such file: a b"),
    ])
    func `an item that is missing or unsupported fails at once`(item: String, code: Int, line: String) async throws {
        let temporary = try TemporaryFolders()
        try temporary.file("f", "")
        let outcome = try await Program(temporary).run("play", item)
        #expect(Int(outcome.code) == code)
        #expect(outcome.errors.hasPrefix("rostrum: " + line) && outcome.errors.filter(\.isNewline).count == 1)
    }

    @Test func `attached prints nothing, and ends with the item`() async throws {
        let fixture = try CommandFixture()
        let path = try fixture.file("b.m4b")
        let running = try fixture.program.start(["play", path])
        _ = await fixture.session.command { if case .play = $0 { true } else { false } }
        #expect(try parameters(fixture).attach == true)
        fixture.session.tell(status: .paused)
        fixture.session.tell(.transition("{}"))
        fixture.session.tell(.finished(nil))
        #expect(try await blocking { running.outcome() } == .init(output: "", errors: "", code: 0))
    }

    @Test func `attached ends with the error of the item`() async throws {
        let fixture = try CommandFixture()
        let running = try fixture.program.start(["play"])
        _ = await fixture.session.command { _ in true }
        fixture.session.tell(.finished(SessionError(.badContent, "corrupt: /b.m4b; give another file")))
        #expect(
            try await blocking { running.outcome() }
                == .init(output: "", errors: "rostrum: corrupt: /b.m4b; give another file\n", code: 65))
    }

    @Test func `that the session refuses ends with its error`() async throws {
        let fixture = try CommandFixture { _, _, _ throws(SessionError) in
            throw SessionError(.unavailable, "no output: auto; start a sound server")
        }
        for arguments in [["play"], ["read"], ["play", "--detach"]] {
            #expect(
                try await fixture.program.run(arguments)
                    == .init(output: "", errors: "rostrum: no output: auto; start a sound server\n", code: 69))
        }
    }

    @Test func `with JSON prints the notifications of the session, line by line`() async throws {
        let fixture = try CommandFixture()
        let running = try fixture.program.start(["play", "--json"])
        _ = await fixture.session.command { _ in true }
        fixture.session.tell(status: .idle)
        fixture.session.tell(.transition(#"{"seq":1,"new":{"a":[]}}"#))
        fixture.session.tell(.finished(SessionError(.io, "write failed: x; free space")))
        let status = String(decoding: try JSONLine.text(Status.idle).dropFirst(), as: UTF8.self)
        #expect(
            try await blocking { running.outcome() }
                == .init(
                    output: """
                        {"type":"status",\(status)
                        {"type":"transition","seq":1,"new":{"a":[]}}
                        {"type":"error","code":74,"message":"write failed: x; free space"}

                        """, errors: "rostrum: write failed: x; free space\n", code: 74))
    }

    @Test func `ends when the session does`() async throws {
        let fixture = try CommandFixture()
        let running = try fixture.program.start(["play", "--json"])
        _ = await fixture.session.command { _ in true }
        // If it ends before it has answered, the next one is asked; it has answered when it sends something else.
        fixture.session.tell(status: .idle)
        _ = try await blocking { running.read() }
        await fixture.server.stop()
        let outcome = try await blocking { running.outcome() }
        #expect(outcome.code == 69 && outcome.errors.hasPrefix("rostrum: the session ended"))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func `is detached by a signal`(signal: Int32) async throws {
        let fixture = try CommandFixture()
        let running = try fixture.program.start(["play"])
        let client = await fixture.session.command { _ in true }
        kill(running.processIdentifier, signal)
        #expect(try await blocking { running.outcome() } == .init(output: "", errors: "", code: 128 + signal))
        _ = await fixture.session.event { $0 == .disconnected(client) }
    }

    @Test func `to a file ends with the player that waits for it`() async throws {
        let session = try RunningSession()
        // It is too long to be complete before the test continues.
        let path = try session.silence("long.wav", hours: 5)
        let running = try session.program.start(["play", path, "--output", "null:fast"])
        try await session.until(render: "began")
        kill(running.processIdentifier, SIGINT)
        _ = try await blocking { running.outcome() }
        try await session.until(render: "ended")
        #expect(try await session.render("ended")?["errorMessage"] as? String == "cancelled: its client has left")
    }
}

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `The text that is read aloud` {
    private static let page = """
        <!DOCTYPE html><html lang="en"><head><title>The rostrum</title><style>p { color: red }</style></head>
        <body><nav><a href="/">Home</a> <a href="/all">All articles</a></nav>
        <main><h1>The rostrum</h1>
        <p>It is where the <b>speaker</b> stands &amp; waits. Nobody else speaks from there.</p>
        <p>Whoever wants it asks for it. The one who has it gives it up, keeps the place, and goes on later.</p>
        </main></body></html>
        """

    private func ask(_ session: RunningSession, _ request: TextPassageRequest, owner: String? = nil) async throws
        -> TextPassage
    {
        let command = SessionCommand.text(request)
        return try await session.ask(
            owner.map { .addressed(Address(owner: $0), command) } ?? command, as: TextPassage.self)
    }

    @Test func `is that of the document, in whose bytes the status counts, with its sentences`() async throws {
        let session = try RunningSession()
        let path = try session.temporary.file("page.html", Self.page)
        let read = try await session.program.run("read", path, "--detach")
        try #require(read.code == 0, "\(read.errors)")
        try await session.until { $0.text != nil }
        let passage = try await ask(session, TextPassageRequest())
        #expect(passage.uri == "file://" + path && passage.offset == 0)
        #expect(passage.size == Int64(passage.text.utf8.count))
        #expect(passage.text.contains("It is where the speaker stands & waits."))
        for dropped in ["<", "Home", "color"] { #expect(!passage.text.contains(dropped)) }
        let bytes = Array(passage.text.utf8)
        let sentences = passage.sentences.map { String(decoding: bytes[Int($0.start)..<Int($0.end)], as: UTF8.self) }
        #expect(sentences.contains("Nobody else speaks from there."))
        #expect(sentences.contains("Whoever wants it asks for it."))

        // A place of the text, and what is heard there.
        let place = try #require(passage.sentences.last).start
        #expect(try await session.program.run("seek", "byte:\(place)").code == 0)
        try await session.until { $0.text.map { $0.offset >= place } ?? false }
        let there = try await ask(session, TextPassageRequest(fromByte: place, limit: 20))
        #expect(there.offset <= place && there.text.utf8.count <= 20)
        #expect(there.sentences.contains { $0.start == place })
        let beyond = try await session.program.run("seek", "byte:\(passage.size + 1)")
        #expect(beyond.code == 66 && beyond.errors.contains("bytes"))

        // What an owner reads stays readable while another one has the sound.
        let sound = try session.sound("a.wav", milliseconds: 60_000)
        #expect(try await session.program.run("play", sound, "--owner", "applet", "--detach").code == 0)
        let aside = try await ask(session, TextPassageRequest(), owner: "main")
        #expect(aside.text == passage.text)
    }

    @Test func `begins at a byte, if that is asked for`() async throws {
        let session = try RunningSession()
        let text = "One is first. Two is second. Three is third. Four is fourth, and the last."
        let path = try session.temporary.file("a.txt", text)
        let read = try await session.program.run("read", path, "--at", "byte:29", "--detach")
        try #require(read.code == 0, "\(read.errors)")
        try await session.until { $0.text != nil }
        #expect(try #require(try await session.status().status.text).offset >= 29)
    }

    @Test func `is refused where there is none, and so is a byte as a time`() async throws {
        let session = try RunningSession()
        await #expect(throws: SessionError(.unavailable, "nothing is read; read a text first")) {
            try await ask(session, TextPassageRequest())
        }
        #expect(try await session.program.run("seek", "byte:1").code == 69)
        let sound = try session.sound("a.wav", milliseconds: 60_000)
        #expect(try await session.program.run("play", sound, "--detach").code == 0)
        let refusal = await #expect(throws: SessionError.self) { try await ask(session, TextPassageRequest()) }
        #expect(refusal?.code == .badContent)
        for arguments in [
            ["seek", "byte:1"], ["play", sound, "--at", "byte:1"], ["play", "--at", "byte:1"], ["seek", "sentence:1"],
            ["play", sound, "--at", "paragraph:1"], ["play", "--at", "sentence:1"],
        ] {
            let outcome = try await session.program.run(arguments)
            #expect(outcome.code == 64, "\(outcome)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import SessionProtocol
import Testing

private func read(_ line: [UInt8]) throws -> SessionMessage {
    #expect(line.last == JSONLine.newline)
    return try SessionMessage(line: Array(line.dropLast()))
}

struct `A line from the session` {
    @Test func `a command whose time is up says how long that was`() {
        let error = SessionError(late: "engines install", after: .seconds(80))
        #expect(error == SessionError(.busy, "engines install: takes longer than 80 s; look again later"))
    }

    @Test func `carries every answer`() throws {
        let id = RequestID.string("a\"b")
        #expect(try read(SessionLine.answer(id, .done)) == .answer(id, .success(Array("null".utf8))))
        #expect(
            try read(SessionLine.answer(.number(3), .status(.paused)))
                == .answer(.number(3), .success(try JSONLine.text(Status.paused))))
        let contents = ItemContents(item: Status.paused.item, cover: nil, chapters: [])
        #expect(
            try read(SessionLine.answer(.number(3), .contents(contents)))
                == .answer(.number(3), .success(try JSONLine.text(contents))))
        let passage = TextPassage(
            uri: "file:///a", size: 9, offset: 2, text: "a\r\n\u{0}\"é\u{2028}", sentences: [.init(start: 0, end: 9)])
        guard case .answer(.number(4), .success(let sent)) = try read(SessionLine.answer(.number(4), .text(passage)))
        else { throw SessionError(.io, "no answer") }
        #expect(try JSONDecoder().decode(TextPassage.self, from: Data(sent)) == passage)
        #expect(
            try read(SessionLine.answer(.number(3), .log(path: "/a/b")))
                == .answer(.number(3), .success(Array(#"{"path":"/a/b"}"#.utf8))))
        let error = RPCError(SessionError(.busy, "busy: x; wait"))
        #expect(try read(SessionLine.failure(.null, error)) == .answer(.null, .failure(error)))
    }

    @Test func `carries every notification, and is one line whatever the record contains`() throws {
        #expect(try read(SessionLine.status(.idle)) == .status(try JSONLine.text(Status.idle)))
        #expect(try read(SessionLine.transition("{\"a\":\r\n 1}\n")) == .transition(Array("{\"a\": 1}".utf8)))
        #expect(try read(SessionLine.finished(nil)) == .finished(nil))
        let progress = TextProgress(uri: "file:///a", end: 7)
        #expect(try read(SessionLine.text(progress)) == .text(try JSONLine.text(progress)))
        let error = SessionError(.badContent, "unsupported: x; try y")
        #expect(try read(SessionLine.finished(error)) == .finished(error))
    }

    @Test func `that only a newer session sends is ignored`() throws {
        #expect(try SessionMessage(line: Array(#"{"jsonrpc":"2.0","method":"news","params":[1]}"#.utf8)) == .unknown)
        #expect(throws: SessionError.self) { try SessionMessage(line: Array("hello".utf8)) }
    }
}

struct `Members of a JSON text` {
    @Test func `are returned unchanged`() {
        let members = JSONMembers(Array(#"{ "a" : {"x":[1,"}"]} , "b":"q\"},{" ,"c":null,"result": [ ] }"#.utf8))
        #expect(members["a"].map { String(decoding: $0, as: UTF8.self) } == #"{"x":[1,"}"]}"#)
        #expect(members["b"].map { String(decoding: $0, as: UTF8.self) } == #""q\"},{""#)
        #expect(members["c"].map { String(decoding: $0, as: UTF8.self) } == "null")
        #expect(members["result"].map { String(decoding: $0, as: UTF8.self) } == "[ ]")
        #expect(members["x"] == nil)
    }
}

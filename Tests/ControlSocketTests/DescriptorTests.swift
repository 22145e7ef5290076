// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import FakeSession
import Glibc
import SessionProtocol
import Testing

/// Answers with the contents of the descriptors.
private let reading: FakeSession.Answer = { _, _, descriptors throws(SessionError) in
    let texts = descriptors.map { descriptor in
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    return .log(path: texts.joined(separator: "+"))
}

/// Returns the reading end of a pipe that contains the text.
private func pipe(_ text: String) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return -1 }
    _ = write(ends[1], text, text.utf8.count)
    close(ends[1])
    return ends[0]
}

@Suite(.timeLimit(.minutes(1)))
struct `Descriptors on the control socket` {
    @Test func `reach the session with their request`() async throws {
        let fixture = try Fixture(answer: reading)
        let client = try fixture.client()
        let (a, b, c) = (pipe("a"), pipe("b"), pipe("c"))
        defer { for descriptor in [a, b, c] { close(descriptor) } }
        try await client.request("pause", id: 0)
        try await client.request(
            "read", id: 1, params: #"{"items":["descriptor:0","descriptor:1"]}"#, descriptors: [a, b])
        try await client.request("pause", id: 2)
        try await client.request("read", id: 3, params: #"{"items":["descriptor:0"]}"#, descriptors: [c])
        for (id, text) in [(0, ""), (1, "a+b"), (2, ""), (3, "c")] {
            #expect(try await client.line() == #"{"id":\#(id),"jsonrpc":"2.0","result":{"path":"\#(text)"}}"#)
        }
    }

    @Test func `that come in the middle of a line belong to it`() async throws {
        let fixture = try Fixture(answer: reading)
        let client = try fixture.client()
        let a = pipe("a")
        defer { close(a) }
        try await client.send(
            #"{"jsonrpc":"2.0","method":"pause","id":1}"# + "\n" + #"{"jsonrpc":"2.0","method":"re"#, descriptors: [a])
        try await client.send(
            #"ad","id":2,"params":{"items":["descriptor:0"]}}"# + "\n" + #"{"jsonrpc":"2.0","method":"pause","id":3}"#
                + "\n")
        for (id, text) in [(1, ""), (2, "a"), (3, "")] {
            #expect(try await client.line() == #"{"id":\#(id),"jsonrpc":"2.0","result":{"path":"\#(text)"}}"#)
        }
    }

    @Test(arguments: [
        "descriptor:0", "descriptor:1", "descriptor:-1", "descriptor:x", "descriptor:99999999999999999999",
    ])
    func `that are named but did not come are refused`(item: String) async throws {
        let fixture = try Fixture(answer: reading)
        let client = try fixture.client()
        try await client.request("read", id: 1, params: "{\"items\":[\"\(item)\"]}")
        #expect(try await client.line()?.contains("-32602") == true)
        #expect(fixture.session.commands.isEmpty)
    }

    @Test func `are closed when the request is refused`() async throws {
        let fixture = try Fixture(answer: reading)
        let client = try fixture.client()
        var ends: [Int32] = [-1, -1]
        #expect(Glibc.pipe(&ends) == 0)
        defer { close(ends[0]) }
        try await client.send("nonsense\n", descriptors: [ends[1]])
        close(ends[1])
        #expect(try await client.line()?.contains("-32700") == true)
        // The pipe is at its end only when no copy of its other side is open.
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
    }

    @Test func `without a complete line do not accumulate in the session`() async throws {
        let fixture = try Fixture(answer: reading)
        let client = try fixture.client()
        let a = pipe("a")
        defer { close(a) }
        try await client.send("{", descriptors: Array(repeating: a, count: 8))
        try await client.send(" ", descriptors: [a])
        #expect(try await client.line()?.contains("more than 8 descriptors") == true)
        #expect(try await client.line() == nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import FakeSession
import SessionProtocol
import Testing
import WaitTestSupport

@Suite(.timeLimit(.minutes(1)))
struct `Subscribers` {
    @Test func `a request is carried out also if its client is gone before a notification reaches it`() async throws {
        let temporary = try TemporaryFolders()
        let session = FakeSession()
        let server = try ControlServer(ListeningSocket.open(in: temporary.folders), service: session)
        defer { withExtendedLifetime(server) {} }
        for count in 1...200 {
            let client = try RawClient(temporary.folders)
            try await client.send(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"# + "\n")
            _ = await session.event {
                if case .subscribed(ClientID(rawValue: UInt64(count))) = $0 { true } else { false }
            }
            // It leaves unread what it was sent, so that the other side finds it broken.
            session.tell(status: .idle)
            try await client.send(#"{"jsonrpc":"2.0","id":2,"method":"pause"}"# + "\n")
            client.hangUp()
            session.tell(status: .paused)
        }
        _ = await until { session.commands.count { $0 == .pause } == 200 }
    }

    @Test func `are told of every status and transition, and of the end`() async throws {
        let fixture = try Fixture()
        let (all, some, none) = (try fixture.client(), try fixture.client(), try fixture.client())
        try await all.request("subscribe", id: 1)
        try await some.request("subscribe", id: 1, params: #"{"topics":["transition"]}"#)
        for client in [all, some] { _ = try await client.line() }
        fixture.session.tell(status: .idle)
        fixture.session.tell(.transition(#"{"seq":1}"#))
        fixture.session.tell(.finished(SessionError(.badContent, "corrupt: x; give y")))
        #expect(
            try await all.line()?.hasPrefix(#"{"jsonrpc":"2.0","method":"status","params":{"chapter":null"#) == true)
        for client in [all, some] {
            #expect(try await client.line() == #"{"jsonrpc":"2.0","method":"transition","params":{"seq":1}}"#)
            #expect(
                try await client.line() == """
                    {"jsonrpc":"2.0","method":"finished","params":{"error":{"code":-32065,"data":{"exit":65},\
                    "message":"corrupt: x; give y"}}}
                    """)
        }
        try await none.request("pause", id: 1)
        #expect(try await none.line() == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
    }

    @Test func `that read nothing are dropped, and the others stay`() async throws {
        let fixture = try Fixture()
        let (stuck, living) = (try fixture.client(), try fixture.client())
        try await stuck.request("subscribe", id: 1)
        _ = try await stuck.line()
        guard
            case .subscribed(let stuckID) = await fixture.session.event(where: {
                if case .subscribed = $0 { true } else { false }
            })
        else { return }
        try await living.request("subscribe", id: 1)
        _ = try await living.line()
        let record = "{\"x\":\"" + String(repeating: "y", count: 100_000) + "\"}"
        // This is more than the socket and the queue hold.
        for _ in 0..<30 {
            fixture.session.tell(.transition(record))
            #expect(try await living.line()?.contains("\"method\":\"transition\"") == true)
        }
        _ = await fixture.session.event { $0 == .disconnected(stuckID) }
        try await living.request("pause", id: 2)
        #expect(try await living.line()?.contains("\"id\":2") == true)
    }

    @Test func `that leave are forgotten`() async throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        try await client.request("subscribe", id: 1)
        _ = try await client.line()
        client.hangUp()
        _ = await fixture.session.event { if case .disconnected = $0 { true } else { false } }
        fixture.session.tell(status: .idle)
        let other = try fixture.client()
        try await other.request("pause", id: 1)
        #expect(try await other.line() == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
    }
}

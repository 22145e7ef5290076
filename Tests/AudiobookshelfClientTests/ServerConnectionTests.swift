// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import Synchronization
import Testing

@testable import AudiobookshelfClient

/// Requests with a good token, and how it is renewed.
@Suite(.timeLimit(.minutes(1)))
struct ServerConnectionTests {
    private static let old = Sample.token("old", ends: 3000)
    private static let new = Sample.token("new", ends: 6000)

    /// A server that accepts `new` and renews `r1` once.
    private static func server(refusing: Int = 401) -> ScriptedTransport {
        ScriptedTransport { request in
            switch request.path {
            case "/auth/refresh":
                request.value("x-refresh-token") == "r1"
                    ? request.answer(200, Sample.login(access: new, refresh: "r2")) : request.answer(refusing, "{}")
            default: request.bearer == new ? request.answer(200, "yes") : request.answer(401, "Unauthorized")
            }
        }
    }

    private static func store(_ access: String? = old, refresh: String = "r1") -> MemoryStore {
        MemoryStore(["a1": .tokens(access: access, refresh: refresh)])
    }

    @Test func `a request has the address, the token and a type`() async throws {
        let transport = ScriptedTransport { $0.answer(200) }
        var account = Sample.account
        account.address = "https://books.example/abs/"
        let connection = try Sample.connection(transport, Self.store(), account: account)
        _ = try await connection.send(
            ServerRequest(.patch, ["api", "me", "a/b"], query: [("q", "ä&=")], json: Array("{}".utf8)))
        let request = try #require(transport.requests.first)
        #expect(request.url == "https://books.example/abs/api/me/a%2Fb?q=%C3%A4%26%3D")
        #expect(request.bearer == Self.old && request.value("Content-Type") == "application/json")
        #expect(request.allowsPrivate && request.body == Array("{}".utf8))
        #expect(try await connection.authorization() == HTTPField("Authorization", "Bearer \(Self.old)"))
    }

    @Test func `one renewal serves all who wait, and is durable before it is used`() async throws {
        let used = Mutex(false)
        let store = MemoryStore(["a1": .tokens(access: Self.old, refresh: "r1")]) { _ in
            #expect(!used.withLock { $0 })
        }
        let inner = Self.server()
        let transport = ScriptedTransport { request async throws(HTTPFailure) in
            if request.bearer == Self.new { used.withLock { $0 = true } }
            return try await inner.send(request)
        }
        let connection = try Sample.connection(transport, store)
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { try? await connection.send(ServerRequest(.get, ["x"])).status } }
            for await status in group { #expect(status == 200) }
        }
        #expect(transport.requests.filter { $0.path == "/auth/refresh" }.count == 1)
        #expect(await store.kept["a1"] == .tokens(access: Self.new, refresh: "r2"))
        #expect(await connection.loginNeeded == nil)
    }

    @Test(
        arguments: [
            (3600, 0, false), (61, 0, false), (59, 0, true), (-10, 0, true), (3600, -3600, false), (3600, 3600, true),
            (-3500, -3600, false),
        ] as [(Int64, Int64, Bool)])
    func `a token is renewed before its end, by the clock of the server`(ends: Int64, ahead: Int64, isRenewed: Bool)
        async throws
    {
        let access = Sample.token("t", ends: ends)
        let date =
            ahead == 0
            ? "Sat, 21 Nov 2026 08:33:29 GMT"
            : ahead > 0 ? "Sat, 21 Nov 2026 09:33:29 GMT" : "Sat, 21 Nov 2026 07:33:29 GMT"
        let transport = ScriptedTransport { request in
            request.path == "/auth/refresh"
                ? request.answer(200, Sample.login(access: Self.new, refresh: "r2"))
                : request.answer(
                    200, "{\"app\":\"audiobookshelf\",\"serverVersion\":\"2.36.0\"}", [HTTPField("date", date)])
        }
        let connection = try Sample.connection(transport, Self.store(access))
        _ = try await connection.status()
        #expect(abs((await connection.clock.offset ?? 0) - ahead * 1000 - 500) <= 500)
        _ = try await connection.send(ServerRequest(.get, ["x"]))
        #expect(transport.requests.contains { $0.path == "/auth/refresh" } == isRenewed)
        #expect(transport.requests.last?.bearer == (isRenewed ? Self.new : access))
    }

    @Test func `a token without an end is used until it is refused`() async throws {
        let transport = Self.server()
        let connection = try Sample.connection(transport, Self.store("opaque"))
        #expect(try await connection.send(ServerRequest(.get, ["x"])).status == 200)
        #expect(transport.requests.map(\.path) == ["/x", "/auth/refresh", "/x"])
    }

    @Test func `a refused renewal asks to log in again and loses nothing`() async throws {
        let store = Self.store(refresh: "r0")
        let transport = Self.server()
        let connection = try Sample.connection(transport, store)
        for _ in 0..<3 {
            let failure = await refusal { () async throws(ServerFailure) in
                try await connection.send(ServerRequest(.get, ["x"]))
            }
            #expect(failure?.reason == .logInAgain && failure?.message.contains("rostrum server login books") == true)
        }
        #expect(transport.requests.count == 2, "a server that has refused is not asked again")
        #expect(await store.kept["a1"] == .tokens(access: Self.old, refresh: "r0"))
    }

    @Test func `a login that was kept meanwhile is taken`() async throws {
        let store = Self.store(refresh: "r0")
        let connection = try Sample.connection(Self.server(), store)
        await store.refuse(false)
        _ = try? await connection.authorization()
        await store.put(.tokens(access: Self.new, refresh: "r9"), for: "a1")
        #expect(try await connection.send(ServerRequest(.get, ["x"])).status == 200)
    }

    @Test func `a renewed token that cannot be kept is not used, and kept later`() async throws {
        let store = Self.store()
        let transport = Self.server()
        let connection = try Sample.connection(transport, store)
        await store.refuse(true)
        #expect(
            await refusal { () async throws(ServerFailure) in try await connection.send(ServerRequest(.get, ["x"])) }?
                .reason
                == .storage)
        #expect(transport.requests.allSatisfy { $0.bearer != Self.new })
        await store.refuse(false)
        #expect(try await connection.send(ServerRequest(.get, ["x"])).status == 200)
        #expect(transport.requests.filter { $0.path == "/auth/refresh" }.count == 1)
        #expect(await store.kept["a1"] == .tokens(access: Self.new, refresh: "r2"))
    }

    @Test(arguments: [429, 500, 0]) func `a renewal that fails for now leaves the token that is still good`(status: Int)
        async throws
    {
        let transport = ScriptedTransport { request async throws(HTTPFailure) in
            guard request.path == "/auth/refresh" else { return request.answer(200) }
            if status == 0 { throw HTTPFailure(.network, "gone") }
            return request.answer(status, "{}", [HTTPField("Retry-After", "589")])
        }
        let access = Sample.token("t", ends: 30)
        let connection = try Sample.connection(transport, Self.store(access))
        for _ in 0..<2 { #expect(try await connection.send(ServerRequest(.get, ["x"])).status == 200) }
        #expect(transport.requests.filter { $0.path == "/x" }.allSatisfy { $0.bearer == access })
        // A server that wants quiet has it.
        #expect(transport.requests.filter { $0.path == "/auth/refresh" }.count == (status == 429 ? 1 : 2))
        let other = try Sample.connection(transport, Self.store(Sample.token("t", ends: -1)))
        let failure = await refusal { () async throws(ServerFailure) in try await other.send(ServerRequest(.get, ["x"]))
        }
        #expect(failure?.reason == (status == 429 ? .rateLimited : status == 0 ? .unreachable : .refused))
        #expect(failure?.retryAfter == (status == 429 ? 589 : nil))
        #expect(await other.loginNeeded == nil)
    }

    @Test func `a caller that is cancelled does not end the renewal`() async throws {
        let store = Self.store()
        let (waiting, gate) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let inner = Self.server()
        let transport = ScriptedTransport { request async throws(HTTPFailure) in
            if request.path == "/auth/refresh" {
                start.yield()
                for await _ in waiting { break }
            }
            return try await inner.send(request)
        }
        let connection = try Sample.connection(transport, store)
        let task = Task { try await connection.send(ServerRequest(.get, ["x"])) }
        for await _ in started { break }
        task.cancel()
        gate.yield()
        _ = try? await task.value
        #expect(await store.kept["a1"] == .tokens(access: Self.new, refresh: "r2"))
    }

    @Test(arguments: [ServerCredentials.token("t0"), .apiKey("t0")])
    func `a token without renewal is used as it is, and refused once`(credentials: ServerCredentials) async throws {
        let transport = ScriptedTransport { $0.answer($0.url.hasSuffix("/no") ? 401 : 200) }
        let connection = try Sample.connection(transport, MemoryStore(["a1": credentials]))
        #expect(try await connection.send(ServerRequest(.get, ["x"])).status == 200)
        #expect(transport.requests.last?.bearer == "t0")
        #expect(
            await refusal { () async throws(ServerFailure) in try await connection.send(ServerRequest(.get, ["no"])) }?
                .reason
                == .logInAgain)
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [(404, nil), (403, nil), (500, nil), (429, ServerFailure.Reason.rateLimited)])
    func `other statuses are answers, except too many requests`(status: Int, reason: ServerFailure.Reason?) async throws
    {
        let connection = try Sample.connection(ScriptedTransport { $0.answer(status) }, Self.store())
        #expect(
            await refusal { () async throws(ServerFailure) in try await connection.send(ServerRequest(.get, ["x"])) }?
                .reason
                == reason)
    }

    @Test func `a new login ends the refusal, and one of another user is refused`() async throws {
        let store = Self.store(refresh: "r0")
        let other = Mutex(false)
        let inner = Self.server()
        let transport = ScriptedTransport { request async throws(HTTPFailure) in
            guard request.path == "/login" else { return try await inner.send(request) }
            let text = Sample.login(access: Self.new, refresh: "r7")
            return request.answer(200, other.withLock { $0 } ? text.replacing("u1", with: "u2") : text)
        }
        let connection = try Sample.connection(transport, store)
        _ = try? await connection.send(ServerRequest(.get, ["x"]))
        #expect(await connection.loginNeeded?.reason == .logInAgain)
        other.withLock { $0 = true }
        #expect(
            await refusal { () async throws(ServerFailure) in try await connection.logIn(password: "p") }?.reason
                == .wrongPassword)
        #expect(await store.kept["a1"] == .tokens(access: Self.old, refresh: "r0"))
        other.withLock { $0 = false }
        try await connection.logIn(password: "p")
        #expect(await store.kept["a1"] == .tokens(access: Self.new, refresh: "r7"))
        #expect(try await connection.send(ServerRequest(.get, ["x"])).status == 200)
    }

    @Test(arguments: [true, false]) func `a logout tells the server, and keeps nothing if it cannot be told`(
        isThere: Bool
    ) async throws {
        let store = Self.store()
        let transport = ScriptedTransport { request async throws(HTTPFailure) in
            if !isThere { throw HTTPFailure(.network, "gone") }
            return request.answer(200, "{\"redirect_url\":null}")
        }
        let connection = try Sample.connection(transport, store)
        try await connection.logOut()
        #expect(await store.kept.isEmpty)
        #expect(transport.requests.first?.value("x-refresh-token") == "r1")
        #expect(
            await refusal { () async throws(ServerFailure) in try await connection.send(ServerRequest(.get, ["x"])) }?
                .reason
                == .logInAgain)
    }

    @Test func `no failure and no description has a secret`() async throws {
        let secret = "s3cret"
        let transport = ScriptedTransport { $0.answer($0.path == "/auth/refresh" ? 500 : 401, secret) }
        let store = MemoryStore(["a1": .tokens(access: secret, refresh: secret)])
        let connection = try Sample.connection(transport, store)
        let failure = await refusal { () async throws(ServerFailure) in
            try await connection.send(ServerRequest(.get, ["x"]))
        }
        #expect(!"\(String(describing: failure))".contains(secret))
        for credentials in [ServerCredentials.tokens(access: secret, refresh: secret), .token(secret), .apiKey(secret)]
        {
            var dumped = ""
            dump(credentials, to: &dumped)
            for text in ["\(credentials)", String(reflecting: credentials), dumped] { #expect(!text.contains(secret)) }
            #expect(ServerCredentials(decoding: credentials.encoded) == credentials)
        }
    }
}

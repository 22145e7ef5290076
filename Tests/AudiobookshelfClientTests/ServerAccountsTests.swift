// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import HTTPExchange
import Synchronization
import Testing

@testable import AudiobookshelfClient

/// Several servers and users: added, named, logged in again and removed.
@Suite(.timeLimit(.minutes(1)))
struct ServerAccountsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let status =
        "{\"app\":\"audiobookshelf\",\"serverVersion\":\"2.36.0\",\"isInit\":true,\"authMethods\":[\"local\"]}"

    /// A server on which every user's password is `right`, and every key `key`.
    private static func server(status: String = status) -> ScriptedTransport {
        ScriptedTransport { request in
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            let user = body.contains("bob") ? "bob" : "ann"
            switch request.path {
            case "/status": return request.answer(200, status)
            case "/login":
                guard body.contains("right") else { return request.answer(401, "Unauthorized") }
                return request.answer(
                    200,
                    "{\"user\":{\"id\":\"id-\(user)\",\"username\":\"\(user)\",\"accessToken\":\"a\",\"refreshToken\":\"r-\(user)\"}}"
                )
            case "/api/me":
                return request.bearer == "key" || request.bearer == "a"
                    ? request.answer(200, "{\"id\":\"id-ann\",\"username\":\"ann\"}") : request.answer(401)
            default: return request.answer(200, "{}")
            }
        }
    }

    private func accounts(_ transport: ScriptedTransport, store: any CredentialStore) -> ServerAccounts {
        let number = Mutex(0)
        return ServerAccounts(
            file: AccountFile(folder.path + "/servers.json"), store: store, transport: transport, now: { 7 },
            newID: {
                number.withLock { number in
                    number += 1
                    return "id\(number)"
                }
            })
    }

    private static func right(_ user: String = "ann") -> ServerAccounts.Proof { .password(user: user, "right") }

    @Test func `two users of one server, and one who is added twice`() async throws {
        let store = MemoryStore()
        let accounts = accounts(Self.server(), store: store)
        let ann = try await accounts.add("books.example/", name: nil, proof: Self.right())
        #expect(ann.name == "books.example" && ann.address == "https://books.example" && ann.version == "2.36.0")
        let bob = try await accounts.add("https://books.example", name: nil, proof: Self.right("bob"))
        #expect(bob.name == "bob@books.example" && bob.userID == "id-bob")
        let again = try await accounts.add("books.example", name: "other", proof: Self.right())
        #expect(again == ann)
        #expect(try await accounts.all() == [ann, bob])
        #expect(await store.kept["id2"] == .tokens(access: "a", refresh: "r-bob"))
        #expect(try await accounts.account(named: "BOB@books.example") == bob)
        #expect(try await accounts.account(named: "id1") == ann)
        let several = await refusal { () async throws(ServerFailure) in
            try await accounts.account(named: "https://books.example")
        }
        #expect(several?.reason == .unknown && several?.message.contains("several users") == true)
        #expect(try await accounts.connection("id2") === accounts.connection("id2"))
        let restarted = self.accounts(Self.server(), store: store)
        #expect(try await restarted.all() == [ann, bob])
        #expect(try await restarted.connection("id1").user().name == "ann")
        try await restarted.remove("id1")
        #expect(try await restarted.all() == [bob])
        #expect(await store.kept.keys.sorted() == ["id2"])
        #expect(try await restarted.account(named: "https://books.example") == bob)
    }

    @Test(
        arguments: [
            ("ftp://books.example", nil, ServerFailure.Reason.address), ("books.example", "", .name),
            ("books.example", "a\nb", .name), ("books.example", "--help", .name),
            ("books.example", String(repeating: "a", count: 65), .name),
        ] as [(String, String?, ServerFailure.Reason)])
    func `an address or a name that cannot be`(address: String, name: String?, reason: ServerFailure.Reason)
        async throws
    {
        let store = MemoryStore()
        let accounts = accounts(Self.server(), store: store)
        let failure = await refusal { () async throws(ServerFailure) in
            try await accounts.add(address, name: name, proof: Self.right())
        }
        #expect(failure?.reason == reason)
        #expect(try await accounts.all().isEmpty)
        #expect(await store.kept.isEmpty)
    }

    @Test(arguments: [
        (Self.status.replacing("\"local\"", with: "\"openid\""), Self.right(), ServerFailure.Reason.loginKind),
        (Self.status.replacing("true", with: "false"), Self.right(), .notSetUp),
        (Self.status.replacing("2.36.0", with: "2.25.1"), .apiKey("key"), .loginKind),
        (Self.status.replacing("2.36.0", with: "2.19.0"), Self.right(), .tooOld),
        ("<html>", Self.right(), .notAudiobookshelf), (Self.status, .password(user: "ann", "wrong"), .wrongPassword),
        (Self.status, .apiKey("other"), .wrongPassword),
    ])
    func `a server or a proof that is refused`(
        status: String, proof: ServerAccounts.Proof, reason: ServerFailure.Reason
    )
        async throws
    {
        let transport = Self.server(status: status)
        let accounts = accounts(transport, store: MemoryStore())
        let failure = await refusal { () async throws(ServerFailure) in
            try await accounts.add("books.example", name: nil, proof: proof)
        }
        #expect(failure?.reason == reason)
        if reason != .wrongPassword { #expect(transport.requests.map(\.path) == ["/status"], "no secret was sent") }
        #expect(try await accounts.all().isEmpty)
    }

    @Test func `a server that has moved is kept where it answers`() async throws {
        let inner = Self.server()
        let transport = ScriptedTransport { request async throws(HTTPFailure) in
            var answer = try await inner.send(request)
            answer.url = answer.url.replacing("http:", with: "https:")
            return answer
        }
        let account = try await accounts(transport, store: MemoryStore()).add(
            "http://books.example", name: nil, proof: Self.right())
        #expect(account.address == "https://books.example")
        #expect(transport.requests.last?.url == "https://books.example/login")
    }

    @Test func `logins that cannot be kept leave no account`() async throws {
        let store = MemoryStore()
        await store.refuse(true)
        let accounts = accounts(Self.server(), store: store)
        let failure = await refusal { () async throws(ServerFailure) in
            try await accounts.add("books.example", name: nil, proof: Self.right())
        }
        #expect(failure?.reason == .storage)
        #expect(try await accounts.all().isEmpty)
    }

    @Test func `a logout keeps the account, and a login brings it back`() async throws {
        let store = MemoryStore()
        let accounts = accounts(Self.server(), store: store)
        let ann = try await accounts.add("books.example", name: "b", proof: Self.right())
        let connection = try await accounts.connection(ann.id)
        try await connection.logOut()
        #expect(await store.kept.isEmpty)
        #expect(
            await refusal { () async throws(ServerFailure) in try await connection.prepare() }?.reason == .logInAgain)
        let wrong = await refusal { () async throws(ServerFailure) in
            try await accounts.logIn(ann.id, .password(user: "ann", "wrong"))
        }
        #expect(wrong?.reason == .wrongPassword)
        #expect(try await accounts.logIn(ann.id, Self.right()) == ann)
        try await connection.prepare()
        #expect(try await accounts.logIn(ann.id, .apiKey("key")).usesKey)
        #expect(await store.kept[ann.id] == .apiKey("key"))
        try await accounts.note(version: ServerVersion(2, 37), of: ann.id)
        #expect(try await accounts.all().first?.version == "2.37.0")
    }
}

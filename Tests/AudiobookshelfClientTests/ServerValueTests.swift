// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import HTTPExchange
import Testing

@testable import AudiobookshelfClient

/// Addresses, versions, dates, logins and files.
struct ServerValueTests {
    @Test(
        arguments: [
            ("books.example", "https://books.example"), (" https://Books.example/ ", "https://books.example"),
            ("http://10.0.0.2:13378", "http://10.0.0.2:13378"), ("HTTPS://a.b/Abs//", "https://a.b/Abs"),
            ("http://[::1]:80/x", "http://[::1]:80/x"), ("ftp://a", nil), ("https://u:p@a", nil), ("https://a?b", nil),
            ("https://a/#b", nil), ("https://", nil), ("", nil), ("https://a b", nil), ("https://a\\b", nil),
            ("https://a\u{1}", nil),
        ] as [(String, String?)])
    func `an address as a person writes it`(written: String, text: String?) {
        #expect(ServerAddress(written)?.text == text)
    }

    @Test func `paths are joined as text`() throws {
        let address = try #require(ServerAddress("https://a.example/base"))
        #expect(address.url(["api", "items", "../x?y"]) == "https://a.example/base/api/items/..%2Fx%3Fy")
        #expect(address.url(contentURL: "/api/items/1/file/2") == "https://a.example/base/api/items/1/file/2")
        for text in ["//evil.example/a", "https://evil.example", "a", "", "/a b", "/a\nb"] {
            #expect(address.url(contentURL: text) == nil)
        }
        #expect(address.moved(to: "https://b.example/c/status", path: "/status")?.text == "https://b.example/c")
        #expect(address.moved(to: "https://b.example/login", path: "/status") == nil)
    }

    @Test(arguments: [
        ("2.20.0", [false, false, false, false, false]), ("2.21.0", [true, false, false, false, false]),
        ("2.25.1", [true, false, false, false, false]), ("2.26.0", [true, true, false, false, false]),
        ("2.33.0", [true, true, true, false, false]), ("2.35.0", [true, true, true, true, false]),
        ("2.36.0-beta", [true, true, true, true, true]), ("3.0", [true, true, true, true, true]),
    ])
    func `each version of the table`(text: String, can: [Bool]) throws {
        let version = try #require(ServerVersion(text))
        #expect(
            [
                version.completesLocalSessions, version.hasTokens, version.hasStaleLists, version.forgivesLostRenewals,
                version.hasProgressList,
            ] == can)
    }

    @Test(arguments: ["", "2", "a.b.c", "-1.2.3", "2.x"]) func `a text that is no version`(text: String) {
        #expect(ServerVersion(text) == nil)
    }

    @Test(
        arguments: [
            ("Sat, 21 Nov 2026 08:33:29 GMT", 1_795_250_009_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200_000),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799_000),
            ("", nil), ("Saturday, 21-Nov-26 08:33:29 GMT", nil), ("Sat, 21 Nov 2026 08:33:29 CET", nil),
            ("Sat, 99 Nov 2026 08:33:29 GMT", nil), ("Sat, 21 Nov 99999999999999999999 08:33:29 GMT", nil),
            ("Sat, 21 Nov 2026 8:61:29 GMT", nil),
        ] as [(String, Int64?)])
    func `a date of an answer`(text: String, milliseconds: Int64?) {
        #expect(HTTPDate.milliseconds(text) == milliseconds)
    }

    @Test func `a clock keeps its best measurement, until it is set`() {
        var clock = ServerClock()
        #expect(clock.server(7) == 7)
        clock.note(10_000, sent: 0, received: 4000)
        #expect(clock.offset == 8500 && clock.bound == 2500)
        clock.note(20_000, sent: 11_900, received: 11_920)
        #expect(clock.offset == 8590 && clock.bound == 510)
        clock.note(30_000, sent: 20_000, received: 25_000)
        #expect(clock.offset == 8590)
        clock.note(99_000, sent: 20_000, received: 25_000)
        #expect(clock.offset == 77_000)
        clock.note(5, sent: 10, received: 9)
        #expect(clock.server(0) == 77_000 && clock.own(77_000) == 0)
    }

    @Test func `the end of a token`() throws {
        let token = try #require(AccessToken(Sample.token("a", ends: 100)))
        #expect(token.expires == Sample.time + 100_000 && token.due == token.expires - 60_000)
        let claims = Data("{\"exp\":100,\"iat\":98}".utf8).base64EncodedString()
        #expect(AccessToken("a.\(claims).b")?.due == 99_800)
        for text in ["", "a", "a.b.c", "a.b", "<accessToken>", "a.\(Data("{}".utf8).base64EncodedString()).b"] {
            #expect(AccessToken(text) == nil)
        }
    }

    private static func status(_ text: String, _ status: Int = 200) throws(ServerFailure) -> ServerStatus {
        guard let address = ServerAddress("a.example") else { throw ServerFailure(.address, "") }
        return try ServerStatus(HTTPAnswer(status: status, body: Array(text.utf8), url: ""), at: address)
    }

    @Test(arguments: [
        ("{\"app\":\"audiobookshelf\",\"serverVersion\":\"2.19.9\"}", 200, ServerFailure.Reason.tooOld),
        ("{\"app\":\"audiobookshelf\"}", 200, .damaged),
        ("{\"app\":\"other\",\"serverVersion\":\"2.36.0\"}", 200, .notAudiobookshelf),
        ("<html>", 200, .notAudiobookshelf), ("", 404, .notAudiobookshelf), ("{}", 200, .notAudiobookshelf),
    ])
    func `a server that is none`(text: String, status: Int, reason: ServerFailure.Reason) {
        do throws(ServerFailure) {
            _ = try Self.status(text, status)
            Issue.record("accepted")
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test func `a status with more and with nulls`() throws {
        let status = try Self.status(
            "{\"app\":\"audiobookshelf\",\"serverVersion\":\"2.36.0\",\"isInit\":null,\"authMethods\":[\"openid\"],\"x\":[]}"
        )
        #expect(status.isSetUp && !status.allowsPassword && status.version == ServerVersion(2, 36))
    }

    @Test(
        arguments: [
            (200, Sample.login(access: "a", refresh: "r"), nil, ServerCredentials.tokens(access: "a", refresh: "r")),
            (200, Sample.login(access: nil, refresh: nil), nil, .token("legacy")),
            (200, Sample.login(access: "a", refresh: nil), nil, .token("a")),
            (401, "Unauthorized", ServerFailure.Reason.wrongPassword, nil), (400, "Bad Request", .wrongPassword, nil),
            (429, "{}", .rateLimited, nil), (500, "", .refused, nil), (200, "OK", .damaged, nil),
            (200, "{\"user\":{\"id\":\"u1\"}}", .damaged, nil),
            (200, "{\"user\":{\"id\":7,\"token\":\"t\"}}", .damaged, nil),
        ] as [(Int, String, ServerFailure.Reason?, ServerCredentials?)])
    func `a login and its answer`(
        status: Int, text: String, reason: ServerFailure.Reason?, credentials: ServerCredentials?
    ) async throws {
        let transport = ScriptedTransport { $0.answer(status, text) }
        let address = try #require(ServerAddress("books.example"))
        do throws(ServerFailure) {
            let outcome = try await ServerLogin(transport).logIn(address, user: "ann", password: "p\"w")
            #expect(outcome.credentials == credentials && reason == nil)
        } catch {
            #expect(error.reason == reason && !error.message.contains("p\"w"))
        }
        let request = try #require(transport.requests.first)
        #expect(request.value("x-return-tokens") == "true" && request.value("Content-Type") == "application/json")
        #expect(
            try JSONDecoder().decode([String: String].self, from: Data(request.body ?? [])) == [
                "username": "ann", "password": "p\"w",
            ])
    }

    @Test(arguments: [(200, nil), (401, ServerFailure.Reason.wrongPassword), (404, .refused)])
    func `an API key is asked whose it is`(status: Int, reason: ServerFailure.Reason?) async throws {
        let transport = ScriptedTransport { $0.answer(status, "{\"id\":\"u1\",\"username\":\"ann\"}") }
        let address = try #require(ServerAddress("books.example"))
        let failure = await refusal { () async throws(ServerFailure) in
            try await ServerLogin(transport).check(address, apiKey: "key")
        }
        #expect(failure?.reason == reason && transport.requests.first?.bearer == "key")
        for key in ["", "a b", "a\r\nb", "ä"] {
            #expect(
                await refusal { () async throws(ServerFailure) in
                    try await ServerLogin(transport).check(address, apiKey: key)
                }?.reason == .wrongPassword)
        }
        #expect(transport.requests.count == 1)
    }

    @Test func `credentials and accounts are kept in files that only their owner reads`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/logins.json"
        let store = CredentialFile(path)
        #expect(try await store.load("a") == nil)
        try await store.save(.tokens(access: "x", refresh: "y"), for: "a")
        try await store.save(.apiKey("k"), for: "b")
        #expect(try await CredentialFile(path).load("a") == .tokens(access: "x", refresh: "y"))
        try await store.remove("a")
        #expect(try await CredentialFile(path).load("a") == nil)
        #expect(try await CredentialFile(path).load("b") == .apiKey("k"))
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        let accounts = AccountFile(folder.path + "/servers.json")
        try await accounts.change { $0.append(Sample.account) }
        #expect(try await AccountFile(folder.path + "/servers.json").accounts() == [Sample.account])
        #expect(folder.names == ["logins.json", "servers.json"])
        for text in ["", "{}", "{\"version\":2,\"accounts\":[]}", "[]"] {
            try folder.write("servers.json", Data(text.utf8))
            await #expect(throws: CredentialFailure.self) { try await accounts.accounts() }
            await #expect(throws: CredentialFailure.self) { try await accounts.change { $0 = [] } }
        }
    }

    @Test func `a file that cannot be written keeps what was there`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/logins.json"
        try await CredentialFile(path).save(.apiKey("k"), for: "a")
        try FileManager.default.createDirectory(atPath: path + ".new/x", withIntermediateDirectories: true)
        await #expect(throws: CredentialFailure.self) { try await CredentialFile(path).save(.apiKey("l"), for: "a") }
        #expect(try await CredentialFile(path).load("a") == .apiKey("k"))
    }

    @Test func `the file has what the keyring refuses, until that takes it`() async throws {
        let (keyring, file) = (MemoryStore(["a": .apiKey("old")]), MemoryStore())
        let store = KeyringFirst(keyring: keyring, file: file)
        #expect(try await store.load("a") == .apiKey("old"))
        await keyring.refuse(true)
        try await store.save(.apiKey("new"), for: "a")
        #expect(try await store.load("a") == .apiKey("new"))
        await keyring.refuse(false)
        try await store.save(.apiKey("newer"), for: "a")
        #expect(try await store.load("a") == .apiKey("newer"))
        #expect(await file.kept.isEmpty)
        try await store.remove("a")
        #expect(try await store.load("a") == nil)
    }
}

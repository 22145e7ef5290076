// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPExchange
import JSON
import Testing

@testable import AudiobookshelfClient

/// The recorded answers of servers beside the package, or in `ROSTRUM_SHARED`.
enum Recordings {
    static let folder: String? = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let shared = ProcessInfo.processInfo.environment["ROSTRUM_SHARED"] ?? "/\(package)/../shared"
        let folder = shared + "/audiobookshelf/recorded"
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()

    /// Returns a recorded answer.
    static func answer(_ name: String) throws -> HTTPAnswer {
        let path = (folder ?? "") + "/" + name + ".json"
        let recorded = try JSONDecoder().decode(JSONValue.self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
        let response = recorded["response"]
        var fields: [HTTPField] = []
        if case .array(let headers) = response?["headers"] {
            fields = headers.map(\.strings).filter { $0.count == 2 }.map { HTTPField($0[0], $0[1]) }
        }
        let body: [UInt8]
        switch response?["body"] {
        case .string(let text): body = Array(text.utf8)
        case let value?: body = Array(try JSONEncoder().encode(value))
        case nil: body = []
        }
        return HTTPAnswer(status: Int(response?["status"]?.number ?? 0), fields: fields, body: body, url: "")
    }
}

/// The answers of real servers to logins and renewals.
@Suite(.enabled(if: Recordings.folder != nil, "there are no recordings in ../shared"))
struct RecordedLoginTests {
    private let address = ServerAddress("books.example")

    @Test(arguments: [
        ("001-status-not-init", "2.36.0", false), ("005-status", "2.36.0", true),
        ("006-status-with-base-path", "2.36.0", true), ("v2.20.0/001-status", "2.20.0", true),
        ("v2.25.1/001-status", "2.25.1", true), ("v2.26.0/001-status", "2.26.0", true),
        ("v2.33.0/001-status", "2.33.0", true),
    ])
    func `a status`(name: String, version: String, isSetUp: Bool) throws {
        let status = try ServerStatus(try Recordings.answer(name), at: try #require(address))
        #expect("\(status.version)" == version && status.isSetUp == isSetUp && status.allowsPassword)
    }

    @Test(
        arguments: [
            ("007-login-bad-password", ServerFailure.Reason.wrongPassword, nil),
            ("008-login-missing-password", .wrongPassword, nil), ("261-inactive-user-login", .wrongPassword, nil),
            ("238-login-rate-limited", .rateLimited, nil), ("009-login-no-return-tokens", nil, "token"),
            ("010-login-return-tokens", nil, "tokens"), ("016-login-user", nil, "tokens"),
            ("205-login-again", nil, "tokens"), ("231-short-login", nil, "tokens"), ("v2.20.0/002-login", nil, "token"),
            ("v2.25.1/002-login", nil, "token"), ("v2.26.0/002-login", nil, "tokens"),
            ("v2.33.0/002-login", nil, "tokens"),
        ] as [(String, ServerFailure.Reason?, String?)])
    func `a login`(name: String, reason: ServerFailure.Reason?, kind: String?) async throws {
        let answer = try Recordings.answer(name)
        let address = try #require(address)
        let login = ServerLogin(ScriptedTransport { _ in answer })
        do throws(ServerFailure) {
            let outcome = try await login.logIn(address, user: "root", password: "p")
            #expect("\(outcome.credentials)" == kind && !outcome.user.id.isEmpty && !outcome.user.name.isEmpty)
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test(
        arguments: [
            ("196-refresh", nil), ("197-refresh-old-token-in-grace", nil), ("202-refresh-by-cookie", nil),
            ("235-refresh-after-expiry", nil), ("v2.26.0/003-refresh", nil), ("v2.33.0/003-refresh", nil),
            ("199-refresh-none", .logInAgain), ("200-refresh-bad", .logInAgain),
            ("201-refresh-with-access-token", .logInAgain), ("207-refresh-after-logout", .logInAgain),
            ("236-refresh-old-token-after-grace", .logInAgain), ("237-refresh-expired", .logInAgain),
            ("v2.26.0/004-refresh-old-again", .logInAgain), ("v2.20.0/003-refresh", .logInAgain),
            ("v2.25.1/003-refresh", .logInAgain), ("239-refresh-rate-limited", .rateLimited),
        ] as [(String, ServerFailure.Reason?)])
    func `a renewal after an expired token`(name: String, reason: ServerFailure.Reason?) async throws {
        let answer = try Recordings.answer(name)
        let (expired, good) = (try Recordings.answer("233-expired-me"), try Recordings.answer("018-me"))
        let transport = ScriptedTransport { request in
            request.path == "/auth/refresh" ? answer : request.bearer == "old" ? expired : good
        }
        let store = MemoryStore(["a1": .tokens(access: "old", refresh: "r1")])
        let connection = try Sample.connection(transport, store)
        let failure = await refusal { () async throws(ServerFailure) in _ = try await connection.user() }
        #expect(failure?.reason == reason)
        #expect((await store.kept["a1"] == .tokens(access: "old", refresh: "r1")) == (reason != nil))
        #expect(await connection.clock.offset != nil)
    }

    @Test(arguments: ["018-me", "022-me-legacy-token", "150-me-after-progress", "211-me-with-api-key"])
    func `the owner of a key`(name: String) async throws {
        let answer = try Recordings.answer(name)
        let outcome = try await ServerLogin(ScriptedTransport { _ in answer }).check(try #require(address), apiKey: "k")
        #expect(!outcome.user.id.isEmpty && !outcome.user.name.isEmpty)
    }
}

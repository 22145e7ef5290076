// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPExchange
import Synchronization

@testable import AudiobookshelfClient

/// A transport that answers as a test says and notes what it is asked.
final class ScriptedTransport: HTTPTransport {
    private let noted = Mutex<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer

    init(_ answer: @escaping @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer) { self.answer = answer }

    var requests: [HTTPRequest] { noted.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer {
        noted.withLock { $0.append(request) }
        return try await answer(request)
    }

    func fetch(
        _ request: HTTPRequest, into file: Int32, progress: @escaping @Sendable (Int64) -> Void
    ) async throws(HTTPFailure) -> HTTPAnswer {
        try await send(request)
    }
}

extension HTTPRequest {
    var path: String { String(url.dropFirst("https://books.example".count).prefix { $0 != "?" }) }

    func value(_ name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

    var bearer: String? { value("Authorization").map { String($0.dropFirst("Bearer ".count)) } }

    func answer(_ status: Int, _ text: String = "", _ fields: [HTTPField] = []) -> HTTPAnswer {
        HTTPAnswer(status: status, fields: fields, body: Array(text.utf8), url: url)
    }
}

/// Credentials in memory, which may refuse to be kept.
actor MemoryStore: CredentialStore {
    private(set) var kept: [String: ServerCredentials] = [:]
    var refuses = false
    /// Is told of each that is kept, before it counts as kept.
    private let willKeep: @Sendable (ServerCredentials) async -> Void

    init(
        _ kept: [String: ServerCredentials] = [:],
        willKeep: @escaping @Sendable (ServerCredentials) async -> Void = { _ in }
    ) {
        self.kept = kept
        self.willKeep = willKeep
    }

    func refuse(_ refuses: Bool) { self.refuses = refuses }
    func put(_ credentials: ServerCredentials, for account: String) { kept[account] = credentials }

    func load(_ account: String) throws(CredentialFailure) -> ServerCredentials? { kept[account] }

    func save(_ credentials: ServerCredentials, for account: String) async throws(CredentialFailure) {
        await willKeep(credentials)
        if refuses { throw CredentialFailure("no room") }
        kept[account] = credentials
    }

    func remove(_ account: String) throws(CredentialFailure) { kept[account] = nil }
}

/// Values that the tests share.
enum Sample {
    static let account = ServerAccount(
        id: "a1", name: "books", address: "https://books.example", user: "ann", userID: "u1", version: "2.36.0",
        usesKey: false, addedAt: 0)
    /// Sat, 21 Nov 2026 08:33:29 GMT.
    static let time: Int64 = 1_795_250_009_000

    /// A token that ends so many seconds after ``time``, and lives an hour.
    static func token(_ name: String, ends seconds: Int64) -> String {
        let end = time / 1000 + seconds
        let claims = Data("{\"sub\":\"\(name)\",\"iat\":\(end - 3600),\"exp\":\(end)}".utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "").replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
        return "head.\(claims).\(name)"
    }

    static func connection(
        _ transport: ScriptedTransport, _ store: MemoryStore, account: ServerAccount = account,
        now: @escaping @Sendable () -> Int64 = { time }
    ) throws -> ServerConnection {
        guard let connection = ServerConnection(account, transport: transport, store: store, now: now) else {
            throw CredentialFailure("no address")
        }
        return connection
    }

    static func login(access: String?, refresh: String?, token: String = "legacy") -> String {
        let names = [("accessToken", access), ("refreshToken", refresh)].compactMap { name, value in
            value.map { ",\"\(name)\":\"\($0)\"" }
        }
        return
            "{\"user\":{\"id\":\"u1\",\"username\":\"Ann\",\"type\":\"user\",\"token\":\"\(token)\"\(names.joined())}}"
    }
}

func refusal<Value>(_ body: () async throws(ServerFailure) -> Value) async -> ServerFailure? {
    do throws(ServerFailure) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
public import HTTPExchange

/// Asks a server for which there is no account yet: what it is, and who somebody is on it.
public struct ServerLogin: Sendable {
    private let transport: any HTTPTransport

    public init(_ transport: any HTTPTransport) { self.transport = transport }

    /// The outcome of a login.
    public struct Outcome: Sendable, Hashable {
        public var user: ServerUser
        public var credentials: ServerCredentials
    }

    /// Returns a server's status, and its address behind all redirects.
    public func status(_ address: ServerAddress) async throws(ServerFailure) -> (ServerStatus, ServerAddress) {
        let answer = try await ask(address, HTTPRequest(.get, address.url(["status"]), allowsPrivate: true))
        let status = try ServerStatus(answer, at: address)
        return (status, address.moved(to: answer.url, path: "/status") ?? address)
    }

    /// Logs a user in by password.
    public func logIn(
        _ address: ServerAddress, user: String, password: String
    ) async throws(ServerFailure) -> Outcome {
        let body = (try? JSONEncoder().encode(["username": user, "password": password])).map(Array.init)
        let fields = [HTTPField("Content-Type", "application/json"), HTTPField("x-return-tokens", "true")]
        var request = HTTPRequest(.post, address.url(["login"]), fields: fields, body: body, allowsPrivate: true)
        request.mostBytes = LoginBody.mostBytes
        let answer = try await ask(address, request)
        switch answer.status {
        case 200: break
        case 401, 400:
            throw ServerFailure(
                .wrongPassword, "\(address): user name or password is wrong, or the user is disabled",
                status: answer.status)
        default: throw ServerFailure.status(answer, at: address, doing: "the login")
        }
        let login = try LoginBody(answer, at: address)
        guard let credentials = login.credentials else {
            throw ServerFailure(.damaged, "\(address): the server sends no token for the login")
        }
        return Outcome(user: login.user.serverUser, credentials: credentials)
    }

    /// Asks who the owner of an API key is.
    public func check(_ address: ServerAddress, apiKey: String) async throws(ServerFailure) -> Outcome {
        let isLine = apiKey.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isLine, !apiKey.isEmpty, apiKey.utf8.count <= 8192 else {
            throw ServerFailure(.wrongPassword, "\(address): that is no API key")
        }
        let fields = [HTTPField("Authorization", "Bearer \(apiKey)")]
        var request = HTTPRequest(.get, address.url(["api", "me"]), fields: fields, allowsPrivate: true)
        request.mostBytes = LoginBody.mostBytes
        let answer = try await ask(address, request)
        switch answer.status {
        case 200: break
        case 401: throw ServerFailure(.wrongPassword, "\(address): the API key is not accepted", status: 401)
        default: throw ServerFailure.status(answer, at: address, doing: "the API key")
        }
        let user = try LoginBody.user(answer, at: address)
        return Outcome(user: user.serverUser, credentials: .apiKey(apiKey))
    }

    private func ask(_ address: ServerAddress, _ request: HTTPRequest) async throws(ServerFailure) -> HTTPAnswer {
        do throws(HTTPFailure) {
            return try await transport.send(request)
        } catch {
            throw ServerFailure(error, at: address)
        }
    }
}

/// The parts of the answers to a login and a renewal that matter here; everything may be missing or null.
struct LoginBody: Decodable {
    /// The most bytes of such an answer, which has a row for everything that the user has heard.
    static let mostBytes: Int64 = 64 << 20

    struct User: Decodable {
        struct Permissions: Decodable { var download: Bool? }

        var id: String
        var username: String?
        var type: String?
        var permissions: Permissions?
        var token: String?
        var accessToken: String?
        var refreshToken: String?

        var serverUser: ServerUser {
            ServerUser(id: id, name: username ?? id, kind: type ?? "user", mayDownload: permissions?.download ?? true)
        }
    }

    var user: User

    init(_ answer: HTTPAnswer, at address: ServerAddress) throws(ServerFailure) {
        self = try Self.decoded(answer, at: address)
    }

    static func user(_ answer: HTTPAnswer, at address: ServerAddress) throws(ServerFailure) -> User {
        try decoded(answer, at: address)
    }

    /// The tokens to keep; the one without an end is left out where others are.
    var credentials: ServerCredentials? {
        switch (user.accessToken, user.refreshToken, user.token) {
        case (let access?, let refresh?, _): .tokens(access: access, refresh: refresh)
        case (let access?, nil, _): .token(access)
        case (nil, _, let token?): .token(token)
        case (nil, _, nil): nil
        }
    }

    private static func decoded<Body: Decodable>(
        _ answer: HTTPAnswer, at address: ServerAddress
    ) throws(ServerFailure) -> Body {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(answer.body)) else {
            throw ServerFailure(.damaged, "\(address): the server's answer cannot be read", status: answer.status)
        }
        return body
    }
}
